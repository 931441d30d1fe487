/// The name of a field of a card.
public struct FieldName: Sendable, Hashable {
  /// The field's key, or the label of an extra field: what ``CopyForm/field(_:)`` takes.
  public let name: String
  /// The name that a person sees.
  public let label: Localized
  public let isConcealed: Bool

  /// The name of a card's title.
  public static let title = FieldName(name: "title", label: CardTemplate.titleLabel, isConcealed: false)
  /// The name of a card's group.
  static let group = FieldName(name: "group", label: CardTemplate.groupLabel, isConcealed: false)
  /// The name of a card's type.
  static let type = FieldName(name: "type", label: CardTemplate.typeLabel, isConcealed: false)
  /// The name of a card's tags.
  static let tags = FieldName(name: "tags", label: CardTemplate.tagsLabel, isConcealed: false)

  private init(name: String, label: Localized, isConcealed: Bool) {
    (self.name, self.label, self.isConcealed) = (name, label, isConcealed)
  }

  /// The name of a field of a template.
  public init(_ field: FieldTemplate) {
    self.init(name: field.key, label: field.label, isConcealed: field.concealed)
  }

  /// The name of an extra field.
  public init(extraField label: String, isConcealed: Bool) {
    self.init(name: label, label: Localized(verbatim: label), isConcealed: isConcealed)
  }

  /// The key or label and the names in both languages, without case and width.
  public var spellings: [String] {
    [name, label.english, label.simplifiedChinese].map(\.foldedName)
  }
}

extension Sequence<FieldName> {
  /// Returns the field with a key, or else with a label in either language. Case, width, Unicode form and outer white space
  /// make no difference, unless two fields differ only there.
  public func named(_ name: String) -> FieldName? {
    let folded = name.foldedName
    return first { $0.name == name } ?? first { $0.name.foldedName == folded }
      ?? first { $0.spellings.contains(folded) }
  }
}

extension CardTemplate {
  /// Returns the field with a key or a label, as ``Swift/Sequence/named(_:)`` finds it.
  public func field(named name: String) -> FieldTemplate? {
    fields.map(FieldName.init).named(name).flatMap { field($0.name) }
  }

  /// Returns values by key that were given by key or label. What names no field, or one that has a value already, stays as it is.
  func keyed<Value>(_ values: [String: Value]) -> [String: Value] {
    var keyed = values
    for (name, value) in values where field(name) == nil {
      guard let key = field(named: name)?.key, keyed[key] == nil else { continue }
      keyed[name] = nil
      keyed[key] = value
    }
    return keyed
  }
}

extension String {
  /// The text without case, width, Unicode form and outer white space, for comparing names.
  public var foldedName: String { trimmed.folded }

  /// The text without case, width and Unicode form.
  package var folded: String { String(String.UnicodeScalarView(FoldedText(self).scalars)) }

  /// The key that equal tags share: the text without differences of case and width, in UTF-8.
  public var tagKey: [UInt8] { FoldedText(self).utf8 }
}

extension ExtraField {
  /// Whether the value is the key of one-time codes: it is concealed, and is a URI for such codes or has a name that says so.
  public var isOneTimePassword: Bool {
    concealed && (Self.isOneTimeURI(value) || Self.oneTimeNames.contains(label.foldedName))
  }

  /// Whether a text is meant as a URI for one-time codes, as QR codes have them.
  package static func isOneTimeURI(_ text: String) -> Bool {
    text.trimmed.prefix(10).lowercased() == "otpauth://"
  }

  /// What people and importers call the key of one-time codes, folded.
  private static let oneTimeNames: Set<String> = [
    "totp", "otp", "hotp", "2fa", "otpauth", "totp secret", "totp seed", "one-time password", "one-time code",
    "authenticator key", "authenticator key (totp)", "一次性密码", "动态密码", "动态口令", "验证器密钥",
  ]
}

/// The spellings of tags: those that differ only in case or width are one tag, written as it was first written (R15).
public struct TagSpelling: Hashable, Sendable {
  private var spellings: [[UInt8]: String] = [:]

  /// Knows no tag.
  public init() {}

  /// Knows these tags.
  public init(_ tags: some Sequence<String>) {
    for tag in tags { _ = spell(tag) }
  }

  /// Returns tags in their first spelling, and remembers new ones.
  public mutating func spell(_ tags: [String]) -> [String] {
    tags.map { spell($0.trimmed) }
  }

  /// Returns a trimmed tag in its first spelling, and remembers it if it is new.
  public mutating func spell(_ tag: String) -> String {
    let key = tag.tagKey
    if let known = spellings[key] { return known }
    spellings[key] = tag
    return tag
  }
}
