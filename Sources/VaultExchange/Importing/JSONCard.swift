import VaultInterface
import Wire

/// A card in the JSON that QuickVault writes.
struct JSONCard {
  /// A member that is missing or has an invalid value.
  struct InvalidMember: Error, Hashable {
    var member: String
  }

  let draft: CardDraft
  let dates: EntryDates

  /// Reads a card. Unknown members are ignored.
  init(_ json: JSON) throws(InvalidMember) {
    guard case .object = json else { throw InvalidMember(member: "") }
    guard let type = CardType(rawValue: try Self.text("type", of: json)) else {
      throw InvalidMember(member: "type")
    }
    var draft = CardDraft(title: try Self.text("title", of: json), group: .personal, type: type)
    if json["group"] != nil {
      guard let group = CardGroup(rawValue: try Self.text("group", of: json)) else {
        throw InvalidMember(member: "group")
      }
      draft.group = group
    }
    draft.fields = try Self.fields(json["fields"])
    if let extraFields = json["extraFields"] { draft.extraFields = try Self.extraFields(extraFields) }
    if let tags = json["tags"] {
      for tag in try Self.array(tags, "tags") {
        guard let tag = tag.string else { throw InvalidMember(member: "tags") }
        draft.tags.append(tag)
      }
    }
    switch json["pinned"] {
    case nil: break
    case .bool(let pinned): draft.pinned = pinned
    default: throw InvalidMember(member: "pinned")
    }
    self.draft = draft
    dates = EntryDates(
      created: try Self.time("createdAt", of: json), modified: try Self.time("modifiedAt", of: json))
  }

  private static let members: Set<String> = [
    "type", "title", "group", "fields", "extraFields", "tags", "pinned", "createdAt", "modifiedAt",
    // What the list of cards has besides, and the file does not need.
    "id", "revision", "attachments",
  ]

  /// The names of members that a card does not have.
  static func unknownMembers(of json: JSON) -> [String] {
    guard case .object(let members) = json else { return [] }
    return members.map(\.name).filter { !Self.members.contains($0) }
  }

  /// The values of a card in a file.
  static func source(_ json: JSON) -> [SourceValue] {
    JSONLeaf.all(of: json).filter { leaf in
      switch leaf.path.first {
      case "id", "revision", "attachments", "pinned": false
      case "fields", "extraFields":
        // Values by their keys, or lists of objects with a value each.
        if case .object? = json[leaf.path[0]] { true } else { leaf.path.last == "value" }
      default: true
      }
    }.map { SourceValue($0.path.first ?? "", $0.value) }
  }

  /// Reads values by key, or a list of `{key, value}` as in the protocol.
  private static func fields(_ json: JSON?) throws(InvalidMember) -> [String: String] {
    var fields: [String: String] = [:]
    func add(_ key: String, _ value: JSON?) throws(InvalidMember) {
      guard let text = value?.string, fields.updateValue(text, forKey: key) == nil else {
        throw InvalidMember(member: "fields")
      }
    }
    switch json {
    case nil: break
    case .object(let members):
      for member in members { try add(member.name, member.value) }
    case .array(let elements):
      for element in elements { try add(try text("key", of: element), element["value"]) }
    default: throw InvalidMember(member: "fields")
    }
    return fields
  }

  /// Reads a list of `{label, value, concealed}`.
  static func extraFields(_ json: JSON) throws(InvalidMember) -> [ExtraField] {
    var fields: [ExtraField] = []
    for element in try array(json, "extraFields") {
      var field = ExtraField(label: try text("label", of: element), value: try text("value", of: element))
      switch element["concealed"] {
      case nil: break
      case .bool(let concealed): field.concealed = concealed
      default: throw InvalidMember(member: "extraFields")
      }
      fields.append(field)
    }
    return fields
  }

  private static func array(_ json: JSON, _ member: String) throws(InvalidMember) -> [JSON] {
    guard case .array(let elements) = json else { throw InvalidMember(member: member) }
    return elements
  }

  private static func text(_ member: String, of json: JSON) throws(InvalidMember) -> String {
    guard let text = json[member]?.string else { throw InvalidMember(member: member) }
    return text
  }

  private static func time(_ member: String, of json: JSON) throws(InvalidMember) -> Timestamp? {
    guard let value = json[member] else { return nil }
    guard let time = value.string.flatMap({ Timestamp($0) }) else { throw InvalidMember(member: member) }
    return time
  }
}
