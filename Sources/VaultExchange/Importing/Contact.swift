import VaultInterface

/// A contact, as address books store it.
struct Contact {
  /// A value with its label.
  struct Labelled: Hashable {
    var label: String
    var value: String
  }

  /// The display name, if it differs from the name.
  var itemTitle = ""
  var name = ""
  var organization = ""
  var jobTitle = ""
  var phones: [Labelled] = []
  var emails: [Labelled] = []
  var addresses: [(label: String, address: PostalAddress)] = []
  var notes = ""
  /// Everything else, in order.
  var others: [ExtraField] = []
  var tags: [String] = []
  var isFavourite = false
  /// Whether QuickVault wrote it, so that its address is divided already.
  var isExported = false
  /// The parts that a card cannot hold.
  var notImported: [(field: String, what: Localized)] = []

  /// The card: an address card if every required value is there and valid; otherwise a text card, with a warning if there
  /// is an address. Either holds everything.
  func cardBuilder(group: CardGroup, language: Language) -> CardBuilder {
    for (index, labelled) in addresses.enumerated() {
      if let card = addressCard(
        isExported ? labelled.address.withoutRepeatedDistrict : labelled.address.divided, index, group: group,
        language: language)
      {
        return card
      }
    }
    var card = textCard(group: group, language: language)
    if !addresses.isEmpty {
      card.warn(Issue(field: "type", code: .keptAsText, message: ImportMessages.keptAsText))
    }
    return card
  }

  private func addressCard(
    _ address: PostalAddress, _ index: Int, group: CardGroup, language: Language
  ) -> CardBuilder? {
    var card = CardBuilder(.address, group: group, language: language)
    guard let phone = phones.firstIndex(where: { PhoneNumber.isValid($0.value) }) else { return nil }
    card.setTitle(itemTitle.isBlank ? name : itemTitle, organization)
    card.set("name", name.isBlank ? organization : name)
    card.set("phone", phones[phone].value)
    card.set("province", address.province)
    card.set("city", address.city)
    card.set("district", address.district)
    card.set("address", [address.street, address.extended].filter { !$0.isBlank }.joined(separator: " "))
    card.set("postalCode", address.postalCode)
    card.set("notes", notes)
    guard card.draft.normalized().validate().errors.isEmpty else { return nil }
    if !name.isBlank { card.addExtra(ImportMessages.organization[language], organization) }
    card.addExtra(ImportMessages.jobTitle[language], jobTitle)
    card.addExtra(ImportMessages.postOfficeBox[language], address.postOfficeBox)
    card.addExtra(ImportMessages.country[language], address.country)
    addRest(to: &card, phone: phone, address: index)
    return card
  }

  private func textCard(group: CardGroup, language: Language) -> CardBuilder {
    var card = CardBuilder(.text, group: group, language: language)
    card.setTitle(
      itemTitle.isBlank ? name : itemTitle, organization, phones.first?.value, emails.first?.value)
    let candidates = [notes, addresses.first?.address.text, phones.first?.value, emails.first?.value, name]
    card.set("text", candidates.compactMap { $0 }.first { !$0.isBlank } ?? card.draft.title)
    if !itemTitle.isBlank { card.addExtra(ImportMessages.name[language], name) }
    card.addExtra(ImportMessages.organization[language], organization)
    card.addExtra(ImportMessages.jobTitle[language], jobTitle)
    addRest(to: &card, phone: nil, address: nil)
    return card
  }

  private func addRest(to card: inout CardBuilder, phone: Int?, address: Int?) {
    for (index, labelled) in phones.enumerated() where index != phone {
      card.addExtra(labelled.label, labelled.value)
    }
    for email in emails { card.addExtra(email.label, email.value) }
    for (index, labelled) in addresses.enumerated() where index != address {
      card.addExtra(labelled.label, labelled.address.text)
    }
    for field in others { card.addExtra(field.label, field.value, concealed: field.concealed) }
    for tag in tags { card.addTag(tag) }
    if isFavourite { card.pin() }
    for part in notImported { card.warnNotImported(part.field, part.what) }
  }
}
