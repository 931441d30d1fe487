import Glibc
import VaultInterface
import Wire

enum SaveCommand {
  static let command = Command(
    name: "save", summary: Localized("export an attachment to a file", "把附件导出到文件"),
    help: Localized(
      """
      qv save CARD [ATTACHMENT] [--to PATH | --to -] [--original] [--strip-metadata] [--search] [--yes]

      Exports an attachment to a file that only you can read, and prints its path: PATH, or the attachment's
      name in the directory PATH or the current directory. - is standard output. Asks before replacing a file
      and before filling a terminal unless you use --yes. --original exports it without its watermark and asks
      for a fingerprint or the password. --strip-metadata removes the location, time and camera of a photo.
      """,
      """
      qv save 卡片 [附件] [--to 路径 | --to -] [--original] [--strip-metadata] [--search] [--yes]

      把附件导出到只有您可读的文件，并输出其路径：给出的路径，或该目录（默认为当前目录）中以附件命名的
      文件；- 表示标准输出。除非使用 --yes，否则替换已有文件、或输出到终端之前先询问。
      --original 导出不带水印的原件，需要指纹或密码。--strip-metadata 移除照片中的地点、时间和相机信息。
      """),
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
