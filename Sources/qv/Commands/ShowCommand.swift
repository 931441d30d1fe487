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
