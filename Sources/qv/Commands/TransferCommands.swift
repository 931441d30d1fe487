import VaultInterface
import Wire

enum ExportCommand {
  static let command = Command(
    name: "export", summary: Localized("export all or some cards to a file", "把全部或部分卡片导出到文件"),
    options: [Option(name: "format", value: .exportFormats), .search, .yes] + Option.password,
    operands: [.files, .titles], repeatsOperands: true
  ) { invocation throws(Failure) in
    let file = try invocation.file(Localized("File to export to: ", "导出到文件："))
    let isOutput = file == "-"
    let named: ExportFormat? = try invocation.arguments.word("format")
    guard let format = named ?? (isOutput ? .json : format(named: file)) else {
      throw .usage(
        Localized(
          "the extension of \(file.printable) names no format; use --format json, csv, vcard or markdown",
          "\(file.printable) 的扩展名不对应任何格式：请用 --format 指定 json、csv、vcard 或 markdown"))
    }
    let cards = try invocation.operands.dropFirst().map { (name) throws(Failure) in
      try CardReference.resolve(name, for: .reading, invocation).id
    }
    let ids = cards.isEmpty ? nil : cards
    let expected = try invocation.vault.ask(
      VaultExport(path: Environment.absolutePath(file), format: format, ids: ids, isDryRun: true)
    ).omissions
    if let expected { invocation.report(expected[invocation.language]) }
    if !isOutput || invocation.output.isTerminal {
      try invocation.confirm(
        isOutput
          ? Localized("The cards will be shown unencrypted. Go on? [y/N]", "将以未加密的形式显示卡片，要继续吗？[y/N]")
          : Localized("The file will not be encrypted. Write it? [y/N]", "导出的文件不加密，仍要导出吗？[y/N]"))
    }
    if isOutput {
      let directory = try PrivateDirectory(invocation)
      defer { directory.remove() }
      let report = try export(ids, to: "\(directory.path)/cards", format, overwrites: false, invocation)
      try invocation.output.write(try directory.read("cards"))
      if let omissions = report.omissions, omissions != expected {
        invocation.report(omissions[invocation.language])
      }
      return try requireComplete(report, invocation)
    }
    let target = Environment.absolutePath(file)
    let overwrites = try FileSystem.confirmReplacing(target, invocation)
    let report = try export(ids, to: target, format, overwrites: overwrites, invocation)
    try invocation.output.line(report.path.printable)
    if let omissions = report.omissions { try invocation.output.line(omissions[invocation.language]) }
    try requireComplete(report, invocation)
  }

  private static func export(
    _ ids: [Identifier]?, to path: String, _ format: ExportFormat, overwrites: Bool, _ invocation: Invocation
  ) throws(Failure) -> VaultExport.Response {
    let vault = invocation.vault
    return try vault.withProgress(Localized("Exporting...", "正在导出…")) { () throws(Failure) in
      try vault.askWithPassword(Prompt.unlock) {
        VaultExport(
          path: path, format: format, password: $0, overwrites: overwrites, ids: ids, progressToken: .qv)
      }
    }.value
  }

  /// Fails where the file does not have everything, so that a script does not take it for a copy. A person was asked.
  private static func requireComplete(_ report: VaultExport.Response, _ invocation: Invocation)
    throws(Failure)
  {
    if report.damaged > 0 { throw .exit(.vault, []) }
    let wasAsked = Terminal.isInteractive && !invocation.arguments.has(.yes)
    if report.cardsLeftOut > 0, !wasAsked { throw .exit(.incomplete, []) }
  }

  private static func format(named name: String) -> ExportFormat? {
    let name = name.lowercased()
    let formats: [String: ExportFormat] = [
      ".json": .json, ".csv": .csv, ".vcf": .vcard, ".vcard": .vcard, ".md": .markdown,
      ".markdown": .markdown,
    ]
    return formats.first { name.hasSuffix($0.key) }?.value
  }
}

