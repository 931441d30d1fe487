import JSON
import VaultModel
import VaultProtocol

/// A card that is being written: the fields of its type, and those of the user's own.
struct CardForm: Equatable {
  struct Field: Equatable {
    let key: String
    let label: String
    let isRequired: Bool
    let allowsLines: Bool
    var value = ""
  }

  struct ExtraField: Equatable {
    var label: String
    var value: String
    var isConcealed: Bool
  }

  let type: String
  var title = ""
  /// Empty if it was not chosen.
  var group = ""
  var tags: [String] = []
  var fields: [Field]
  var extraFields: [ExtraField] = []

  /// An empty form for a type of card.
  init(type: String, _ invocation: Invocation) throws(Failure) {
    let name = Card.type(type)
    self.type = name
    let templates = try invocation.vault.request(TemplateList.method)["templates"]?.elements ?? []
    guard let template = templates.first(where: { $0["type"]?.string == name }) else {
      throw .usage(
        Localized(
          "there is no card type \(type); use address, invoice or text",
          "没有卡片类型 \(type)：可用 address、invoice、text"))
    }
    fields = (template["fields"]?.elements ?? []).map {
      Field(
        key: $0["key"]?.string ?? "", label: $0["label"]?[invocation.language.rawValue]?.string ?? "",
        isRequired: $0["required"] == true, allowsLines: $0["multiline"] == true)
    }
  }

  /// The form of a card that exists.
  init(_ card: Card, _ invocation: Invocation) throws(Failure) {
    try self.init(type: card.type, invocation)
    (title, group, tags) = (card.title, card.group, card.tags)
    for field in card.fields {
      if let index = fields.firstIndex(where: { $0.key == field.key }) { fields[index].value = field.value }
    }
    extraFields = card.extraFields.map {
      ExtraField(label: $0.label, value: $0.value, isConcealed: $0.isConcealed)
    }
  }

  /// The part that a name stands for, where case and width make no difference.
  func part(named name: String) -> String {
    switch name.foldedName {
    case "title", "标题": return "title"
    case "group", "分组": return "group"
    case "tags", "标签": return "tags"
    default:
      let name = fieldNames.named(name)?.name ?? name
      return fields.contains { $0.key == name } ? name : "extra \(name.foldedName)"
    }
  }

  /// Sets a part by its key or label, where case and width make no difference. An empty value removes it.
  ///
  /// - Returns: false if there is no such part.
  mutating func set(_ name: String, _ value: String) -> Bool {
    switch part(named: name) {
    case "title": title = value
    case "group": group = Card.group(value)
    case "tags": tags = Self.tags(value)
    default:
      guard let name = fieldNames.named(name)?.name else { return false }
      if let index = fields.firstIndex(where: { $0.key == name }) {
        fields[index].value = value
      } else {
        setExtra(name, value)
      }
    }
    return true
  }

  private var fieldNames: [FieldName] {
    let template = CardTemplate.all.first { $0.type.rawValue == type }
    return (template?.fields ?? []).map(FieldName.init)
      + extraFields.map { FieldName(extraField: $0.label, isConcealed: $0.isConcealed) }
  }

  /// Sets, adds or, with an empty value, removes an extra field. What was concealed stays so.
  mutating func setExtra(_ label: String, _ value: String, isConcealed: Bool = false) {
    guard let index = extraFields.firstIndex(where: { $0.label.foldedName == label.foldedName }) else {
      if !value.isEmpty {
        extraFields.append(ExtraField(label: label, value: value, isConcealed: isConcealed))
      }
      return
    }
    if value.isEmpty {
      extraFields.remove(at: index)
    } else {
      extraFields[index].value = value
      extraFields[index].isConcealed = extraFields[index].isConcealed || isConcealed
    }
  }

  /// The tags as a text. One that has a comma itself cannot be told from two.
  var tagText: String { tags.joined(separator: ", ") }

  /// The tags of a text that separates them by English or Chinese commas.
  static func tags(_ text: String) -> [String] {
    text.split { $0 == "," || $0 == "，" }.map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  // MARK: Parameters

  private var extraJSON: JSON {
    .array(
      extraFields.map {
        ["label": .string($0.label), "value": .string($0.value), "concealed": .bool($0.isConcealed)]
      })
  }

  private var tagsJSON: JSON { .array(tags.map { .string($0) }) }

  /// The parameters of `card/create`.
  func creation(pinned: Bool) -> JSON {
    [
      "title": .string(title), "group": .string(group.isEmpty ? "personal" : group), "type": .string(type),
      "fields": .object(fields.filter { !$0.value.isEmpty }.map { .init($0.key, .string($0.value)) }),
      "tags": tagsJSON, "extraFields": extraJSON, "pinned": .bool(pinned),
    ]
  }

  /// The parameters of `card/update` for what differs from the form as it was; nil if nothing does.
  func change(from before: CardForm, id: String, revision: Int) -> JSON? {
    var members: [JSON.Member] = []
    if title != before.title { members.append(.init("title", .string(title))) }
    if group != before.group { members.append(.init("group", .string(group))) }
    let changed = zip(fields, before.fields).filter { $0.value != $1.value }.map(\.0)
    if !changed.isEmpty {
      members.append(
        .init("fields", .object(changed.map { .init($0.key, $0.value.isEmpty ? .null : .string($0.value)) })))
    }
    if tags != before.tags { members.append(.init("tags", tagsJSON)) }
    if extraFields != before.extraFields { members.append(.init("extraFields", extraJSON)) }
    guard !members.isEmpty else { return nil }
    return .object([.init("id", .string(id)), .init("revision", .integer(revision))] + members)
  }
}
