import Wire

/// The style of a copied card (R18). The raw value is used in the protocol.
public enum CopyStyle: String, CaseIterable, Hashable, Sendable {
  /// A line with label and value for each field; the text of a text card without its label.
  case labelled
  /// A line with the value of each field.
  case values
  /// One line: for an address the form that couriers and web shops parse.
  case oneLine
  /// A heading and a list in Markdown.
  case markdown
  /// A JSON object.
  case json
  /// The user's own template for the card's type.
  case template

  /// The name that a person sees.
  public var label: Localized {
    switch self {
    case .labelled: Localized("labelled lines", "带标签")
    case .values: Localized("values", "仅内容")
    case .oneLine: Localized("one line", "单行")
    case .markdown: Localized("Markdown", "Markdown")
    case .json: Localized("JSON", "JSON")
    case .template: Localized("copy template", "复制模板")
    }
  }
}

/// The part of a card to copy, and its form.
public enum CopyForm: Sendable, Hashable {
  /// The value of one field, by its key, an extra field's label, or `title`.
  case field(String)
  /// The whole card in a style, or in the one that the settings keep for the card's type; `template` is the template of the
  /// settings.
  case style(CopyStyle?)
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

/// A field that a copied text does not have (R18).
public struct OmittedField: Hashable, Sendable {
  /// The name that a person sees, in the language of the text.
  public var label: String
  /// Whether the field was left out because it is concealed.
  public var concealed: Bool

  public init(label: String, concealed: Bool) { (self.label, self.concealed) = (label, concealed) }
}

/// A text of a card for the clipboard.
public struct CopiedCard: Hashable, Sendable {
  public var text: String
  /// The fields of the card that the text does not have.
  public var leftOut: [OmittedField]
  /// The time after which the clipboard is to be cleared, in seconds; nil for never.
  public var clearAfterSeconds: Int?
  /// For how many seconds the text is valid, if it is a one-time code.
  public var secondsLeft: Int?

  public init(text: String, leftOut: [OmittedField] = [], clearAfterSeconds: Int?, secondsLeft: Int? = nil) {
    (self.text, self.leftOut) = (text, leftOut)
    (self.clearAfterSeconds, self.secondsLeft) = (clearAfterSeconds, secondsLeft)
  }
}

extension Card {
  /// Returns the whole card as text (R18). ``omittedFields(of:in:includesConcealed:)`` says what it does not have.
  /// - Parameters:
  ///   - language: the language of the labels.
  ///   - template: the template for ``CopyStyle/template``, which may name any field; other styles ignore it.
  ///   - includesConcealed: whether the text has concealed extra fields.
  /// - Throws: ``CopyError`` for the style `template` only.
  public func text(
    as style: CopyStyle, in language: Language, template: CopyTemplate? = nil, includesConcealed: Bool = false
  ) throws(CopyError) -> String {
    var card = self
    if !includesConcealed { card.extraFields.removeAll(where: \.concealed) }
    switch style {
    case .labelled: return card.labelledText(language)
    case .values: return card.valuesText
    case .oneLine: return card.oneLineText
    case .markdown: return card.markdownText(language)
    case .json: return card.copiedJSON.text
    case .template:
      guard let template else { throw .noTemplate }
      return try template.text(of: self, in: language)
    }
  }

  /// Returns the fields that the text in a style does not have: concealed ones, and from an address in one line what
  /// couriers and web shops do not parse. A template leaves out what its author chose.
  public func omittedFields(
    of style: CopyStyle, in language: Language, includesConcealed: Bool
  ) -> [OmittedField] {
    guard style != .template else { return [] }
    let isForCouriers = style == .oneLine && type == .address
    let notes = isForCouriers ? orderedFields.filter { $0.field.key == "notes" } : []
    return notes.map { OmittedField(label: $0.field.label[language], concealed: false) }
      + extraFields.filter { isForCouriers || $0.concealed && !includesConcealed }
      .map { OmittedField(label: $0.label, concealed: $0.concealed && !includesConcealed) }
  }

  /// The labels and values of the fields that have a value, without ``bareText``, then of the extra fields.
  func labelledValues(_ language: Language) -> [(label: String, value: String)] {
    let fields = bareText == nil ? orderedFields.map { ($0.field.label[language], $0.value) } : []
    return fields + extraFields.map { ($0.label, $0.value) }
  }

  /// The text of a text card, nil for other cards.
  var bareText: String? {
    type == .text ? fields["text"] ?? "" : nil
  }

  private func labelledText(_ language: Language) -> String {
    let colon = Localized(": ", "：")[language]
    let lines = labelledValues(language).map { $0.label + colon + $0.value }
    return ([bareText].compactMap(\.self) + lines).joined(separator: "\n")
  }

  private var valuesText: String {
    (orderedFields.map(\.value) + extraFields.map(\.value)).joined(separator: "\n")
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

  /// The card in one line (R18): for an address `name phone address[ postalCode]`, the address without spaces so that
  /// a parser of addresses sees one part, and numbers without what groups their digits; for other cards the values with a space between.
  var oneLineText: String {
    guard type == .address else {
      let values = orderedFields.map(\.value) + extraFields.map(\.value)
      return values.map(Self.oneLine).filter { !$0.isEmpty }.joined(separator: " ")
    }
    let address = Self.compact(provinceAndCity + [fields["district"] ?? "", fields["address"] ?? ""])
    let numbers = withPlainNumbers.fields
    let parts = [fields["name"], numbers["phone"], address, numbers["postalCode"]]
    return parts.compactMap { $0.map(Self.oneLine) }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Province and city; one of them where both name the same municipality, as in 北京市 北京市 or 北京 北京市.
  private var provinceAndCity: [String] {
    let province = fields["province"]?.trimmed ?? ""
    let city = fields["city"]?.trimmed ?? ""
    if province == city || city == province + "市" { return [city] }
    return province == city + "市" ? [province] : [province, city]
  }

  /// The text with its lines joined by one space.
  private static func oneLine(_ text: String) -> String {
    text.lines.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Joins the parts without white space, except for one space between two words of ASCII letters or digits.
  private static func compact(_ parts: [String]) -> String {
    let words = parts.flatMap { $0.unicodeScalars.split { $0.properties.isWhitespace } }
    var result = String.UnicodeScalarView()
    for word in words {
      if let last = result.last, let first = word.first, last.isASCII, first.isASCII { result.append(" ") }
      result.append(contentsOf: word)
    }
    return String(result)
  }

  /// The card with the numbers of its template as digits only: without what groups them, and full width as half width.
  ///
  /// China's code in front of a phone number goes, too, since shops and couriers in China take none; an extension stays, behind
  /// a dash. A value that is no such number stays as it is.
  public var withPlainNumbers: Card {
    var card = self
    for (field, value) in orderedFields {
      switch field.shape {
      case .text: continue
      case .phone(let isService): card.fields[field.key] = PhoneNumber.plain(value, allowsService: isService)
      case .taxId, .number: card.fields[field.key] = value.withoutGrouping ?? value
      }
    }
    return card
  }
}

extension String {
  /// The letters and digits of a number, those of full width as ASCII; nil for a text that has anything but these and what
  /// groups them.
  fileprivate var withoutGrouping: String? {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars where !GroupedNumber.isGrouping(scalar) {
      let isFullWidth = ("！"..."～").contains(scalar)
      guard let narrow = isFullWidth ? Unicode.Scalar(scalar.value - 0xFEE0) : scalar,
        GroupedNumber.isElement(narrow.value | 0x20)
      else { return nil }
      result.append(narrow)
    }
    return String(result)
  }
}
