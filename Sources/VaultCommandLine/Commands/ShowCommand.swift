import JSON
import VaultModel
import VaultProtocol

enum ShowCommand {
  static let command = Command(
    name: "show", aliases: ["get", "cat"], summary: Localized("show a card or a field", "显示卡片或字段"),
    help: Localized(
      """
      qv show CARD [--field FIELD] [--reveal] [--search] [--json]

      Shows a card. Concealed values are shown as dots without --reveal. --field prints only the value of a
      field, given by its key, its label, or "title", in any case and width. --json prints everything,
      including concealed values. On a terminal, pictures are shown if chafa is installed.
      """,
      """
      qv show 卡片 [--field 字段] [--reveal] [--search] [--json]

      显示卡片。不加 --reveal 时，保密内容显示为圆点。--field 只输出一个字段的内容，可用字段键、
      字段名或“title”指定，不区分大小写和全角半角。--json 输出全部，包括保密内容。
      在终端上，若安装了 chafa，则显示图片。
      """),
    options: [.json, .field, Option(name: "reveal"), .search] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let (arguments, output) = (invocation.arguments, invocation.output)
    if arguments[.field] != nil, !arguments.has(.json) {
      let card = try CardReference.resolve(invocation.words, for: .reading, invocation)
      return try output.line(try CopiedText(card, invocation).text)
    }
    let card = try CardReference.card(invocation.words, for: .showing, invocation)
    if try invocation.showsJSON(card.json) { return }
    for line in CardPage.lines(card, reveals: arguments.has("reveal"), output, invocation.language) {
      try output.line(line)
    }
    try Thumbnails.draw(card.attachments, invocation)
  }
}

/// Draws small pictures of attachments on a terminal, by chafa.
enum Thumbnails {
  private static let pixels = 512

  static func draw(_ attachments: [AttachmentItem], _ invocation: Invocation) throws(Failure) {
    guard let columns = invocation.output.width, !attachments.isEmpty,
      Terminal.kind != "dumb",
      let program = SearchPath.find("chafa")
    else { return }
    for attachment in attachments {
      let parameters: JSON = ["id": .string(attachment.id), "size": .integer(pixels)]
      // A picture that cannot be drawn is no reason not to show the card.
      guard case .success(let answer) = try invocation.vault.attempt(AttachmentThumbnail.method, parameters),
        let content = answer["data"]?.string.flatMap(Base64Text.decode)
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
