/// What a form's text says about a card.
public struct FormContents: Hashable, Sendable {
  public var draft: CardDraft
  /// Whether no group was given; the draft's group then means nothing.
  var lacksGroup = false
  /// What is wrong with the text itself, each with its line.
  var issues: [Issue] = []
  /// The lines of the parts, by the names that issues have for them.
  var lines: [String: Int] = [:]

  /// Returns whether the form changes nothing of a card.
  public func says(_ stored: CardDraft) -> Bool { issues.isEmpty && !lacksGroup && draft == stored }

  /// Returns the contents as they would be stored, and warnings.
  ///
  /// - Throws: ``InvalidValues`` with all issues at once, in the order of their lines (R21).
  public func checked() throws(InvalidValues) -> (draft: CardDraft, warnings: [Issue]) {
    var report: ValidationReport
    let normalized: CardDraft
    (normalized, report) = draft.report(lacksGroup: lacksGroup)
    report.errors = (issues + report.errors.map(located)).sorted { $0.line ?? .max < $1.line ?? .max }
    report.warnings = report.warnings.map(located)
    guard report.isValid else { throw InvalidValues(report: report) }
    return (normalized, report.warnings)
  }

  private func located(_ issue: Issue) -> Issue {
    var issue = issue
    issue.line = lines[issue.field] ?? lines[String(issue.field.prefix { $0 != "." })]
    return issue
  }
}

extension Issue {
  static func strayLine(_ line: Int) -> Issue {
    let name = FormText.extraFieldsLabel
    return Issue(
      field: "form", code: .syntax,
      message: Localized(
        "This line belongs to no field. Begin further lines of a value with two spaces; put your own fields below \"--- \(name.english) ---\".",
        "此行不属于任何字段。内容的续行以两个空格开头；自定义字段写在“--- \(name.simplifiedChinese) ---”之下。"), line: line)
  }

  static func unknownLabel(_ type: CardType, _ line: Int) -> Issue {
    let name = FormText.extraFieldsLabel
    return Issue(
      field: "form", code: .unknownField,
      message: Localized(
        "\(type.label.english) cards have no such field. Put your own fields below \"--- \(name.english) ---\".",
        "“\(type.label.simplifiedChinese)”卡片没有该字段。自定义字段写在“--- \(name.simplifiedChinese) ---”之下。"), line: line)
  }

  static func repeated(_ field: String, _ line: Int) -> Issue {
    Issue(
      field: field, code: .duplicateLabel,
      message: Localized("This field is there twice.", "该字段重复出现。"), line: line)
  }

  static func unknownType(_ type: CardType, _ line: Int? = nil) -> Issue {
    Issue(
      field: "type", code: .unknownType,
      message: mustBe(Localized("Type", "类型"), type.kin.map(\.label)), line: line)
  }

  static func unknownGroup(_ line: Int) -> Issue {
    Issue(
      field: "group", code: .unknownGroup,
      message: mustBe(Localized("Group", "分组"), CardGroup.allCases.map(\.label)), line: line)
  }

  private static func mustBe(_ line: Localized, _ choices: [Localized]) -> Localized {
    Localized(
      "\(line.english) must be \(choices.map(\.english).joined(separator: " or ")).",
      "\(line.simplifiedChinese)须为\(choices.map { "“\($0.simplifiedChinese)”" }.joined(separator: "或"))。")
  }

  /// A mask that is not the whole value, or stands for none.
  static func mask(_ field: String, _ line: Int) -> Issue {
    Issue(
      field: field, code: .mask,
      message: Localized(
        "Here \(FormText.mask) stands for no stored value: type over all of it.",
        "此处的 \(FormText.mask) 不代表任何已存储的内容，请整体改写。"), line: line)
  }
}

/// The lines of a form, parsed whatever their labels mean.
struct FormLines {
  /// A field: a label with a value beside it, or in indented lines below.
  struct Field {
    var label: String
    var isConcealed = false
    /// Whether the field is below the heading of those that the user added.
    var isExtra = false
    /// The number of the label's line, from 1.
    var line: Int
    fileprivate(set) var lines: [String]

    var value: String { lines.joined(separator: "\n") }
  }

  /// More than a card can have. What follows in a text with more is not read.
  private static let maximumFields = 200

  private(set) var fields: [Field] = []
  /// The numbers of the lines that belong to no field.
  private(set) var strayLines: [Int] = []
  /// The number of the heading of the fields that the user added; nil without one.
  private(set) var extraFieldsLine: Int?

  private var isOpen = false
  /// Lines of white space, which belong to a value only if more of it follows.
  private var blankLines: [String] = []

  /// - Parameter last: the field whose value is everything below its heading, as it is.
  init(_ text: String, last: FieldTemplate?) {
    let lastNames = last.map { FieldName($0).spellings } ?? []
    let extraNames = [
      "extraFields", FormText.extraFieldsLabel.english, FormText.extraFieldsLabel.simplifiedChinese,
    ]
    .map(\.foldedName)
    var (rest, number) = (text.utf8[...], 0)
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let line = Substring(rest[..<end].last == 0x0D ? rest[..<end].dropLast() : rest[..<end])
      rest = rest[end...].dropFirst()
      number += 1
      guard fields.count <= Self.maximumFields else { return }
      guard let heading = Self.heading(line) else {
        read(line, number)
        continue
      }
      (isOpen, blankLines) = (false, [])
      if let last, lastNames.contains(heading) {
        var lines = Self.split(Substring(rest))
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        fields.append(Field(label: last.key, line: number, lines: lines))
        return
      }
      if extraNames.contains(heading) { extraFieldsLine = number } else { strayLines.append(number) }
    }
  }

  /// Returns the lines of a text, which ends them as Unix or as Windows does.
  static func split(_ text: Substring) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
  }

  /// Returns the name in a heading such as `--- Further fields ---`, folded; nil for another line.
  private static func heading(_ line: Substring) -> String? {
    guard line.utf8.starts(with: "---".utf8) else { return nil }
    let dash = UInt8(ascii: "-")
    var name = line.utf8.drop { $0 == dash }
    while let byte = name.last, byte == dash || byte == UInt8(ascii: " ") { name.removeLast() }
    return String(Substring(name)).foldedName
  }

  private mutating func read(_ line: Substring, _ number: Int) {
    let isIndented = line.unicodeScalars.first?.properties.isWhitespace ?? true
    if line.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      if isOpen { blankLines.append(Self.unindented(line)) }
    } else if line.utf8.first == UInt8(ascii: "#") {
      return
    } else if isIndented {
      guard isOpen else { return strayLines.append(number) }
      fields[fields.count - 1].lines += blankLines + [Self.unindented(line)]
      blankLines = []
    } else if let parts = FormQuoting.labelled(line) {
      fields.append(
        Field(
          label: parts.label, isConcealed: parts.isConcealed, isExtra: extraFieldsLine != nil, line: number,
          lines: parts.value.isEmpty ? [] : [parts.value]))
      (isOpen, blankLines) = (true, [])
    } else {
      strayLines.append(number)
      (isOpen, blankLines) = (false, [])
    }
  }

  /// Removes the indentation of a line: two spaces, or one other white space.
  private static func unindented(_ line: Substring) -> String {
    String(
      line.utf8.starts(with: "  ".utf8) ? line.unicodeScalars.dropFirst(2) : line.unicodeScalars.dropFirst())
  }
}
