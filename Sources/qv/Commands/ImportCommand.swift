import Glibc
import VaultInterface
import Wire

enum ImportCommand {
  static let command = Command(
    name: "import", summary: Localized("import cards from a file", "从文件导入卡片"),
    options: [
      Option(name: "format", value: .formats), Option(name: "encoding", value: .nothing),
      Option(name: "map", value: .nothing), .type, .group,
      Option(name: "keep-duplicates"), .dryRun, .yes, .json,
    ] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    let file = try invocation.file(Localized("File to import: ", "要导入的文件："))
    var request = try request(file, invocation)
    let progress = Localized("Reading the file...", "正在读取文件…")
    let preview = try invocation.vault.ask(request, progress: progress)
    if invocation.arguments.has(.dryRun) { return try print(preview, invocation) }
    if !invocation.arguments.has(.yes) {
      guard Terminal.isInteractive else { throw .needsYes }
      guard try confirm(&request, preview, invocation) else {
        return invocation.report("there is nothing to import", "没有可导入的内容")
      }
    }
    request.isDryRun = false
    let report = try invocation.vault.ask(request, progress: progress)
    if invocation.arguments.has(.yes) { return try print(report, invocation) }
    invocation.report("imported: \(report.imported)", "已导入：\(report.imported)")
  }

  /// Shows the preview until the user accepts it. Before that, columns can get other targets, and the text another encoding.
  ///
  /// - Returns: false if there is nothing to import.
  /// - Throws: ``Failure/declined`` unless the user accepts it.
  private static func confirm(
    _ request: inout VaultImport, _ first: Answer<ImportReport>, _ invocation: Invocation
  ) throws(Failure) -> Bool {
    var preview = first
    while true {
      try print(preview, invocation)
      try invocation.output.flush()
      let isReadable = preview.skipped == 0 || preview.mapping.isEmpty && preview.encoding == .utf8
      if preview.ready == 0, isReadable { return false }
      var changed = request
      switch try answer(preview.value, invocation) {
      case .accepts: return true
      case .declines: throw .declined
      case .column: try chooseColumn(&changed, preview.mapping, invocation)
      case .encoding: try chooseEncoding(&changed, invocation)
      }
      switch try invocation.vault.attempt(changed) {
      case .success(let answer): (request, preview) = (changed, answer)
      case .failure(let error): invocation.report(error.message)
      }
    }
  }

  private enum Choice { case accepts, declines, column, encoding }

  private static func answer(_ report: ImportReport, _ invocation: Invocation) throws(Failure) -> Choice {
    let (ready, skipped) = (report.ready, report.skipped)
    let (hasColumns, isUnclear) = (!report.mapping.isEmpty, report.encoding != .utf8)
    let column = hasColumns ? Localized("c changes the target of a column. ", "c 更改列的目标。") : Localized("", "")
    let encoding = isUnclear ? Localized("e reads another encoding. ", "e 改用其他编码。") : Localized("", "")
    let more = Localized(
      column.english + encoding.english, column.simplifiedChinese + encoding.simplifiedChinese)
    let question =
      skipped == 0
      ? Localized(
        "\(more.english)Import \(ready) cards? [y/N]", "\(more.simplifiedChinese)要导入 \(ready) 张卡片吗？[y/N]")
      : Localized(
        "\(more.english)Import \(ready) cards and skip \(skipped) invalid entries? [y/N]",
        "\(more.simplifiedChinese)要导入 \(ready) 张卡片，并跳过 \(skipped) 个无效条目吗？[y/N]")
    let hint = Localized("Answer y or n. ", "请回答 y 或 n。")
    return try invocation.terminal.answer(question[invocation.language], hint) { line in
      switch line.trimmed.lowercased() {
      case "c" where hasColumns: .column
      case "e" where isUnclear: .encoding
      default: Terminal.meaning(of: line, defaultAnswer: false).map { $0 ? .accepts : .declines }
      }
    } ?? .declines
  }

  private static func chooseColumn(
    _ request: inout VaultImport, _ mapping: [ImportReport.Column], _ invocation: Invocation
  ) throws(Failure) {
    let column = mapping[
      try invocation.choose(
        Localized("Which column? ", "哪一列？"), mapping.map { "\($0.column) → \($0.target)" })]
    request.mapping[column.column] = try invocation.answer(
      Localized("Target (see qv help import): ", "目标（见 qv help import）："), current: column.target)
  }

  /// In another encoding, the columns have other names.
  private static func chooseEncoding(_ request: inout VaultImport, _ invocation: Invocation) throws(Failure) {
    let encodings = TextEncoding.allCases
    request.encoding =
      encodings[
        try invocation.choose(Localized("Which encoding? ", "哪种编码？"), encodings.map(\.rawValue))]
    request.mapping = [:]
  }

