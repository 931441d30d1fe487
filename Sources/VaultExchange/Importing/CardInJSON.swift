import JSON
import VaultModel

/// Reads a card from the JSON that QuickVault writes.
struct CardInJSON {
  /// Something that is not as it should be: the member's name.
  struct Fault: Error, Hashable {
    var member: String
  }

  let draft: CardDraft
  let dates: EntryDates

  /// Reads a card; members that are not known are passed over.
  init(_ json: JSON) throws(Fault) {
    guard case .object = json else { throw Fault(member: "") }
    guard let type = CardType(rawValue: try Self.text("type", of: json)) else { throw Fault(member: "type") }
    var draft = CardDraft(title: try Self.text("title", of: json), group: .personal, type: type)
    if json["group"] != nil {
      guard let group = CardGroup(rawValue: try Self.text("group", of: json)) else {
        throw Fault(member: "group")
      }
      draft.group = group
    }
    draft.fields = try Self.fields(json["fields"])
    if let extraFields = json["extraFields"] { draft.extraFields = try Self.extraFields(extraFields) }
    if let tags = json["tags"] {
      for tag in try Self.array(tags, "tags") {
        guard let tag = tag.string else { throw Fault(member: "tags") }
        draft.tags.append(tag)
      }
    }
    switch json["pinned"] {
    case nil: break
    case .bool(let pinned): draft.pinned = pinned
    default: throw Fault(member: "pinned")
    }
    self.draft = draft
    dates = EntryDates(
      created: try Self.time("createdAt", of: json), modified: try Self.time("modifiedAt", of: json))
  }

  /// Values by key, or a list of `{key, value}` as the protocol gives them.
  private static func fields(_ json: JSON?) throws(Fault) -> [String: String] {
    var fields: [String: String] = [:]
    func add(_ key: String, _ value: JSON?) throws(Fault) {
      guard let text = value?.string, fields.updateValue(text, forKey: key) == nil else {
        throw Fault(member: "fields")
      }
    }
    switch json {
    case nil: break
    case .object(let members):
      for member in members { try add(member.name, member.value) }
    case .array(let elements):
      for element in elements { try add(try text("key", of: element), element["value"]) }
    default: throw Fault(member: "fields")
    }
    return fields
  }

  /// Fields of the user's own: a list of `{label, value, concealed}`.
  static func extraFields(_ json: JSON) throws(Fault) -> [ExtraField] {
    var fields: [ExtraField] = []
    for element in try array(json, "extraFields") {
      var field = ExtraField(label: try text("label", of: element), value: try text("value", of: element))
      switch element["concealed"] {
      case nil: break
      case .bool(let concealed): field.concealed = concealed
      default: throw Fault(member: "extraFields")
      }
      fields.append(field)
    }
    return fields
  }

  private static func array(_ json: JSON, _ member: String) throws(Fault) -> [JSON] {
    guard case .array(let elements) = json else { throw Fault(member: member) }
    return elements
  }

  private static func text(_ member: String, of json: JSON) throws(Fault) -> String {
    guard let text = json[member]?.string else { throw Fault(member: member) }
    return text
  }

  private static func time(_ member: String, of json: JSON) throws(Fault) -> Timestamp? {
    guard let value = json[member] else { return nil }
    guard let time = value.string.flatMap({ Timestamp($0) }) else { throw Fault(member: member) }
    return time
  }
}
