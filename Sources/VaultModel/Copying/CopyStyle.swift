import JSON

/// The style of a copied card (R18). The raw value is used in the protocol.
public enum CopyStyle: String, CaseIterable, Hashable, Sendable {
  /// A line with label and value for each field; a text card as its bare text.
  case labelled
  /// A line with the value of each field; a text card as its bare text.
  case values
  /// One line: for an address the form that couriers and web shops parse.
  case oneLine
  /// A heading and a list in Markdown.
  case markdown
  /// A JSON object.
  case json
  /// The user's own template for the card's type.
  case template
}

/// The part of a card to copy, and its form.
public enum CopyForm: Sendable, Hashable {
  /// The value of one field, by its key, an extra field's label, or `title`.
  case field(String)
  /// The whole card in a style; `template` is the one that the settings keep for the card's type.
  case style(CopyStyle)
  /// The whole card in a template.
  case template(String)
}

/// Why a card cannot be copied.
public enum CopyError: Error, Hashable, Sendable {
  case noTemplate
  /// The template cannot be filled from this card.
  case templateInvalid(CopyTemplateError)
  /// The filled template is longer than ``Limits/copiedBytes``.
  case tooLong
}

extension Card {
  /// Returns the whole card as text (R18), including concealed extra fields.
  /// - Parameters:
  ///   - language: the language of the labels.
  ///   - template: the template for ``CopyStyle/template``; other styles ignore it.
  /// - Throws: ``CopyError`` for the style `template` only.
  public func text(
    as style: CopyStyle, in language: Language, template: CopyTemplate? = nil
  ) throws(CopyError) -> String {
    switch style {
    case .labelled: return labelledText(language)
    case .values: return valuesText
    case .oneLine: return oneLineText
    case .markdown: return markdownText(language)
    case .json: return copiedJSON.text
    case .template:
      guard let template else { throw .noTemplate }
      return try template.text(of: self, in: language)
    }
  }

  /// The labels and values of the fields that have a value, then of the extra fields.
  func labelledValues(_ language: Language) -> [(label: String, value: String)] {
    orderedFields.map { ($0.field.label[language], $0.value) } + extraFields.map { ($0.label, $0.value) }
  }

  /// The text of a text card, nil for other cards.
  var bareText: String? {
    type == .text ? fields["text"] ?? "" : nil
  }

  private func labelledText(_ language: Language) -> String {
    if let bareText { return bareText }
    let colon = Localized(": ", "：")[language]
    return labelledValues(language).map { $0.label + colon + $0.value }.joined(separator: "\n")
  }

  private var valuesText: String {
    bareText ?? (orderedFields.map(\.value) + extraFields.map(\.value)).joined(separator: "\n")
  }

  /// The card as an object with its members in a fixed order.
  private var copiedJSON: JSON {
    [
      "title": .string(title),
      "group": .string(group.rawValue),
      "type": .string(type.rawValue),
      "tags": .array(tags.map(JSON.string)),
      "fields": .object(orderedFields.map { .init($0.field.key, .string($0.value)) }),
      "extraFields": .array(
        extraFields.map {
          ["label": .string($0.label), "value": .string($0.value), "concealed": .bool($0.concealed)]
        }),
    ]
  }
}
