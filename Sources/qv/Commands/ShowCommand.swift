import VaultInterface
import Wire

enum ShowCommand {
  static let command = Command(
    name: "show", aliases: ["get", "cat"], summary: Localized("show a card or a field", "显示卡片或字段"),
    options: [.json, .field, Option(name: "reveal"), Option(name: "pager"), .search] + Option.password,
    operands: [.titles]
  ) { invocation throws(Failure) in
    let (arguments, output) = (invocation.arguments, invocation.output)
    if arguments[.field] != nil, !arguments.has(.json) {
      let card = try CardReference.resolve(invocation.words, for: .reading, invocation)
      let text = try CopiedText(card.value, invocation).text
      return try arguments.has("pager")
        ? Pager.show(text.lines.map(\.printable), invocation) : output.line(text)
    }
    let id = try CardReference.resolve(invocation.words, for: .showing, invocation).id
    let card = try invocation.vault.card(id)
    if try invocation.showsJSON(card) { return }
    let isPaged = arguments.has("pager")
    let lines = CardPage.lines(
      card.value, reveals: arguments.has("reveal"), title: { isPaged ? $0 : output.bold($0) },
      invocation.language)
    if isPaged { return try Pager.show(lines, invocation) }
    for line in lines { try output.line(line) }
    try Thumbnails.draw(card.attachments, invocation)
    guard output.isTerminal else { return }
    try output.flush()
    let name = card.title.isPlainWords ? card.title : "\(card.id)"
    invocation.mention(
      "qv copy \(name) copies it; qv edit and qv delete take the same name",
      "用 qv copy \(name) 复制；qv edit、qv delete 用法相同")
    invocation.mention(
      "it stays in the scrollback, even when locked; --pager leaves nothing there",
      "内容会留在回滚缓冲区，锁定后也在；--pager 则不会")
  }
}

extension String {
  /// Whether a shell takes this for words as they are, and qv takes none for an option.
  fileprivate var isPlainWords: Bool {
    split(separator: " ", omittingEmptySubsequences: false).allSatisfy { word in
      word.first.map { $0.isLetter || $0.isNumber } == true
        && word.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }
  }
}

/// Draws small pictures of attachments on a terminal, by chafa.
enum Thumbnails {
  private static let pixels = 512

  static func draw(_ attachments: [AttachmentJSON], _ invocation: Invocation) throws(Failure) {
    guard let columns = invocation.output.width, !attachments.isEmpty,
      Terminal.kind != "dumb",
      let program = SearchPath.find("chafa")
    else { return }
    for attachment in attachments {
      // A picture that cannot be drawn is no reason not to show the card.
      let request = AttachmentThumbnail(id: attachment.id, size: pixels)
      guard case .success(let answer) = try invocation.vault.attempt(request),
        let content = Base64.bytes(of: answer.data)
      else { continue }
      try invocation.output.flush()
      guard let (source, feed) = ChildProcess.pipe() else { return }
      let child = ChildProcess.start(
        program, ["chafa", "--size", "\(min(columns, 60))x16", "-"],
        .init(input: source, output: 1, errors: 2))
      Descriptor.close(source)
      try ChildProcess.writeAll(content, to: feed)
      _ = try child?.wait()
    }
  }
}

enum CodeCommand {
  static let command = Command(
    name: "code", aliases: ["otp", "totp"], summary: Localized("show a one-time code", "显示一次性密码"),
    options: [.json, .field, .search] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let id = try CardReference.resolve(invocation.words, for: .reading, invocation).id
    let answer = try invocation.vault.ask(FieldCode(id: id, field: invocation.arguments[.field]))
    if invocation.arguments.has(.json) { return try invocation.output.json(answer.json) }
    try invocation.output.line(answer.code)
    guard invocation.output.isTerminal, let seconds = answer.secondsLeft else { return }
    try invocation.output.flush()
    invocation.mention("valid for \(seconds) s", "\(seconds) 秒内有效")
  }
}

enum TypeCommand {
  static let command = Command(
    name: "type", summary: Localized("type a card or a field into the focused window", "把卡片或字段键入当前窗口"),
    options: CopyCommand.options + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let card = try CardReference.resolve(invocation.words, for: .reading, invocation)
    let text = try CopiedText(card.value, invocation)
    text.reportOmittedFields(invocation)
    try KeyboardInput.type(text)
  }
}

/// Types text into the focused window.
enum KeyboardInput {
  static func type(_ text: CopiedText) throws(Failure) {
    // The text goes through a pipe, since other users can see arguments.
    let whole = Array(text.text.utf8)
    if Environment.nonEmptyValue("WAYLAND_DISPLAY") != nil, let program = SearchPath.find("wtype"),
      try ChildProcess.run(program, ["wtype", "-"], input: whole, showsErrors: true)?.status == 0
    {
      return
    }
    if Environment.nonEmptyValue("DISPLAY") != nil, let program = SearchPath.find("xdotool") {
      for (typed, run) in whole.runsByKeyboard.enumerated() {
        let words = ["xdotool", "type", "--clearmodifiers", "--delay", run.delay, "--file", "-"]
        guard try ChildProcess.run(program, words, input: Array(run.text), showsErrors: true)?.status != 0
        else { continue }
        throw .exit(
          .failure,
          typed == 0
            ? Localized("nothing was typed: xdotool failed", "未能键入：xdotool 出错")
            : Localized("only part of the text was typed: xdotool failed", "只键入了部分文本：xdotool 出错"))
      }
      return
    }
    throw .exit(
      .failure,
      Localized(
        "nothing was typed: install wtype (Wayland) or xdotool (X11)", "未能键入：请安装 wtype（Wayland）或 xdotool（X11）"
      ))
  }
}

extension [UInt8] {
  /// Splits the text where it passes from characters on the keyboard to others, with the time in milliseconds that
  /// xdotool gives each character.
  ///
  /// For a character that is not on the keyboard, xdotool changes the layout, presses the key and changes it back. A
  /// window that looks at the layout too late gets another character, or none.
  fileprivate var runsByKeyboard: [(text: ArraySlice<UInt8>, delay: String)] {
    var runs: [(text: ArraySlice<UInt8>, delay: String)] = []
    var rest = self[...]
    while let first = rest.first {
      let isASCII = first < 0x80
      let run = rest.prefix { ($0 < 0x80) == isASCII }
      runs.append((run, isASCII ? "12" : "100"))
      rest = rest.dropFirst(run.count)
    }
    return runs
  }
}
