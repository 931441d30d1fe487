import Glibc
import VaultInterface
import Wire

enum AttachCommand {
  static let command = Command(
    name: "attach", summary: Localized("attach files to a card", "给卡片添加附件"),
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
        ? .data(Base64.text(try Descriptor.read(0))) : .path(Environment.absolutePath(file)),
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

enum OpenCommand {
  static let command = Command(
    name: "open", summary: Localized("open an attachment", "打开附件"),
    options: [.original, .search] + Option.password, operands: [.titles, .attachments]
  ) { invocation throws(Failure) in
    let name = Environment.nonEmptyValue("QUICKVAULT_VIEWER") ?? "xdg-open"
    guard let viewer = SearchPath.find(name) else {
      throw .exit(
        .failure,
        Localized(
          "\(name) was not found; set QUICKVAULT_VIEWER to a program that opens files",
          "找不到 \(name)：请把 QUICKVAULT_VIEWER 设为能打开文件的程序"))
    }
    let item = try AttachmentReference.one(for: .reading, invocation)
    let directory = try PrivateDirectory(invocation)
    defer { directory.remove() }
    // A name that begins with a dash or a dot would be an option or a hidden file.
    let isPlain = item.name.first.map { $0 != "-" && $0 != "." } ?? false
    let path = "\(directory.path)/\(isPlain ? item.name : "_" + item.name)"
    _ = try AttachmentExporter.write(item, to: path, overwrites: false, invocation)
    try view(path, viewer, invocation)
  }

  /// How often the vault is asked whether it is locked, in milliseconds. It does not keep the vault unlocked.
  private static let interval: Int32 = 2_000
  /// A viewer that ends sooner has passed the file on to another program, in seconds.
  private static let passingTime = 3

  private static func view(_ path: String, _ viewer: String, _ invocation: Invocation) throws(Failure) {
    let begin = time(nil)
    guard let child = ChildProcess.start(viewer, [viewer, path], .init(output: 2)) else {
      throw .exit(.failure, Localized("\(viewer) cannot be started", "无法启动 \(viewer)"))
    }
    guard try isUnlocked(until: child.watch, invocation) else {
      kill(child.process, SIGTERM)
      return reportLock(invocation)
    }
    try child.wait()
    guard time(nil) - begin < passingTime, Terminal.isInteractive else { return }
    invocation.terminal.show(invocation.text("Press Enter to remove the opened file. ", "按回车删除已打开的文件。"))
    if try isUnlocked(until: 0, invocation) { _ = try Descriptor.readLine(0) } else { reportLock(invocation) }
  }

  /// Waits until a descriptor is readable, or the vault is locked.
  private static func isUnlocked(until descriptor: Int32, _ invocation: Invocation) throws(Failure) -> Bool {
    while try !Signals.wait(for: descriptor, timeout: interval) {
      if try invocation.vault.status().isLocked { return false }
    }
    return true
  }

  private static func reportLock(_ invocation: Invocation) {
    invocation.report("the vault was locked, and the opened file was removed", "保险库已锁定，已打开的文件已删除")
  }
}

enum SaveCommand {
  static let command = Command(
    name: "save", summary: Localized("export an attachment to a file", "把附件导出到文件"),
    options: [.destination, .original, Option(name: "strip-metadata"), .search, .yes] + Option.password,
    operands: [.titles, .attachments]
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    let item = try AttachmentReference.one(for: .reading, invocation)
    if arguments[.destination] == "-" { return try AttachmentExporter.print(item, invocation) }
    var target = Environment.absolutePath(arguments[.destination] ?? "./")
    if target.hasSuffix("/") || FileSystem.isDirectory(target) {
      while target.hasSuffix("/"), target.count > 1 { target.removeLast() }
      target = (target == "/" ? "" : target) + "/" + item.name
    }
    let overwrites = try FileSystem.confirmReplacing(target, invocation)
    let answer = try AttachmentExporter.write(item, to: target, overwrites: overwrites, invocation)
    try invocation.output.line(answer.path.printable)
  }
}

/// Gets an attachment out of the vault.
enum AttachmentExporter {
  static func write(_ item: AttachmentJSON, to path: String, overwrites: Bool, _ invocation: Invocation)
    throws(Failure) -> Answer<AttachmentExport.Response>
  {
    let (vault, arguments) = (invocation.vault, invocation.arguments)
    let isOriginal = arguments.has(.original)
    let request = { (means: AuthenticationMeans?) in
      AttachmentExport(
        id: item.id, path: path, original: OriginalRequest(isWanted: isOriginal, means: means),
        stripMetadata: arguments.has("strip-metadata"), overwrites: overwrites, progressToken: .qv)
    }
    return try vault.withProgress(Localized("Exporting...", "正在导出…")) { () throws(Failure) in
      guard isOriginal, item.watermark != nil else { return try vault.ask(request(nil)) }
      if let answer = try vault.withFingerprint(request(.biometric)) { return answer }
      guard !vault.passwords.usesPinentry else {
        try vault.authenticate(Prompt.original)
        return try vault.ask(request(nil))
      }
      return try vault.askWithPassword(Prompt.original) { request(.password($0)) }
    }
  }

  /// Writes the content to standard output, by way of a private file in memory.
  static func print(_ item: AttachmentJSON, _ invocation: Invocation) throws(Failure) {
    if invocation.output.isTerminal {
      try invocation.confirm(
        Localized("This is not text. Write it to the terminal? [y/N]", "这不是文本，要输出到终端吗？[y/N]"))
    }
    let directory = try PrivateDirectory(invocation)
    defer { directory.remove() }
    _ = try write(item, to: "\(directory.path)/content", overwrites: false, invocation)
    try invocation.output.write(try directory.read("content"))
  }
}

/// Files of the user.
enum FileSystem {
  static func isDirectory(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }

  static func exists(_ path: String) -> Bool {
    var information = stat()
    return unsafe lstat(path, &information) == 0
  }

  /// Checks that a file can be read, before anything is asked for it.
  static func requireReadable(_ path: String) throws(Failure) {
    guard unsafe access(path, R_OK) == 0 else { throw .file(path) }
  }

  /// Whether a file has the beginning of a PDF document, by which the service detects one too.
  ///
  /// - Throws: if it cannot be read.
  static func isPDF(_ path: String) throws(Failure) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path) }
    defer { Descriptor.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: MediaType.beginning)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .file(path) }
    return MediaType.pdf.begins(Array(bytes.prefix(count)))
  }

  /// Asks whether to replace a file, if there is one.
  ///
  /// - Returns: whether there is one.
  static func confirmReplacing(_ path: String, _ invocation: Invocation) throws(Failure) -> Bool {
    guard exists(path) else { return false }
    if !invocation.arguments.has(.yes), !Terminal.isInteractive {
      throw .usage(
        Localized(
          "\(path) already exists and there is no terminal to ask for confirmation; use --yes",
          "\(path) 已存在，且没有可供确认的终端：请加 --yes"))
    }
    try invocation.confirm(Localized("\(path) already exists. Replace it? [y/N]", "\(path) 已存在，要替换吗？[y/N]"))
    return true
  }
}
