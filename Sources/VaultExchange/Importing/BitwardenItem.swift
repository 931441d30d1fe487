import VaultInterface
import Wire

/// An item of Bitwarden's unencrypted JSON. What no part of a login or a contact takes becomes extra fields, also of types of
/// items that are newer than this.
struct BitwardenItem {
  private let json: JSON
  private let folders: [String: String]
  private let options: ImportOptions
  private var members: ItemMembers
  private var login = Login()
  private var dates = EntryDates()
  private var isDeleted = false
  private var passkeys = 0

  init(_ json: JSON, folders: [String: String], _ options: ImportOptions) {
    (self.json, self.folders, self.options) = (json, folders, options)
    members = ItemMembers(json)
    read()
  }

  /// Returns the entry to import.
  func entry(line: Int) -> ImportEntry {
    if isDeleted {
      return ImportEntry(
        line: line, title: login.title, notImported: ImportMessages.recycleBin, source: source)
    }
    guard case .object? = json["identity"] else {
      var card = login.cardBuilder(group: options.group, language: options.language)
      if passkeys > 0 { card.warnNotImported("login.fido2Credentials", ImportMessages.passkey) }
      return card.entry(line: line, dates: dates, source: source)
    }
    return contact.cardBuilder(group: options.group, language: options.language).entry(
      line: line, dates: dates, source: source)
  }

  /// The values of the item, without identifiers and codes.
  private var source: [SourceValue] {
    JSONLeaf.all(of: json).filter { !Self.isOrganizing($0.path) }.map { leaf in
      SourceValue(leaf.path.joined(separator: "."), leaf.value, isSecret: leaf.isSecret)
    }
  }

  private static func isOrganizing(_ path: [String]) -> Bool {
    switch path {
    case ["id"], ["organizationId"], ["folderId"], ["collectionIds"], ["type"], ["reprompt"], ["favorite"],
      ["object"],
      ["creationDate"], ["revisionDate"], ["fields", "type"], ["fields", "linkedId"],
      ["login", "uris", "match"],
      ["login", "uris", "uriChecksum"], ["secureNote", "type"], ["viewPassword"], ["edit"], ["key"],
      ["organizationUseTotp"], ["login", "passwordRevisionDate"], ["login", "autofillOnPageLoad"]:
      true
    default: false
    }
  }

  private mutating func read() {
    let time = { (text: String) in text.isEmpty ? nil : Timestamp(text) }
    login.title = members.text("name")
    login.notes = members.text("notes")
    dates = EntryDates(
      created: time(members.text("creationDate")), modified: time(members.text("revisionDate")))
    isDeleted = !members.text("deletedDate").isEmpty
    login.isFavourite = members.flag("favorite")
    let places = [members.text("folderId")] + members.list("collectionIds").compactMap(\.string)
    login.tags = places.compactMap { folders[$0] }
    let archived = members.text("archivedDate")
    if !archived.isEmpty {
      login.tags.append(ImportMessages.archived[options.language])
      login.others.append(ExtraField(label: ImportMessages.archived[options.language], value: archived))
    }
    members.drop(
      "id", "organizationId", "type", "reprompt", "object", "key", "viewPassword", "edit",
      "organizationUseTotp")
    readLogin()
    for field in members.list("fields") {
      let field = ItemMembers(field)
      login.others += Self.field(field)
    }
    for old in members.list("passwordHistory") {
      var old = ItemMembers(old)
      let (password, date) = (old.text("password"), old.text("lastUsedDate"))
      let label = ImportMessages.previousPassword[options.language] + (date.isEmpty ? "" : " (\(date))")
      login.others.append(ExtraField(label: label, value: password, concealed: true))
    }
    members.drop("identity", "secureNote")
    // Cards, keys, bank accounts, licences, passports, and what is to come.
    login.others += members.leaves.map(\.field)
  }

  private mutating func readLogin() {
    var part = members.object("login")
    login.userName = part.text("username")
    login.password = part.text("password")
    login.oneTimePassword = part.text("totp")
    login.websites = part.list("uris").compactMap { $0["uri"]?.string }
    passkeys = part.list("fido2Credentials").count
    part.drop("uri", "passwordRevisionDate", "autofillOnPageLoad")
    login.others += part.leaves.map(\.field)
  }

  /// A custom field; none if it has no value.
  private static func field(_ field: ItemMembers) -> [ExtraField] {
    var field = field
    let (label, value) = (field.text("name"), field.text("value"))
    let isHidden = field.text("type") == "1"
    let isSecret = isHidden || SecretName.isSecret(label, value)
    return value.isEmpty ? [] : [ExtraField(label: label, value: value, concealed: isSecret)]
  }

  private var contact: Contact {
    var identity = ItemMembers(json["identity"] ?? .null)
    let name = PersonName(
      prefix: identity.text("title"), given: identity.text("firstName"), middle: identity.text("middleName"),
      family: identity.text("lastName"))
    var contact = Contact()
    contact.name = name.text
    contact.organization = identity.text("company")
    let labelled = { (words: Localized, value: String) -> [Contact.Labelled] in
      value.isBlank ? [] : [Contact.Labelled(label: words[options.language], value: value)]
    }
    contact.phones = labelled(ImportMessages.phone, identity.text("phone"))
    contact.emails = labelled(ImportMessages.email, identity.text("email"))
    let streets = ["address1", "address2", "address3"].map { identity.text($0) }.filter { !$0.isBlank }
    let address = PostalAddress(
      street: streets.joined(separator: " "), city: identity.text("city"), province: identity.text("state"),
      postalCode: identity.text("postalCode"), country: identity.text("country"))
    if !address.isBlank { contact.addresses = [(ImportMessages.address[options.language], address)] }
    contact.notes = login.notes
    contact.others = identity.leaves.map(\.field) + login.others
    contact.tags = login.tags
    contact.isFavourite = login.isFavourite
    if login.title != contact.name { contact.itemTitle = login.title }
    return contact
  }
}

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

/// The members of an item of another program's JSON, which are taken one after another; what is left is known too.
struct ItemMembers {
  private(set) var json: JSON

  init(_ json: JSON) {
    self.json = json
  }

  /// Takes a text, number or truth value; empty if there is none.
  mutating func text(_ name: String) -> String {
    switch take(name) {
    case .string(let text)?: text
    case .number(let number)?: number.text
    case .bool(true)?: "true"
    case .bool(false)?: "false"
    default: ""
    }
  }

  /// Takes the elements of a list; none if it is no list.
  mutating func list(_ name: String) -> [JSON] {
    guard case .array(let elements)? = take(name) else { return [] }
    return elements
  }

  /// Takes an object; an empty one if there is none.
  mutating func object(_ name: String) -> ItemMembers {
    guard let value = take(name), case .object = value else { return ItemMembers(.object([])) }
    return ItemMembers(value)
  }

  /// Takes whether something is so: true, or a number above 0.
  mutating func flag(_ name: String) -> Bool {
    switch take(name) {
    case .bool(let value)?: value
    case .number(let number)?: number.text != "0"
    default: false
    }
  }

  mutating func drop(_ names: String...) {
    for name in names { _ = take(name) }
  }

  private mutating func take(_ name: String) -> JSON? {
    guard case .object(var members) = json, let place = members.firstIndex(where: { $0.name == name }) else {
      return nil
    }
    let value = members.remove(at: place).value
    json = .object(members)
    return value
  }

  /// Everything that was not taken.
  var leaves: [JSONLeaf] { JSONLeaf.all(of: json) }
}
