import VaultInterface

/// The part of a card that a column becomes. ``description`` is its name in the protocol.
public enum ColumnTarget: Hashable, Sendable {
  /// The card's title.
  case title
  /// The card's type, by its name in the protocol or its label; other texts become an extra field.
  case type
  /// The card's group, by its name in the protocol or its label; other texts become a tag.
  case group
  /// The card's tags, separated by commas or semicolons.
  case tags
  /// The path of the entry's folder, which becomes a tag.
  case folder
  /// Whether the card is pinned.
  case pinned
  /// Whether the entry was archived: a tag says so.
  case archived
  /// When the card was created.
  case createdAt
  /// When the card was last changed.
  case modifiedAt
  /// A part of a person's name; together they are the name, in the order of its language.
  case givenName, middleName, familyName, namePrefix, nameSuffix
  /// The second line of an address: a floor, or the district.
  case extendedAddress
  /// A field of a template, by its key; on a card whose type has no such key, an extra field.
  case field(String)
  /// The user name of a login.
  case userName
  /// The password of a login: a concealed field.
  case password
  /// The address of a site.
  case website
  /// The secret of one-time passwords: a concealed field.
  case oneTimePassword
  /// Lines of `name: value`, each an extra field.
  case fieldLines
  /// Extra fields, as the JSON of a card has them.
  case extraFields
  /// An extra field, with its label.
  case extra(String, concealed: Bool)
  /// Nothing.
  case ignored

  /// Creates a target from its name; nil if the name is unknown.
  public init?(_ name: String) {
    if let simple = Self.simple.first(where: { $0.description == name }) {
      self = simple
    } else if let label = Self.label(of: name, after: "extra:") {
      self = .extra(label, concealed: false)
    } else if let label = Self.label(of: name, after: "concealed:") {
      self = .extra(label, concealed: true)
    } else if CardTemplate.all.contains(where: { $0.field(name) != nil }) {
      self = .field(name)
    } else {
      return nil
    }
  }

  /// Returns the text after a prefix, compared by code points because a label may begin with a combining mark.
  private static func label(of name: String, after prefix: String) -> String? {
    guard name.unicodeScalars.starts(with: prefix.unicodeScalars) else { return nil }
    let label = String(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
    return label.isBlank ? nil : label
  }

  private static let simple: [ColumnTarget] = [
    .title, .type, .group, .tags, .folder, .pinned, .archived, .createdAt, .modifiedAt, .userName, .password,
    .website, .oneTimePassword, .fieldLines, .extraFields, .givenName, .middleName, .familyName, .namePrefix,
    .nameSuffix, .extendedAddress, .ignored,
  ]

  var isExtra: Bool { if case .extra = self { true } else { false } }

  /// Whether several columns may have this target.
  var allowsSeveralColumns: Bool {
    switch self {
    case .extra, .ignored, .website, .tags, .folder: true
    default: false
    }
  }
}

extension ColumnTarget: CustomStringConvertible {
  /// The name in the protocol.
  public var description: String {
    switch self {
    case .title: "title"
    case .type: "type"
    case .group: "group"
    case .tags: "tags"
    case .folder: "folder"
    case .pinned: "pinned"
    case .archived: "archived"
    case .createdAt: "createdAt"
    case .modifiedAt: "modifiedAt"
    case .givenName: "givenName"
    case .middleName: "middleName"
    case .familyName: "familyName"
    case .namePrefix: "namePrefix"
    case .nameSuffix: "nameSuffix"
    case .extendedAddress: "extendedAddress"
    case .field(let key): key
    case .userName: "username"
    case .password: "password"
    case .website: "website"
    case .oneTimePassword: "totp"
    case .fieldLines: "fieldLines"
    case .extraFields: "extraFields"
    case .extra(let label, let concealed): (concealed ? "concealed:" : "extra:") + label
    case .ignored: "ignore"
    }
  }
}