  private static let inputLimit = 24_000_000

  private static func request(_ file: String, _ invocation: Invocation) throws(Failure) -> VaultImport {
    let arguments = invocation.arguments
    let source: ContentSource
    if file == "-" {
      let content = try invocation.readInput(upTo: inputLimit)
      guard content.count <= inputLimit else {
        throw .usage(
          Localized(
            "standard input has more than 24,000,000 bytes; import a file instead",
            "标准输入超过 24,000,000 字节：请改用文件导入"))
      }
      source = .data(Base64.text(content))
      answerAtTerminal()
    } else {
      try FileSystem.requireReadable(file)
      source = .path(Environment.absolutePath(file))
    }
    var mapping: [String: String] = [:]
    for word in arguments.all(Option(name: "map")) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .usage(Localized("--map needs COLUMN=TARGET", "--map 后需要给出 列=目标"))
      }
      guard mapping.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw .usage(Localized("--map \(parts[0]) is given twice", "--map \(parts[0]) 给出了两次"))
      }
    }
    return VaultImport(
      source: source, format: try arguments.word("format"), encoding: try arguments.word("encoding"),
      mapping: mapping, type: try arguments.type, group: try arguments.group ?? .personal, isDryRun: true,
      onError: .skip, duplicates: arguments.has("keep-duplicates") ? .keep : .skip, progressToken: .qv)
  }

  /// Lets questions be answered at the terminal, since standard input was the file.
  private static func answerAtTerminal() {
    guard Terminal.showsMessages else { return }
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return }
    dup2(terminal, 0)
    close(terminal)
  }

  private static func print(_ report: Answer<ImportReport>, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(report) { return }
    try invocation.printLines(report.value.lines(invocation.language))
  }
}

/// The report of an import, for people.
extension ImportReport {
  /// The number of entries that can be stored.
  fileprivate var ready: Int { total - duplicates - skipped }

  /// How many titles of entries without remarks are listed.
  private static let shownTitles = 20

  fileprivate func lines(_ language: Language) -> [String] {
    let count = imported > 0 ? imported : ready
    let done = (imported > 0 ? Outcome.imported : .ready).name
    // What is unclear about the whole file comes first.
    var lines = Self.lines(warnings, indent: "! ", language)
    lines.append(
      Localized(
        "\(format.rawValue), \(encoding.rawValue). Entries: \(total); \(done.english): \(count), duplicates: \(duplicates), skipped: \(skipped)",
        "\(format.rawValue)，\(encoding.rawValue)。条目：\(total)；\(done.simplifiedChinese)：\(count)，重复：\(duplicates)，跳过：\(skipped)"
      )[language])
    lines.append(
      Localized(
        "Values in the file: \(values.total); in cards: \(values.kept), named: \(values.named), lost: \(values.lost)",
        "文件中的值：\(values.total)；写入卡片：\(values.kept)，列明：\(values.named)，丢失：\(values.lost)")[language])
    lines += (mapping + (members ?? [])).map { "  \($0.column.oneLine) → \($0.target.oneLine)" }
    var titles = 0
    for item in items {
      let remarks = Self.lines(item.issues + item.warnings, indent: "    ", language)
      let isPlain = [.ready, .imported].contains(item.outcome) && remarks.isEmpty
      if isPlain { titles += 1 }
      if !isPlain || titles <= Self.shownTitles { lines += [item.line(language)] + remarks }
    }
    if titles > Self.shownTitles {
      let rest = titles - Self.shownTitles
      lines.append(Localized("and \(rest) more", "另有 \(rest) 条")[language])
    }
    if itemsLeftOut > 0 {
      lines.append(Localized("not listed: \(itemsLeftOut)", "未列出：\(itemsLeftOut)")[language])
    }
    return lines
  }

  private static func lines(_ remarks: [IssueJSON], indent: String, _ language: Language) -> [String] {
    let colon = Localized(": ", "：")[language]
    return remarks.map { remark in
      let field = remark.field.oneLine
      return indent + (field.isEmpty ? "" : field + colon) + remark.message.text.oneLine
    }
  }
}

extension ImportReport.Outcome {
  fileprivate var name: Localized {
    switch self {
    case .imported: Localized("imported", "已导入")
    case .ready: Localized("importable", "可导入")
    case .duplicate: Localized("duplicate", "重复")
    case .skipped: Localized("skipped", "已跳过")
    }
  }
}

extension ImportReport.Item {
  fileprivate func line(_ language: Language) -> String {
    let type = type.map { "  (\($0.label[language]))" } ?? ""
    return "\(line)  \(outcome.name[language])  \(title.oneLine)\(type)"
  }
}
