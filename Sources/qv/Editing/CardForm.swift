import VaultInterface
import Wire

/// A card that is being written: the fields of its type, and those of the user's own.
struct CardForm: Equatable {
  struct Field: Equatable {
    let template: FieldTemplate
    var value = ""

    var key: String { template.key }
  }

  var type: CardType
  var title = ""
  /// The group's name on the wire, or what was typed in its place; empty if it was not chosen.
  var group = ""
  var tags: [String] = []
  var fields: [Field]
  var extraFields: [ExtraField] = []

  /// An empty form for a type of card.
  init(type: CardType) {
    self.type = type
    fields = type.template.fields.map { Field(template: $0) }
  }

  /// The form of a card that exists.
  init(_ card: CardJSON) {
    self.init(type: card.type)
    (title, group, tags) = (card.title, card.group.rawValue, card.tags)
    for field in card.fields ?? [] { setField(field.key, field.value) }
    extraFields = card.extraFields ?? []
  }

  /// The form with the contents of a card.
  init(_ draft: CardDraft) {
    self.init(type: draft.type)
    (title, group, tags, extraFields) = (draft.title, draft.group.rawValue, draft.tags, draft.extraFields)
    for (key, value) in draft.fields { setField(key, value) }
  }

  private mutating func setField(_ key: String, _ value: String) {
    if let index = fields.firstIndex(where: { $0.key == key }) { fields[index].value = value }
  }

  /// The group; nil if what was typed names none.
  var chosenGroup: CardGroup? { CardGroup(rawValue: group) }

  mutating func setGroup(_ word: String) { group = CardGroup(named: word)?.rawValue ?? word }

  /// The part that a name stands for, where case and width make no difference.
  func part(named name: String) -> String {
    switch name.foldedName {
    case "title", "标题": return "title"
    case "group", "分组": return "group"
    case "tags", "标签": return "tags"
    case "type" where type.kin.count > 1, "类型" where type.kin.count > 1: return "type"
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
    case "group": setGroup(value)
    case "type":
      guard let type = CardType(named: value), self.type.kin.contains(type) else { return false }
      self.type = type
    case "tags": tags = FormText.tags(in: value)
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
    fields.map { FieldName($0.template) }
      + extraFields.map { FieldName(extraField: $0.label, isConcealed: $0.concealed) }
  }

  /// Sets, adds or, with an empty value, removes an extra field. What was concealed stays so.
  mutating func setExtra(_ label: String, _ value: String, isConcealed: Bool = false) {
    guard let index = extraFields.firstIndex(where: { $0.label.foldedName == label.foldedName }) else {
      if !value.isEmpty {
        extraFields.append(ExtraField(label: label, value: value, concealed: isConcealed))
      }
      return
    }
    if value.isEmpty {
      extraFields.remove(at: index)
    } else {
      extraFields[index].value = value
      extraFields[index].concealed = extraFields[index].concealed || isConcealed
    }
  }

  // MARK: Requests

  /// Fails if what was typed names no group.
  func requireGroup(orNone: Bool = true) throws(Failure) {
    guard chosenGroup != nil || orNone && group.isEmpty else {
      throw .exit(
        .invalid, Localized("the group must be personal or company", "分组须为 personal（个人）或 company（公司）"))
    }
  }

  /// The contents of a new card, in the user's own group unless another was chosen.
  func draft(pinned: Bool) -> CardDraft {
    let values = fields.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }
    return CardDraft(
      title: title, group: chosenGroup ?? .personal, type: type,
      fields: Dictionary(values) { first, _ in first },
      extraFields: extraFields, tags: tags, pinned: pinned)
  }

  /// What differs from the form as it was; nil if nothing does.
  func change(from before: CardForm) -> CardChange? {
    guard self != before else { return nil }
    var change = CardChange()
    if type != before.type { change.type = type }
    if title != before.title { change.title = title }
    if group != before.group { change.group = chosenGroup }
    for (field, former) in zip(fields, before.fields) where field.value != former.value {
      change.fields.updateValue(field.value.isEmpty ? nil : field.value, forKey: field.key)
    }
    if tags != before.tags { change.tags = tags }
    if extraFields != before.extraFields { change.extraFields = extraFields }
    return change
  }
}