extension VaultExport.Response {
  /// What the file does not have; nil if it has everything.
  fileprivate var omissions: Localized? {
    let counts = [
      (cardsLeftOut, Localized("cards", "卡片")), (attachmentsLeftOut, Localized("attachments", "附件")),
      (concealedLeftOut, Localized("concealed values", "保密内容")),
      (damaged, Localized("unreadable cards or attachments", "无法读取的卡片或附件")),
    ]
    let parts = counts.filter { $0.0 > 0 }
    guard !parts.isEmpty else { return nil }
    return Localized(
      "Not in the file: " + parts.map { "\($1.english) \($0)" }.joined(separator: ", "),
      "不在文件中：" + parts.map { "\($1.simplifiedChinese) \($0)" }.joined(separator: "，"))
  }
}

enum BackupCommand {
  static let command = Command(
    name: "backup", summary: Localized("back up the vault", "备份保险库"),
    options: [Option(name: "keep", value: .nothing, isNumber: true)] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    let path = try invocation.file(Localized("Directory or file for the backup: ", "备份到目录或文件："))
    let request = VaultBackup(
      path: Environment.absolutePath(path), keep: invocation.arguments.number("keep"), progressToken: .qv)
    let report = try invocation.vault.ask(request, progress: Localized("Backing up...", "正在备份…"))
    try invocation.output.line(report.path.printable)
    if report.integrity == .damaged {
      throw .exit(
        .vault, Localized("the vault is damaged, and so is this backup", "保险库已损坏，此备份同样有损坏"))
    }
  }
}

enum MergeCommand {
  static let command = Command(
    name: "merge", summary: Localized("merge another copy of the vault", "合并本保险库的另一个副本"),
    options: [.dryRun, .json] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    let file = try invocation.file(Localized("Copy of the vault to merge: ", "要合并的副本："))
    try FileSystem.requireReadable(file)
    let vault = invocation.vault
    let isDry = invocation.arguments.has(.dryRun)
    // The password of the vault itself comes first, so that it is not confused with that of the copy.
    try vault.ensureOpen()
    let report = try vault.merge(file, isDryRun: isDry)
    try MergeReport.show(report, isDryRun: isDry, invocation)
  }
}

enum RepairCommand {
  static let command = Command(
    name: "repair", summary: Localized("repair a damaged vault", "修复损坏的保险库"),
    options: [.yes, .json] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let vault = invocation.vault
    var needsRepair = true
    let (_, password) = try vault.withPassword(Prompt.unlock) {
      password throws(Failure) -> Result<Void, RequestError> in
      // A vault that cannot be opened may be repaired all the same.
      if case .failure(let error) = try vault.send(password, SessionUnlock.byPassword) {
        return error.unlessDamaged
      }
      switch try vault.attempt(VaultVerify()) {
      case .success(let found): needsRepair = found.integrity == .damaged
      case .failure(let error): return error.unlessDamaged
      }
      return .success(())
    }
    // An intact vault is left as it is, and the answer says so.
    if needsRepair {
      try invocation.confirm(
        Localized(
          "Save a copy of the damaged file and keep every readable record? [y/N]",
          "要备份损坏的文件，并保留所有可读取的记录吗？[y/N]"))
    }
    let report = try vault.attempt(password) { VaultRepair(password: $0) }.getOrFail()
    if try invocation.showsJSON(report) { return }
    guard let backup = report.backup else {
      return try invocation.printLines([
        invocation.text("The vault is intact; nothing was changed.", "保险库完好，未作任何更改。")
      ])
    }
    let (kept, dropped) = (report.kept, report.dropped.count)
    // The number is nil if the repair found no count of the cards.
    let missing = report.missing.map { String($0) } ?? invocation.text("unknown", "未知")
    try invocation.printLines([
      invocation.text(
        "The vault is repaired. Cards kept: \(kept.cards), attachments: \(kept.attachments), records dropped: \(dropped), cards missing: \(missing)",
        "保险库已修复。保留卡片：\(kept.cards)，附件：\(kept.attachments)，舍弃记录：\(dropped)，缺失卡片：\(missing)"),
      invocation.text("The damaged file was saved as ", "损坏的文件已另存为 ") + backup.printable,
    ])
  }
}

extension RequestError {
  /// This error, or nothing if it is that a vault is damaged.
  fileprivate var unlessDamaged: Result<Void, RequestError> {
    ["vault.damaged", "vault.notAVault"].contains(kind) ? .success(()) : .failure(self)
  }
}
