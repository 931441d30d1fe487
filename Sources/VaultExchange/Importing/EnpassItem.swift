import VaultInterface
import Wire

/// An item of Enpass' JSON.
struct EnpassItem {
  private let json: JSON
  private let folders: [String: String]
  private let options: ImportOptions
  private var login = Login()
  private var dates = EntryDates()
  private var isTrashed = false
  private var attachments = 0
  private var hasHistory = false

  init(_ json: JSON, folders: [String: String], _ options: ImportOptions) {
    (self.json, self.folders, self.options) = (json, folders, options)
    read()
  }

  func entry(line: Int) -> ImportEntry {
    if isTrashed {
      return ImportEntry(
        line: line, title: login.title, notImported: ImportMessages.recycleBin, source: source)
    }
    var card = login.cardBuilder(group: options.group, language: options.language)
    if attachments > 0 { card.warnNotImported("attachments", ImportMessages.attachment) }
    if hasHistory { card.warnNotImported("fields.history", ImportMessages.history) }
    return card.entry(line: line, dates: dates, source: source)
  }

  private static let organizing: Set<String> = [
    "uuid", "icon", "category", "template_type", "folders", "favorite", "trashed", "archived", "createdAt",
    "auto_submit", "type", "sensitive", "uid", "order", "value_updated_at", "updated_at", "deleted",
    "subtitle",
  ]

  /// The values of the item, without identifiers and codes. The subtitle repeats one of them.
  private var source: [SourceValue] {
    JSONLeaf.all(of: json).filter { $0.path.isEmpty || !$0.path.contains(where: Self.organizing.contains) }
      .map { leaf in
        SourceValue(leaf.path.joined(separator: "."), leaf.value)
      }
  }

  private mutating func read() {
    var members = ItemMembers(json)
    login.title = members.text("title")
    login.notes = members.text("note")
    login.isFavourite = members.flag("favorite")
    isTrashed = members.flag("trashed")
    login.tags = members.list("folders").compactMap { $0.string.flatMap { folders[$0] } }
    if members.flag("archived") { login.tags.append(ImportMessages.archived[options.language]) }
    dates.created = CSVRow.time(members.text("createdAt"))
    dates.modified = CSVRow.time(members.text("updated_at"))
    attachments = members.list("attachments").count
    for field in members.list("fields") {
      var field = ItemMembers(field)
      let (label, type, value) = (field.text("label"), field.text("type"), field.text("value"))
      hasHistory = hasHistory || !field.list("history").isEmpty
      if !field.flag("deleted"), !value.isEmpty { add(label, type, value, isSecret: field.flag("sensitive")) }
    }
  }

  private mutating func add(_ label: String, _ type: String, _ value: String, isSecret: Bool) {
    switch type {
    case "username" where login.userName.isEmpty: login.userName = value
    case "password" where login.password.isEmpty: login.password = value
    case "totp" where login.oneTimePassword.isEmpty: login.oneTimePassword = value
    case "url": login.websites.append(value)
    default:
      let isSecret = isSecret || SecretName.isSecret(label, value) || SecretName.isSecret(type)
      login.others.append(ExtraField(label: label, value: value, concealed: isSecret))
    }
  }
}
