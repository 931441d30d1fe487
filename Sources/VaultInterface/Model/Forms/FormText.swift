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
