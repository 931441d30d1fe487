import JSON
import VaultModel
import VaultProtocol

enum ExportCommand {
  static let command = Command(
    name: "export", summary: Localized("export all cards to a file", "把所有卡片导出到文件"),
    help: Localized(
      """
      qv export FILE|- [--format json|csv|vcard|markdown] [--yes] [--password-fd N]

      Exports all cards to an unencrypted file that only you can read, and prints its path. - is standard
      output. Asks for confirmation and the password. The default format is that of the file name extension,
      and json for -. The exit status is 12 if a card or an attachment could not be read. A vCard
      file holds addresses only: says before it is written how many cards it leaves out, and without a terminal
      or with --yes, the exit status is 16.
      """,
      """
      qv export 文件|- [--format json|csv|vcard|markdown] [--yes] [--password-fd N]

      把所有卡片导出到未加密、只有您可读的文件，并输出其路径；- 表示标准输出。需要确认和密码。
      默认格式由文件扩展名决定，- 为 json。有卡片或附件无法读取时退出状态为 12。
      """),
    options: [Option(name: "format", value: .exportFormats), .yes] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    guard let file = invocation.operands.first else { throw .whichFile }
    try invocation.arguments.allow(1)
    let isOutput = file == "-"
    guard let format = invocation.arguments["format"] ?? (isOutput ? "json" : format(named: file)) else {
      throw .usage(
        Localized(
          "the extension of \(file.printable) names no format; use --format json, csv, vcard or markdown",
          "\(file.printable) 的扩展名不对应任何格式：请用 --format 指定 json、csv、vcard 或 markdown"))
    }
    let remark = format == "vcard" ? try leftOut(invocation) : nil
    if let remark { invocation.report(remark[invocation.language]) }
    if !isOutput || invocation.output.isTerminal {
      try invocation.confirm(
        isOutput
          ? Localized("All cards will be shown unencrypted. Go on? [y/N]", "将以未加密的形式显示所有卡片，要继续吗？[y/N]")
          : Localized("The file will not be encrypted. Write it? [y/N]", "导出的文件不加密，仍要导出吗？[y/N]"))
    }
    if isOutput {
      let directory = try PrivateDirectory(invocation)
      defer { directory.remove() }
      let report = try export(to: "\(directory.path)/cards", format, overwrites: false, invocation)
      try invocation.output.write(try directory.read("cards"))
      if let omissions = omissions(report) { invocation.report(omissions[invocation.language]) }
      return try requireComplete(report, invocation)
    }
    let target = Environment.absolutePath(file)
    let overwrites = try FileSystem.confirmReplacing(target, invocation)
    let report = try export(to: target, format, overwrites: overwrites, invocation)
    try invocation.output.line((report["path"]?.string ?? "").printable)
    if let omissions = omissions(report) { try invocation.output.line(omissions[invocation.language]) }
    try requireComplete(report, invocation)
  }

  private static func export(to path: String, _ format: String, overwrites: Bool, _ invocation: Invocation)
    throws(Failure)
    -> JSON
  {
    let vault = invocation.vault
    return try vault.withProgress(Localized("Exporting...", "正在导出…")) { () throws(Failure) in
      try vault.requestWithPassword(
        VaultExport.method, Prompt.unlock,
        [
          .init("path", .string(path)), .init("format", .string(format)),
          .init("overwrite", .bool(overwrites)),
          .init("progressToken", "qv"),
        ])
    }
  }

  /// What the file does not have; nil if it has everything.
  private static func omissions(_ report: JSON) -> Localized? {
    let counts = ["cardsLeftOut", "attachmentsLeftOut", "damaged"].map { report[$0]?.integer ?? 0 }
    guard counts.contains(where: { $0 > 0 }) else { return nil }
    return Localized(
      "Not in the file: cards \(counts[0]), attachments \(counts[1]), unreadable cards or attachments \(counts[2])",
      "未写入：卡片 \(counts[0]) 张，附件 \(counts[1]) 个，无法读取的卡片或附件 \(counts[2]) 个")
  }

