import VaultInterface
import Wire

enum ExportCommand {
  static let command = Command(
    name: "export", summary: Localized("export all or some cards to a file", "把全部或部分卡片导出到文件"),
    help: Localized(
      """
      qv export FILE|- [CARD...] [--format json|csv|vcard|markdown] [--yes] [--password-fd N]

      Exports all cards, or those that are named, to an unencrypted file that only you can read, and prints its path. - is standard
      output. Asks for confirmation and the password. The default format is that of the file name extension,
      and json for -. The exit status is 12 if a card or an attachment could not be read. Only json holds
      attachments, and a vCard file only addresses without concealed values: says before it asks what the file
      will lack. If that is cards, the exit status is 16 without a terminal or with --yes.
      """,
      """
      qv export 文件|- [卡片…] [--format json|csv|vcard|markdown] [--yes] [--password-fd N]

      把所有卡片或指定的卡片导出到未加密、只有您可读的文件，并输出其路径；- 表示标准输出。需要确认和密码。
      默认格式由文件扩展名决定，- 为 json。有卡片或附件无法读取时退出状态为 12。只有 json 包含附件；
      vCard 只包含地址，不含保密内容。询问之前会说明文件中缺少什么；缺少卡片时，若没有终端或使用 --yes，
      退出状态为 16。
      """),
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
    help: Localized(
      """
      qv backup DIRECTORY|FILE [--keep N] [--password-fd N]

      Writes an encrypted backup of the vault and prints its path. In an existing DIRECTORY, the file is named
      after the vault and the time; otherwise the backup is FILE, which must not exist. --keep deletes all but
      the newest N backups in the directory. The exit status is 12 if the vault is damaged.

      To copy the vault's file in another way, lock the vault first: the last changes of an unlocked vault are
      not in the file yet, and the copy cannot tell.
      """,
      """
      qv backup 目录|文件 [--keep N] [--password-fd N]

      写入保险库的加密备份，并输出其路径。目录存在时，文件以保险库和时间命名；否则写入给出的文件，
      该文件必须尚不存在。--keep 只保留目录中最新的 N 份备份。保险库损坏时退出状态为 12。

      用其他方式复制保险库文件前，请先锁定：未锁定时，最近的更改尚未写入文件，而副本本身看不出来。
      """),
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
    help: Localized(
      """
      qv merge FILE [--dry-run] [--json] [--password-fd N]

      Merges another copy of this vault into this vault. The copy is not changed; its password is asked for
      only if the vault's key does not open it; with --password-fd, it is the second line if it is not that of
      this vault. If a card was changed in both, keeps both versions and lists
      them.
      """,
      """
      qv merge 文件 [--dry-run] [--json] [--password-fd N]

      把本保险库的另一个副本合并进来。副本保持不变；只有本保险库的密钥打不开副本时，才询问副本的
      密码；使用 --password-fd 时，若与本保险库的密码不同，则为第二行。双方都修改过的卡片，两个版本都保留并列出。
      """),
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
    help: Localized(
      """
      qv repair [--yes] [--json] [--password-fd N]

      Repairs a damaged vault by keeping every readable record. Checks first whether it is damaged, asks for
      confirmation, and saves a copy of the damaged file.
      """,
      """
      qv repair [--yes] [--json] [--password-fd N]

      修复损坏的保险库，保留所有可读取的记录。先检查是否损坏，再请您确认，并保存损坏文件的副本。
      """),
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
