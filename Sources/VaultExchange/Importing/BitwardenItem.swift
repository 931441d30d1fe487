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
