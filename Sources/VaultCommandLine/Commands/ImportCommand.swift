import Glibc
import JSON
import VaultModel
import VaultProtocol

enum ImportCommand {
  static let command = Command(
    name: "import", summary: Localized("import cards from a file", "从文件导入卡片"),
    help: Localized(
      """
      qv import FILE|- [--format FORMAT] [--map COLUMN=TARGET]... [--type TYPE] [--group GROUP]
                [--keep-duplicates] [--dry-run] [--yes] [--json] [--password-fd N]

      Imports cards. Shows a preview first, with the target of each column, titles, duplicates and invalid
      entries, and asks for confirmation. --dry-run only shows the preview; --yes does not ask. The format is detected
      from the content unless you give it: json, csv, vcard, keepass-xml, bitwarden-json. TARGET is title,
      type, group, tags, folder, pinned, username, password, website, totp, the key of a field,
      extra:LABEL, concealed:LABEL or ignore. FILE can be up to 64 MiB, or 512 MiB if qv export wrote it.
      - is standard input, up to 24,000,000 bytes; qv then asks its questions on the terminal.
      """,
      """
      qv import 文件|- [--format 格式] [--map 列=目标]… [--type 类型] [--group 分组]
                [--keep-duplicates] [--dry-run] [--yes] [--json] [--password-fd N]

      导入卡片。先显示预览（各列的目标、标题、重复和无效的条目），再询问确认；--dry-run 只显示预览，
      --yes 不询问。格式根据内容判断，也可指定：json、csv、vcard、keepass-xml、bitwarden-json。目标可为
      title、type、group、tags、folder、pinned、username、password、website、totp、字段键、extra:名称、
      concealed:名称 或 ignore。文件最大 64 MiB，由 qv export 导出的最大 512 MiB；- 表示标准输入，最多
      24,000,000 字节，此时在终端上询问。
      """),
    options: [
      Option(name: "format", value: .formats), Option(name: "map", value: .nothing), .type, .group,
      Option(name: "keep-duplicates"), .dryRun, .yes, .json,
    ] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    guard let file = invocation.operands.first else { throw .whichFile }
    try invocation.arguments.allow(1)
    let parameters = try parameters(file, invocation)
    let vault = invocation.vault
    let isDry = invocation.arguments.has(.dryRun)
    let send = { (isDry: Bool) throws(Failure) -> JSON in
      try vault.withProgress(Localized("Reading the file...", "正在读取文件…")) { () throws(Failure) in
        try vault.request(
          VaultImport.method, .object(isDry ? parameters + [.init("dryRun", true)] : parameters))
      }
    }
    let preview = try send(true)
    if isDry { return try print(preview, invocation) }
    if !invocation.arguments.has(.yes) {
      guard Terminal.isInteractive else { throw .needsYes }
      try print(preview, invocation)
      try invocation.output.flush()
      let counts = Counts(preview)
      if counts.ready == 0 { return invocation.report("there is nothing to import", "没有可导入的内容") }
      try invocation.confirm(question(counts))
    }
    let report = try send(false)
    if invocation.arguments.has(.yes) { return try print(report, invocation) }
    let count = report["imported"]?.integer ?? 0
    invocation.report("imported: \(count)", "已导入：\(count)")
  }

  private static func question(_ counts: Counts) -> Localized {
    counts.skipped == 0
      ? Localized("Import \(counts.ready) cards? [y/N]", "要导入 \(counts.ready) 张卡片吗？[y/N]")
      : Localized(
        "Import \(counts.ready) cards and skip \(counts.skipped) invalid entries? [y/N]",
        "要导入 \(counts.ready) 张卡片，并跳过 \(counts.skipped) 个无效条目吗？[y/N]")
  }

  private static let inputLimit = 24_000_000

