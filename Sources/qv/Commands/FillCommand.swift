import Glibc
import VaultInterface
import Wire

enum FillCommand {
  static let command = Command(
    name: "fill", summary: Localized("fill in the placeholders of a file", "填充文件中的占位符"),
    help: Localized(
      """
      qv fill FILE [--concealed]

      Prints a text file, or standard input for -, with a value in place of each placeholder:
      {{qv:Title.field}} for a field, by its key or label, and {{qv:Title}} for a whole card. On a terminal, asks
      before a concealed field is filled in; elsewhere, concealed fields need --concealed. A whole card has
      its concealed fields only with --concealed. If a placeholder cannot be filled in, reports its line and
      prints nothing.
      """,
      """
      qv fill 文件 [--concealed]

      输出文本文件（- 表示标准输入），并把其中的占位符换成内容：{{qv:标题.字段}} 为一个字段（字段键或字段名），
      {{qv:标题}} 为整张卡片。在终端上，填入保密字段前会先询问；否则需要 --concealed。
      整张卡片只有使用 --concealed 才包含保密字段。
      若有占位符无法填充，则报告所在的行，不输出任何内容。
      """),
    options: [Option(name: "concealed")] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    guard let path = invocation.operands.first else {
      throw .usage(Localized("which file? Use - for standard input", "请指定文件；- 表示标准输入"))
    }
    let text = try read(path)
    var filler = PlaceholderFiller(invocation)
    try invocation.output.write(try filler.fill(text, of: path))
  }

  private static func read(_ path: String) throws(Failure) -> String {
    let file = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw .file(path)
    }
    defer { if file > 0 { close(file) } }
    guard let text = String(validating: try Descriptor.read(file), as: UTF8.self) else {
      throw .exit(.invalid, Localized("\(path) is not UTF-8 text", "\(path) 不是 UTF-8 文本"))
    }
    return text
  }
}

/// Puts values in place of placeholders.
private struct PlaceholderFiller {
  private let invocation: Invocation
  /// The values that were found, by the placeholder's name.
  private var values: [String: String] = [:]

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Returns a text with all placeholders filled in.
  ///
  /// - Parameter file: what the text is called in errors, of which all are reported.
  mutating func fill(_ text: String, of file: String) throws(Failure) -> String {
    var (lines, mistakes, status): ([String], [Localized], ExitStatus?) = ([], [], nil)
    for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      do throws(Failure) {
        lines.append(try fill(Substring(line)))
      } catch .exit(let kind, let messages) where Self.isOfPlaceholder(kind) {
        status = status ?? kind
        mistakes += messages.map {
          Localized("\(file):\(index + 1): \($0.english)", "\(file):\(index + 1)：\($0.simplifiedChinese)")
        }
      }
    }
    if let status { throw .exit(status, mistakes) }
    return lines.joined(separator: "\n")
  }

  /// Whether the next line may have another mistake.
  private static func isOfPlaceholder(_ status: ExitStatus) -> Bool {
    [.notFound, .ambiguous, .invalid, .usage].contains(status)
  }

  private mutating func fill(_ line: Substring) throws(Failure) -> String {
    var (filled, rest) = ("", line)
    let bytes = line.utf8
    for placeholder in Placeholder.all(in: line) {
      let start = bytes.index(bytes.startIndex, offsetBy: placeholder.bytes.lowerBound)
      try refuseUnfinished(rest[..<start])
      filled += rest[..<start] + (try value(placeholder.name))
      rest = rest[bytes.index(bytes.startIndex, offsetBy: placeholder.bytes.upperBound)...]
    }
    try refuseUnfinished(rest)
    return filled + rest
  }

  private func refuseUnfinished(_ text: Substring) throws(Failure) {
    guard text.range(ofFirst: Placeholder.opening) == nil else {
      throw .exit(.invalid, Localized("a placeholder has no name or no end", "占位符没有名称或没有结尾"))
    }
  }

  private mutating func value(_ name: String) throws(Failure) -> String {
    if let value = values[name] { return value }
    let value = try find(name)
    values[name] = value
    return value
  }

  private func find(_ name: String) throws(Failure) -> String {
    if let answer = try resolve(name) { return try copy(answer) }
    guard let (title, label) = Placeholder.parts(of: name), let answer = try resolve(title, field: label)
    else {
      throw .exit(.notFound, Localized("no card has the title of \(name)", "没有卡片的标题与“\(name)”相符"))
    }
    if answer.field?.isConcealed == true { try askFor(name) }
    return try copy(answer)
  }

  private func askFor(_ name: String) throws(Failure) {
    if invocation.arguments.has("concealed") { return }
    guard Terminal.isInteractive else {
      throw .usage(
        Localized(
          "\(name) is concealed; --concealed fills it in", "“\(name)”是保密字段；用 --concealed 可填入"))
    }
    let question = invocation.text(
      "\(name.oneLine) is concealed. Fill it in? [y/N]", "“\(name.oneLine)”是保密字段，是否填入？[y/N]")
    guard try invocation.terminal.confirm(question) else { throw .declined }
  }

  /// - Parameter answer: the card, and the field if one is wanted.
  private func copy(_ answer: CardResolve.Response) throws(Failure) -> String {
    let text = try CopiedText(answer.card, invocation, field: answer.field?.name)
    text.reportOmittedFields(invocation)
    return text.text
  }

  /// - Returns: nil if no card has the name.
  private func resolve(_ name: String, field: String? = nil) throws(Failure)
    -> CardResolve.Response?
  {
    switch try invocation.vault.attempt(CardResolve(name: name, guesses: false, field: field)) {
    case .success(let answer): return answer.value
    case .failure(let error) where error.kind == "card.notFound": return nil
    case .failure(let error) where error.kind == "card.ambiguous":
      throw .exit(.ambiguous, Localized("several cards have the title \(name)", "有多张卡片的标题为“\(name)”"))
    case .failure(let error) where error.kind == "card.fieldNotFound":
      let field = error.data["field"]?.string ?? ""
      throw .exit(.notFound, Localized("\(name) has no field \(field)", "“\(name)”没有字段“\(field)”"))
    case .failure(let error): throw error.failure
    }
  }
}
