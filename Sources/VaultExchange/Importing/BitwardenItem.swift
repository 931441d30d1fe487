import JSON
import VaultModel

/// An item of Bitwarden's unencrypted JSON.
struct BitwardenItem {
  private let json: JSON
  private let folders: [String: String]
  private let options: ImportOptions

  init(_ json: JSON, folders: [String: String], _ options: ImportOptions) {
    (self.json, self.folders, self.options) = (json, folders, options)
  }

  /// Returns the entry to import.
  func entry(line: Int) -> ImportEntry {
    let title = text("name")
    let time = { (name: String) in json[name]?.string.flatMap { Timestamp($0) } }
    let dates = EntryDates(created: time("creationDate"), modified: time("revisionDate"))
    if json["deletedDate"]?.string != nil {
      return ImportEntry(line: line, title: title, notImported: ImportMessages.recycleBin)
    }
    guard case .object? = json["identity"] else {
      var card = login.cardBuilder(group: options.group, language: options.language)
      if !elements(json["login"]?["fido2Credentials"]).isEmpty {
        card.warnNotImported("login.fido2Credentials", ImportMessages.passkey)
      }
      return card.entry(line: line, dates: dates)
    }
    return contact.cardBuilder(group: options.group, language: options.language).entry(
      line: line, dates: dates)
  }

  private func text(_ name: String, of part: JSON? = nil) -> String {
    switch (part ?? json)[name] {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let boolean): boolean ? "true" : "false"
    default: ""
    }
  }

  private var tags: [String] {
    let identifiers = [json["folderId"]] + elements(json["collectionIds"]).map { Optional($0) }
    return identifiers.compactMap { $0?.string.flatMap { folders[$0] } }
  }

  private func elements(_ json: JSON?) -> [JSON] {
    guard case .array(let elements)? = json else { return [] }
    return elements
  }

  private var login: Login {
    var login = Login()
    login.title = text("name")
    login.notes = text("notes")
    login.tags = tags
    login.isFavourite = json["favorite"] == .bool(true)
    if let part = json["login"] {
      login.userName = text("username", of: part)
      login.password = text("password", of: part)
      login.oneTimePassword = text("totp", of: part)
      login.websites = elements(part["uris"]).map { text("uri", of: $0) }
    }
    for name in ["card", "sshKey"] { login.others += members(of: json[name]) }
    login.others += customFields
    return login
  }

  /// The values of a flat object, labelled with the words of their names; numbers and keys are secret.
  private func members(of part: JSON?) -> [ExtraField] {
    guard case .object(let members)? = part else { return [] }
    return members.prefix(Limits.extraFields).compactMap { member in
      let value = text(member.name, of: part)
      guard !value.isEmpty else { return nil }
      return ExtraField(
        label: Self.words(member.name), value: value,
        concealed: ["number", "code", "privateKey", "ssn", "passportNumber", "licenseNumber"].contains(
          member.name))
    }
  }

  private var customFields: [ExtraField] {
    elements(json["fields"]).map { field in
      ExtraField(
        label: text("name", of: field), value: text("value", of: field),
        concealed: field["type"]?.integer == 1)
    }
  }

  private static let addressMembers: Set<String> = [
    "title", "firstName", "middleName", "lastName", "address1", "address2", "address3", "city", "state",
    "postalCode", "country", "company", "email", "phone",
  ]

  private var contact: Contact {
    let identity = json["identity"]
    var contact = Contact()
    let name = ["title", "firstName", "middleName", "lastName"].map { text($0, of: identity) }
    let isChinese = (name[1] + name[3]).unicodeScalars.contains(where: \.properties.isIdeographic)
    contact.name =
      isChinese ? name[3] + name[2] + name[1] : name.filter { !$0.isBlank }.joined(separator: " ")
    contact.organization = text("company", of: identity)
    let labelled = { (words: Localized, member: String) -> [Contact.Labelled] in
      let value = text(member, of: identity)
      return value.isBlank ? [] : [Contact.Labelled(label: words[options.language], value: value)]
    }
    contact.phones = labelled(ImportMessages.phone, "phone")
    contact.emails = labelled(ImportMessages.email, "email")
    let streets = ["address1", "address2", "address3"].map { text($0, of: identity) }.filter { !$0.isBlank }
    let address = PostalAddress(
      street: streets.joined(separator: " "), city: text("city", of: identity),
      province: text("state", of: identity),
      postalCode: text("postalCode", of: identity), country: text("country", of: identity))
    if !address.isBlank { contact.addresses = [(ImportMessages.address[options.language], address)] }
    contact.notes = text("notes")
    contact.others =
      members(of: identity.map(withoutAddress)) + customFields
    contact.tags = tags
    contact.isFavourite = json["favorite"] == .bool(true)
    let title = text("name")
    if title != contact.name { contact.itemTitle = title }
    return contact
  }

  private func withoutAddress(_ identity: JSON) -> JSON {
    guard case .object(let members) = identity else { return identity }
    return .object(members.filter { !Self.addressMembers.contains($0.name) })
  }

  /// `expMonth` as `exp month`, for a person.
  private static func words(_ name: String) -> String {
    var words = ""
    for scalar in name.unicodeScalars {
      if ("A"..."Z").contains(scalar) { words += " " }
      words += String(scalar).lowercased()
    }
    return words
  }
}
