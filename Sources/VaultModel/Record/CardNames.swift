/// The name of a field for which a card has a value.
public struct FieldName: Sendable, Hashable {
  /// The field's key, or the label of an extra field: what ``CopyForm/field(_:)`` takes.
  public let name: String
  /// The name that a person sees.
  public let label: Localized
  public let isConcealed: Bool

  /// The key or label and the names in both languages, in lower case.
  public var spellings: [String] {
    [name, label.english, label.simplifiedChinese].map { $0.lowercased() }
  }
}

/// The title, type and field names of a card, without values.
public struct CardNames: Sendable, Hashable {
  public let title: String
  public let type: CardType
  /// The fields with a value, in the order in which they are shown.
  public let fields: [FieldName]

  /// Returns the field with a key or a label, whatever its case.
  public func field(_ name: String) -> FieldName? {
    fields.first { $0.name == name }
      ?? fields.first { $0.spellings.contains(name.lowercased()) }
  }
}

extension CardRecord {
  /// Reads the title, the type and the names of the fields of a record, without their values.
  ///
  /// - Throws: ``CardRecordError`` if the record is malformed.
  public static func names(in record: RawSpan) throws(CardRecordError) -> CardNames {
    let type = try head(of: record).type
    let template = CardTemplate.all.first { $0.type == type }
    var (title, fields): (String, [FieldName]) = ("", [])
    try forEachEntry(in: record) { role, isConcealed, key, value throws(CardRecordError) in
      switch role {
      case .title: title = try text(value)
      case .field:
        let name = try text(key)
        guard let field = template?.field(name) else { throw .misplacedField }
        fields.append(FieldName(name: name, label: field.label, isConcealed: field.concealed))
      case .extraField where value.isEmpty: break
      case .extraField:
        let label = try text(key)
        fields.append(FieldName(name: label, label: Localized(label, label), isConcealed: isConcealed))
      case .tag, .attachment: break
      }
    }
    return CardNames(title: title, type: type, fields: fields)
  }

  private static func text(_ bytes: RawSpan) throws(CardRecordError) -> String {
    guard let text = unsafe bytes.withUnsafeBytes({ unsafe String(validating: $0, as: UTF8.self) }) else {
      throw .invalidText
    }
    return text
  }
}
