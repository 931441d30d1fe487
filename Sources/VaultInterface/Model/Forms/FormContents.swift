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
