public import VaultInterface
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

/// The values inside a JSON value, each with the names on the way to it.
struct JSONLeaf: Hashable {
  /// The names of the members on the way, without places in lists.
  var path: [String]
  var value: String

  /// All texts, numbers and true statements of a value, in order; an empty text, false and null say nothing.
  static func all(of json: JSON, path: [String] = []) -> [JSONLeaf] {
    switch json {
    case .object(let members): members.flatMap { all(of: $0.value, path: path + [$0.name]) }
    case .array(let elements): elements.flatMap { all(of: $0, path: path) }
    case .string(let text): text.isBlank ? [] : [JSONLeaf(path: path, value: text)]
    case .number(let number): [JSONLeaf(path: path, value: number.text)]
    case .bool(true): [JSONLeaf(path: path, value: "true")]
    default: []
    }
  }

  /// The object or the list that a text is, if it is one; nil for any other text.
  static func structure(of text: String) -> JSON? {
    guard let first = text.trimmed.first, first == "{" || first == "[",
      let json = try? JSONReader.read(Array(text.trimmed.utf8))
    else { return nil }
    switch json {
    case .object(let members): return members.isEmpty ? nil : json
    case .array(let elements):
      let hasObjects = elements.contains { if case .object = $0 { true } else { false } }
      return hasObjects ? json : nil
    default: return nil
    }
  }

  var isSecret: Bool { path.contains { SecretName.isSecret($0) } || SecretName.isSecret(value: value) }

  /// The value as a field of its own: `expMonth` is labelled `exp month`.
  var field: ExtraField {
    let name = path.last.map { SecretName.words($0).joined(separator: " ") } ?? ""
    return ExtraField(label: name.isEmpty ? path.last ?? "" : name, value: value, concealed: isSecret)
  }
}

/// An attachment in a file: its description, and the position of its content.
public struct JSONAttachment: Hashable, Sendable {
  /// The line in which it begins, from 1.
  public var line: Int
  public var name: String
  public var watermark: Watermark?
  /// When it was attached, where the file says so.
  public var addedAt: Timestamp?
  /// The position of its content, which is a JSON string in Base64.
  let data: JSONElements.Part

  /// Reads an attachment without its content. Unknown members are ignored.
  ///
  /// - Returns: the attachment, and the ID of its card in the file; nil if the value is not an attachment.
  static func read(_ part: JSONElements.Part, of text: [UInt8]) -> (card: String, attachment: Self)? {
    guard let members = try? JSONElements.members(of: part, in: text) else { return nil }
    func value(_ name: String) -> JSON? {
      members.first { $0.name == name }.flatMap { JSONElements.read($0.part, of: text) }
    }
    guard let card = value("card")?.string, let name = value("name")?.string,
      let data = members.first(where: { $0.name == "data" })?.part,
      let watermark = Self.watermark(value("watermark"))
    else { return nil }
    var attachment = Self(line: part.line, name: name, watermark: watermark, data: data)
    attachment.addedAt = value("addedAt")?.string.flatMap { Timestamp($0) }
    return (card, attachment)
  }

  /// Reads a watermark: its text alone, or with its style; nil if the value is not one.
  private static func watermark(_ json: JSON?) -> Watermark?? {
    switch json {
    case nil, .null?: return .some(nil)
    case .string(let text)?: return .some(Watermark(text: text))
    case .object?:
      guard let json, let text = json["text"]?.string else { return nil }
      var watermark = Watermark(text: text)
      let measures: [(String, WritableKeyPath<Watermark, Int>)] = [
        ("opacity", \.opacity), ("angle", \.angle), ("size", \.size), ("spacing", \.spacing),
      ]
      for (name, measure) in measures where json[name] != nil {
        guard let value = json[name]?.integer else { return nil }
        watermark[keyPath: measure] = value
      }
      return .some(watermark)
    default: return nil
    }
  }
}

extension ImportedFile {
  /// Returns the content of an attachment in Base64, up to 14 million characters; nil if it is not a string.
  public func data(of attachment: JSONAttachment) -> String? {
    JSONElements.read(attachment.data, of: text)?.string
  }

  public var attachmentCount: Int { entries.reduce(orphanedAttachments) { $0 + $1.attachments.count } }

  /// Adds a warning that an entry's attachments were ignored because the vault has its card.
  public mutating func warnAttachmentsOfDuplicate(at index: Int) {
    guard entries.indices.contains(index) else { return }
    entries[index].warnings.append(
      Issue(field: "attachments", code: .leftOut, message: ImportMessages.attachmentsOfDuplicate))
  }

  /// Adds a warning about an attachment that was not imported.
  public mutating func skip(_ attachment: JSONAttachment, because reason: Localized, at index: Int) {
    guard entries.indices.contains(index) else { return }
    let message = ImportMessages.notImported(attachment.name, reason)
    entries[index].warnings.append(Issue(field: "attachments", code: .leftOut, message: message))
  }
}
