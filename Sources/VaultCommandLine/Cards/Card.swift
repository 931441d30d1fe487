import JSON
import VaultModel

/// A card as the server sends it. Lists have thousands, so its parts are read when they are needed.
struct Card {
  let json: JSON

  init(_ json: JSON) {
    self.json = json
  }

  var id: String { json["id"]?.string ?? "" }
  var shortID: String { String(id.prefix(8)) }
  var title: String { json["title"]?.string ?? "" }
  var type: String { json["type"]?.string ?? "" }
  var group: String { json["group"]?.string ?? "" }
  var tags: [String] { json["tags"]?.elements.compactMap(\.string) ?? [] }
  var isPinned: Bool { json["pinned"] == true }
  var revision: Int { json["revision"]?.integer ?? 0 }
  var createdAt: String { json["createdAt"]?.string ?? "" }
  var modifiedAt: String { json["modifiedAt"]?.string ?? "" }
  var attachments: [AttachmentItem] { json["attachments"]?.elements.map(AttachmentItem.init) ?? [] }

  /// A field of the template or one of the user's.
  struct Field {
    /// Nil for a field of the user's.
    let key: String?
    let label: String
    let value: String
    let isConcealed: Bool

    fileprivate init(_ json: JSON) {
      key = json["key"]?.string
      label = json["label"]?.string ?? ""
      value = json["value"]?.string ?? ""
      isConcealed = json["concealed"] == true
    }
  }

  /// The card as a list has it.
  var withoutValues: JSON {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { !["fields", "extraFields"].contains($0.name) })
  }

  var fields: [Field] { json["fields"]?.elements.map(Field.init) ?? [] }
  var extraFields: [Field] { json["extraFields"]?.elements.map(Field.init) ?? [] }

  static func typeName(_ type: String) -> Localized {
    switch type {
    case "address": Localized("address", "地址")
    case "invoice": Localized("invoice", "发票")
    case "text": Localized("text", "文本")
    default: Localized(verbatim: type.oneLine)
    }
  }

  static func groupName(_ group: String) -> Localized {
    switch group {
    case "personal": Localized("personal", "个人")
    case "company": Localized("company", "公司")
    default: Localized(verbatim: group.oneLine)
    }
  }

  /// The name of a type or group on the wire, given that or what it is called in either language.
  static func wireName(_ word: String, of names: [String], _ text: (String) -> Localized) -> String {
    let folded = word.foldedName
    return names.first { $0 == folded || text($0).english == folded || text($0).simplifiedChinese == word }
      ?? word
  }

  static let types = ["address", "invoice", "text"]
  static let groups = ["personal", "company"]

  static func type(_ word: String) -> String { wireName(word, of: types, typeName) }

  static func group(_ word: String) -> String { wireName(word, of: groups, groupName) }

  /// Type and group in brackets, for a line about the card.
  func kind(_ language: Language) -> String {
    let (type, group) = (Self.typeName(type)[language], Self.groupName(group)[language])
    return Localized("  (\(type), \(group))", "（\(type)，\(group)）")[language]
  }
}

extension JSON {
  /// The elements of an array; none for anything else.
  var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}