  /// Says before the file is written which cards a vCard file cannot hold; nil if it holds all.
  private static func leftOut(_ invocation: Invocation) throws(Failure) -> Localized? {
    let all = try count([], invocation)
    let others = try all - count([.init("type", "address")], invocation)
    guard others > 0 else { return nil }
    return Localized(
      "vCard holds addresses only: \(others) of \(all) cards will not be in the file; json holds all",
      "vCard 只能容纳地址：\(all) 张卡片中有 \(others) 张不会写入；json 可容纳全部")
  }

  private static func count(_ filter: [JSON.Member], _ invocation: Invocation) throws(Failure) -> Int {
    try invocation.vault.request(CardList.method, .object(filter + [.init("limit", 1)]))["total"]?.integer
      ?? 0
  }

  /// Fails where the file does not have everything, so that a script does not take it for a copy. A person was asked.
  private static func requireComplete(_ report: JSON, _ invocation: Invocation) throws(Failure) {
    if report["damaged"]?.integer ?? 0 > 0 { throw .exit(.vault, []) }
    let wasAsked = Terminal.isInteractive && !invocation.arguments.has(.yes)
    if report["cardsLeftOut"]?.integer ?? 0 > 0, !wasAsked { throw .exit(.incomplete, []) }
  }

  private static func format(named name: String) -> String? {
    let name = name.lowercased()
    let formats = [
      ".json": "json", ".csv": "csv", ".vcf": "vcard", ".vcard": "vcard", ".md": "markdown",
      ".markdown": "markdown",
    ]
    return formats.first { name.hasSuffix($0.key) }?.value
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
      """,
      """
      qv backup 目录|文件 [--keep N] [--password-fd N]

      写入保险库的加密备份，并输出其路径。目录存在时，文件以保险库和时间命名；否则写入给出的文件，
      该文件必须尚不存在。--keep 只保留目录中最新的 N 份备份。保险库损坏时退出状态为 12。
      """),
    options: [Option(name: "keep", value: .nothing, isNumber: true)] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    guard let path = invocation.operands.first else { throw .whichFile }
    try invocation.arguments.allow(1)
    var parameters: [JSON.Member] = [
      .init("path", .string(Environment.absolutePath(path))), .init("progressToken", "qv"),
    ]
    if let keep = invocation.arguments.number("keep") { parameters.append(.init("keep", .integer(keep))) }
    let vault = invocation.vault
    let report = try vault.withProgress(Localized("Backing up...", "正在备份…")) { () throws(Failure) in
      try vault.request(VaultBackup.method, .object(parameters))
    }
    try invocation.output.line((report["path"]?.string ?? "").printable)
    if report["integrity"] == "damaged" {
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
    guard let file = invocation.operands.first else { throw .whichFile }
    try invocation.arguments.allow(1)
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

      Repairs a damaged vault by keeping every readable record. Asks for confirmation and the password, and
      saves a copy of the damaged file.
      """,
      """
      qv repair [--yes] [--json] [--password-fd N]

      修复损坏的保险库，保留所有可读取的记录。需要确认和密码，并保存损坏文件的副本。
      """),
    options: [.yes, .json] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    try invocation.confirm(
      Localized(
        "Save a copy of the damaged file and keep every readable record? [y/N]", "要备份损坏的文件，并保留所有可读取的记录吗？[y/N]"
      ))
    let report = try invocation.vault.requestWithPassword(VaultRepair.method, Prompt.unlock, [])
    if try invocation.showsJSON(report) { return }
    guard let backup = report["backup"]?.string else {
      return try invocation.output.line(
        invocation.text("The vault is intact; nothing was changed.", "保险库完好，未作任何更改。"))
    }
    let (cards, attachments) = (
      report["kept"]?["cards"]?.integer ?? 0, report["kept"]?["attachments"]?.integer ?? 0
    )
    let dropped = report["dropped"]?.elements.count ?? 0
    // The number is null if the repair found no count of the cards.
    let missing = report["missingCards"]?.integer.map { String($0) } ?? invocation.text("unknown", "未知")
    try invocation.output.line(
      invocation.text(
        "The vault is repaired. Cards kept: \(cards), attachments: \(attachments), records dropped: \(dropped), cards missing: \(missing)",
        "保险库已修复。保留卡片：\(cards)，附件：\(attachments)，舍弃记录：\(dropped)，缺失卡片：\(missing)"))
    try invocation.output.line(
      invocation.text("The damaged file was saved as ", "损坏的文件已另存为 ") + backup.printable)
  }
}
