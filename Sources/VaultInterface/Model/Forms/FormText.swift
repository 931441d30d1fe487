import Wire

/// A card as text that a person edits, as `protocol/FORMS.md` describes it.
public struct FormText: Hashable, Sendable {
  /// The text in place of a concealed value, which stays as it is stored.
  public static let mask = "••••"
  /// The heading of the fields that the user added; their key is `extraFields`.
  static let extraFieldsLabel = Localized("Further fields", "自定义字段")

  let type: CardType
  let language: Language

  /// - Parameter language: the language of the labels. They are read in either.
  public init(_ type: CardType, in language: Language) {
    (self.type, self.language) = (type, language)
  }

  /// The field whose value is the rest of the text, below a heading; nil if there is none.
  var lastField: FieldTemplate? { type == .text ? type.template.field("text") : nil }

  /// Returns a card's contents as text. Each line ends with a line feed.
  public func write(_ draft: CardDraft, revealing revealed: RevealedFields = .none) -> String {
    var lines =
      part(CardTemplate.titleLabel[language], draft.title)
      + part(CardTemplate.groupLabel[language], draft.group.label[language])
      + part(CardTemplate.tagsLabel[language], FormQuoting.join(draft.tags))
    if type.kin.count > 1 { lines += part(CardTemplate.typeLabel[language], draft.type.label[language]) }
    let fields = type.template.fields.filter { $0 != lastField }
    if !fields.isEmpty { lines.append("") }
    for field in fields {
      let isMasked = field.concealed && !revealed.contains(FieldName(field))
      lines += part(field.label[language], draft.fields[field.key] ?? "", field.concealed, isMasked: isMasked)
    }
    lines += ["", Self.heading(Self.extraFieldsLabel[language])]
    for field in draft.extraFields {
      let name = FieldName(extraField: field.label, isConcealed: field.concealed)
      let isMasked = field.concealed && !revealed.contains(name)
      lines += part(FormQuoting.quoted(field.label), field.value, field.concealed, isMasked: isMasked)
    }
    if let lastField {
      let value = FormLines.split((draft.fields[lastField.key] ?? "")[...]).joined(separator: "\n")
      lines += ["", Self.heading(lastField.label[language]), value]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns tags as they stand in a form.
  public static func line(of tags: [String]) -> String { FormQuoting.join(tags) }

  /// Returns the tags of a line, which separates them by commas.
  public static func tags(in line: String) -> [String] { FormQuoting.split(line) }

  private static func heading(_ name: String) -> String { "--- \(name) ---" }

  private func part(
    _ label: String, _ value: String, _ isConcealed: Bool = false, isMasked: Bool = false
  ) -> [String] {
    let label = (isConcealed ? "*" : "") + label + ":"
    if isMasked, !value.isEmpty { return ["\(label) \(Self.mask)"] }
    let lines = FormLines.split(value[...])
    if lines.count == 1, value == value.trimmed { return ["\(label) \(value)"] }
    return [label] + lines.map { $0.isEmpty ? "" : "  \($0)" }
  }
}

/// The concealed fields whose values a form shows.
public enum RevealedFields: Hashable, Sendable {
  case all
  /// Keys of fields, or labels in either language, without regard to case and width.
  case named([String])

  public static let none = RevealedFields.named([])

  func contains(_ field: FieldName) -> Bool {
    switch self {
    case .all: true
    case .named(let names): names.contains { [field].named($0) != nil }
    }
  }
}

/// The quotation marks around labels and tags that would be read otherwise without them: such a text is a JSON string.
enum FormQuoting {
  private static let colons: Set<Unicode.Scalar> = [":", "："]
  private static let commas: Set<Unicode.Scalar> = [",", "，", "、", "\n"]
  /// What conceals the field if it is before a label.
  private static let stars: Set<Unicode.Scalar> = ["*", "＊"]

  /// Returns the label of a field that the user added, as it stands in a form.
  static func quoted(_ label: String) -> String {
    let first = label.unicodeScalars.first
    let isMisread = first.map { stars.contains($0) || ["\"", "#", "-"].contains($0) } ?? true
    return isMisread || needsQuoting(label, colons) ? JSON.string(label).text : label
  }

  /// Returns tags as they stand in a form.
  static func join(_ tags: [String]) -> String {
    tags.map { $0.unicodeScalars.first == "\"" || needsQuoting($0, commas) ? JSON.string($0).text : $0 }
      .joined(separator: ", ")
  }

  private static func needsQuoting(_ text: String, _ separators: Set<Unicode.Scalar>) -> Bool {
    text != text.trimmed || text.isEmpty
      || text.unicodeScalars.contains {
        separators.contains($0) || $0.properties.generalCategory == .control && $0 != "\t"
      }
  }

  /// Returns the tags of a text that separates them by commas, English or Chinese. None is empty.
  static func split(_ text: String) -> [String] {
    var tags: [String] = []
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
      let (tag, end) = word(rest, until: commas)
      if !tag.isEmpty { tags.append(tag) }
      rest = rest[end...].dropFirst()
    }
    return tags
  }

  /// Returns the parts of a line such as `*Label: value`, the value without white space at its ends.
  ///
  /// - Returns: nil for a line without a colon.
  static func labelled(_ line: Substring) -> (label: String, isConcealed: Bool, value: String)? {
    let isConcealed = line.unicodeScalars.first.map(stars.contains) ?? false
    let rest = isConcealed ? line.unicodeScalars.dropFirst() : line.unicodeScalars
    let (label, end) = word(rest, until: colons)
    guard end < rest.endIndex else { return nil }
    return (label, isConcealed, String(rest[end...].dropFirst()).trimmed)
  }

  /// Returns what is before a separator, which may be in quotation marks, and where it ends.
  private static func word(
    _ text: Substring.UnicodeScalarView, until separators: Set<Unicode.Scalar>
  ) -> (word: String, end: String.Index) {
    let start = text.firstIndex { !$0.properties.isWhitespace || $0 == "\n" } ?? text.endIndex
    if start < text.endIndex, text[start] == "\"", let close = endOfQuotation(text[start...]) {
      let end = text[close...].firstIndex { !$0.properties.isWhitespace || $0 == "\n" } ?? text.endIndex
      let isWhole = end == text.endIndex || separators.contains(text[end])
      if isWhole, case .string(let word)? = try? JSONReader.read(Array(String(text[start..<close]).utf8)) {
        return (word, end)
      }
    }
    let end = text.firstIndex(where: separators.contains) ?? text.endIndex
    return (String(text[..<end]).trimmed, end)
  }

  /// - Parameter text: begins with a quotation mark.
  private static func endOfQuotation(_ text: Substring.UnicodeScalarView) -> String.Index? {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if text[index] == "\"", !isEscaped { return text.index(after: index) }
      isEscaped = text[index] == "\\" && !isEscaped
    }
    return nil
  }
}
