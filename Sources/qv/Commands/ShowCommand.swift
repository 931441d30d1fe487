import VaultInterface
import Wire

enum ShowCommand {
  static let command = Command(
    name: "show", aliases: ["get", "cat"], summary: Localized("show a card or a field", "显示卡片或字段"),
    help: Localized(
      """
      qv show CARD [--field FIELD] [--reveal] [--pager] [--search] [--json]

      Shows a card. Concealed values are shown as dots without --reveal. --field prints only the value of a
      field, given by its key, its label, or "title", in any case and width. --json prints everything,
      including concealed values. On a terminal, pictures are shown if chafa is installed.
      What is shown stays on the terminal and in its scrollback when the vault is locked. --pager leaves nothing
      there, and closes when the vault is locked.
      """,
      """
      qv show 卡片 [--field 字段] [--reveal] [--pager] [--search] [--json]

      显示卡片。不加 --reveal 时，保密内容显示为圆点。--field 只输出一个字段的内容，可用字段键、
      字段名或“title”指定，不区分大小写和全角半角。--json 输出全部，包括保密内容。
      在终端上，若安装了 chafa，则显示图片。
      显示的内容在保险库锁定后仍留在终端及其回滚缓冲区中。用 --pager 查看则不会留下，锁定时也会自动关闭。
      """),
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
        let content = Base64Text.decode(answer.data)
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
    help: Localized(
      """
      qv code CARD [--field FIELD] [--search] [--json]

      Prints the one-time code of this moment. A card has codes if a concealed field has their key: an
      otpauth:// URI, or base32 under a name such as “totp” or “One-time password”. --field names one of
      several keys. On a terminal, says for how long the code is valid. The code of a counter is stored as taken.
      qv copy -f totp CARD copies the code.
      """,
      """
      qv code 卡片 [--field 字段] [--search] [--json]

      输出此刻的一次性密码。卡片须有保存其密钥的保密字段：otpauth:// 链接，或名为“totp”“一次性密码”等、
      内容为 base32 的字段。有多个密钥时用 --field 指定。在终端上还会显示剩余的有效时间。
      按计数生成的密码会记录为已使用。
      用 qv copy -f totp 卡片 复制该密码。
      """),
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
    help: Localized(
      """
      qv type CARD [--field FIELD] [--style STYLE] [--template TEXT] [--concealed] [--search]

      Types a card or a field into the focused window with wtype (Wayland) or xdotool (X11), without using the
      clipboard. Bind it to a key of your desktop, with qv pick.
      """,
      """
      qv type 卡片 [--field 字段] [--style 样式] [--template 文本] [--concealed] [--search]

      用 wtype（Wayland）或 xdotool（X11）把卡片或字段键入当前窗口，不经过剪贴板。
      可与 qv pick 一起绑定到桌面快捷键。
      """),
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