  private static func parameters(_ file: String, _ invocation: Invocation) throws(Failure) -> [JSON.Member] {
    let arguments = invocation.arguments
    var parameters: [JSON.Member] = [.init("onError", "skip"), .init("progressToken", "qv")]
    if file == "-" {
      let content = try invocation.readInput(upTo: inputLimit)
      guard content.count <= inputLimit else {
        throw .usage(
          Localized(
            "standard input has more than 24,000,000 bytes; import a file instead",
            "标准输入超过 24,000,000 字节：请改用文件导入"))
      }
      parameters.append(.init("data", .string(Base64Text.encode(content))))
      answerAtTerminal()
    } else {
      parameters.append(.init("path", .string(Environment.absolutePath(file))))
    }
    if let format = arguments["format"] { parameters.append(.init("format", .string(format))) }
    if let type = arguments[.type] { parameters.append(.init("type", .string(Card.type(type)))) }
    if let group = arguments[.group] { parameters.append(.init("group", .string(Card.group(group)))) }
    if arguments.has("keep-duplicates") { parameters.append(.init("duplicates", "keep")) }
    var mapping: [JSON.Member] = []
    for word in arguments.all(Option(name: "map")) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .usage(Localized("--map needs COLUMN=TARGET", "--map 后需要给出 列=目标"))
      }
      guard !mapping.contains(where: { $0.name == parts[0] }) else {
        throw .usage(Localized("--map \(parts[0]) is given twice", "--map \(parts[0]) 给出了两次"))
      }
      mapping.append(.init(parts[0], .string(parts[1])))
    }
    if !mapping.isEmpty { parameters.append(.init("mapping", .object(mapping))) }
    return parameters
  }

  /// Lets questions be answered at the terminal, since standard input was the file.
  private static func answerAtTerminal() {
    guard Terminal.showsMessages else { return }
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return }
    dup2(terminal, 0)
    close(terminal)
  }

  private struct Counts {
    let ready, skipped: Int

    init(_ report: JSON) {
      skipped = report["skipped"]?.integer ?? 0
      ready = (report["total"]?.integer ?? 0) - (report["duplicates"]?.integer ?? 0) - skipped
    }
  }

  private static func print(_ report: JSON, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(report) { return }
    for line in ImportText.lines(report, invocation.language) { try invocation.output.line(line) }
  }
}

/// The report of an import, for people.
enum ImportText {
  static func lines(_ report: JSON, _ language: Language) -> [String] {
    let number = { (name: String) in report[name]?.integer ?? 0 }
    let text = { (name: String) in report[name]?.string ?? "" }
    let (total, duplicates, skipped, imported) = (
      number("total"), number("duplicates"), number("skipped"), number("imported")
    )
    let count = imported > 0 ? imported : total - duplicates - skipped
    let done = imported > 0 ? Localized("imported", "已导入") : Localized("importable", "可导入")
    var lines = [
      Localized(
        "\(text("format")), \(text("encoding")). Entries: \(total); \(done.english): \(count), duplicates: \(duplicates), skipped: \(skipped)",
        "\(text("format"))，\(text("encoding"))。条目：\(total)；\(done.simplifiedChinese)：\(count)，重复：\(duplicates)，跳过：\(skipped)"
      )[
        language]
    ]
    for column in report["mapping"]?.elements ?? [] {
      lines.append(
        "  \((column["column"]?.string ?? "").oneLine) → \((column["target"]?.string ?? "—").oneLine)")
    }
    var titles = 0
    for item in report["items"]?.elements ?? [] {
      let remarks = remarkLines(item, language)
      let isPlain = ["ready", "imported"].contains(item["outcome"]?.string ?? "") && remarks.isEmpty
      if isPlain { titles += 1 }
      if !isPlain || titles <= shownTitles { lines += [itemLine(item, language)] + remarks }
    }
    if titles > shownTitles {
      let rest = titles - shownTitles
      lines.append(Localized("and \(rest) more", "另有 \(rest) 条")[language])
    }
    if number("itemsLeftOut") > 0 {
      lines.append(
        Localized("not listed: \(number("itemsLeftOut"))", "未列出：\(number("itemsLeftOut"))")[language])
    }
    return lines
  }

  private static let outcomes = [
    "imported": Localized("imported", "已导入"), "ready": Localized("importable", "可导入"),
    "duplicate": Localized("duplicate", "重复"), "skipped": Localized("skipped", "已跳过"),
  ]

  /// How many titles of entries without remarks are listed.
  private static let shownTitles = 20

  private static func itemLine(_ item: JSON, _ language: Language) -> String {
    let outcome = item["outcome"]?.string ?? ""
    let word = (outcomes[outcome] ?? Localized(verbatim: outcome))[language]
    return "\(item["line"]?.integer ?? 0)  \(word)  \((item["title"]?.string ?? "").oneLine)"
  }

  private static func remarkLines(_ item: JSON, _ language: Language) -> [String] {
    let colon = Localized(": ", "：")[language]
    return ((item["issues"]?.elements ?? []) + (item["warnings"]?.elements ?? [])).map { remark in
      let field = (remark["field"]?.string ?? "").oneLine
      return "    " + (field.isEmpty ? "" : field + colon) + (remark["message"]?.string ?? "").oneLine
    }
  }
}
