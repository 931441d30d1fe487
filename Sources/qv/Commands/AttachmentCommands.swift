import VaultInterface
import Wire

enum AttachCommand {
  static let command = Command(
    name: "attach", summary: Localized("attach files to a card", "给卡片添加附件"),
    help: Localized(
      """
      qv attach CARD FILE... [--watermark TEXT]

      Attaches images (JPEG, PNG, HEIC) and PDF documents to a card and prints their ids. On a terminal, asks
      for a watermark of images, which appears wherever they are shown or exported; the original stays in the
      vault.
      - is standard input. Ctrl-C cancels files that are not attached yet.
      """,
      """
      qv attach 卡片 文件… [--watermark 文字]

      给卡片添加图片（JPEG、PNG、HEIC）或 PDF 文件，并输出编号。在终端上询问图片的水印文字；显示和导出时都会
      带有水印，原件保留在保险库中。- 表示标准输入。按 Ctrl-C 取消尚未完成的操作。
      """),
    options: [.watermark] + Option.password, operands: [.titles, .files], repeatsOperands: true
  ) { invocation throws(Failure) in
    guard let name = invocation.operands.first else {
      return _ = try CardReference.resolve("", for: .changing, invocation)
    }
    let files = invocation.operands.dropFirst()
    guard !files.isEmpty else { throw .whichFile }
    var pictures: Set<String> = []
    for file in files where file != "-" {
      if try !FileSystem.isPDF(file) { pictures.insert(file) }
    }
    let card = try CardReference.resolve(name, for: .changing, invocation).id
    let given = invocation.arguments[.watermark]
    var typed = ""
    if given == nil, !pictures.isEmpty, Terminal.isInteractive {
      typed = try invocation.readLine(invocation.text("Watermark (empty for none): ", "水印文字（留空则不加）："))
    }
    for file in files {
      try attach(file, to: card, watermark: given ?? (pictures.contains(file) ? typed : ""), invocation)
    }
  }

  private static func attach(_ file: String, to card: Identifier, watermark: String, _ invocation: Invocation)
    throws(Failure)
  {
    let isInput = file == "-"
    let request = AttachmentAdd(
      card: card,
      source: isInput
        ? .data(Base64Text.encode(try Descriptor.read(0))) : .path(Environment.absolutePath(file)),
      name: isInput ? "attachment" : nil, watermark: watermark.isEmpty ? nil : Watermark(text: watermark),
      progressToken: .qv)
    let shown = file.fileName.oneLine
    let message = Localized("Attaching \(shown)...", "正在添加 \(shown)…")
    let item = try invocation.vault.ask(request, announces: true, progress: message).attachment
    try invocation.output.line("\(item.id)\t\(item.name.oneLine)")
  }
}

enum AttachmentsCommand {
  static let command = Command(
    name: "attachments", summary: Localized("list attachments", "列出卡片的附件"),
    help: Localized(
      """
      qv attachments CARD [--search] [--json]

      Lists the attachments of a card with their numbers. In a pipe, prints one line for each with tabs
      between id, name, type, bytes, width, height and watermark.
      """,
      """
      qv attachments 卡片 [--search] [--json]

      列出卡片的附件及序号。输出到管道时每个附件一行，以制表符分隔：编号、名称、类型、字节数、宽、高、水印。
      """),
    options: [.json, .search] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let list = try AttachmentReference.list(invocation.words, for: .reading, invocation)
    if try invocation.showsJSON(items: list.json) { return }
    let lines =
      invocation.output.isTerminal
      ? list.value.numbered(invocation.language) : list.value.map { $0.columns.joined(separator: "\t") }
    for line in lines { try invocation.output.line(line) }
  }
}

enum WatermarkCommand {
  static let command = Command(
    name: "watermark", summary: Localized("set or remove a watermark", "设置或移除水印"),
    help: Localized(
      """
      qv watermark CARD [ATTACHMENT] [--watermark TEXT | --remove]

      Sets or removes the watermark of an attachment. Without an option, asks for the text.
      """, "qv watermark 卡片 [附件] [--watermark 文字 | --remove]\n\n设置或移除附件的水印。不加选项时询问文字。"),
    options: [.watermark, Option(name: "remove")] + Option.password, operands: [.titles, .attachments]
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    let item = try AttachmentReference.one(for: .changing, invocation)
    var text = arguments.has("remove") ? "" : arguments[.watermark]
    if text == nil {
      guard Terminal.isInteractive else { throw .needsValue("--watermark") }
      text = try invocation.readLine(
        invocation.text("Watermark (empty for none): ", "水印文字（留空则不加）："), current: item.watermark?.text ?? "")
    }
    let watermark = text.flatMap { $0.isEmpty ? nil : Watermark(text: $0) }
    let answer = try invocation.vault.ask(
      AttachmentSetWatermark(id: item.id, watermark: watermark, progressToken: .qv), announces: true,
      progress: Localized("Drawing the watermark...", "正在添加水印…"))
    if invocation.output.isTerminal {
      try invocation.output.line(answer.attachment.description(invocation.language))
    }
  }
}

enum DetachCommand {
  static let command = Command(
    name: "detach", summary: Localized("delete an attachment", "删除附件"),
    help: Localized(
      "qv detach CARD [ATTACHMENT] [--yes]\n\nDeletes an attachment permanently. Asks first unless you use --yes.",
      "qv detach 卡片 [附件] [--yes]\n\n永久删除附件。除非使用 --yes，否则先询问。"),
    options: [.yes] + Option.password, operands: [.titles, .attachments]
  ) { invocation throws(Failure) in
    let item = try AttachmentReference.one(for: .changing, invocation)
    let name = item.name.oneLine
    try invocation.confirm(Localized("Delete “\(name)”? [y/N]", "要删除“\(name)”吗？[y/N]"))
    try invocation.vault.ask(AttachmentDelete(id: item.id), announces: true)
  }
}

/// Finds the attachment that operands refer to.
enum AttachmentReference {
  /// The attachments of a card.
  static func list(_ card: String, for use: CardReference.Use, _ invocation: Invocation) throws(Failure)
    -> Answer<[AttachmentJSON]>
  {
    try CardReference.resolve(card, for: use, invocation).part("attachments", \.attachments)
  }

  /// The operands are a card and, if it has several attachments, the name, number or beginning of the id of one.
  static func one(for use: CardReference.Use, _ invocation: Invocation) throws(Failure) -> AttachmentJSON {
    try invocation.arguments.allow(2)
    let items = try list(invocation.operands.first ?? "", for: use, invocation).value
    let wanted = invocation.operands.dropFirst().first ?? ""
    let found = items.matching(wanted, guesses: use.isReading || invocation.mayGuess)
    if let item = found.first, found.count == 1 { return item }
    if items.isEmpty {
      throw .exit(
        .notFound,
        Localized(
          "this card has no attachments; add one with qv attach CARD FILE", "这张卡片没有附件：用“qv attach 卡片 文件”添加"))
    }
    if found.isEmpty {
      throw .exit(.notFound, Localized("the card has no attachment \(wanted)", "卡片没有附件“\(wanted)”"))
    }
    invocation.report(
      "which attachment? Give its name or number after the card:", "请指定附件，在卡片之后给出名称或序号：")
    for line in items.numbered(invocation.language) { invocation.terminal.show(line + "\n") }
    throw .exit(.ambiguous, [])
  }
}

extension ProgressToken {
  static let qv = ProgressToken("qv")
}

extension Failure {
  static let whichFile = Failure.usage(Localized("which file?", "请指定文件"))
}
