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

/// The parts of a person's name.
struct PersonName: Hashable {
  var prefix = ""
  var given = ""
  var middle = ""
  var family = ""
  var suffix = ""

  /// The parts that are not blank, as address books order them.
  var parts: [String] { [family, given, middle, prefix, suffix].map(\.trimmed).filter { !$0.isBlank } }

  var isBlank: Bool { parts.isEmpty }

  /// The name as people of its language write it: the family first and without spaces in Chinese, Japanese and Korean.
  var text: String {
    let isEastern = (family + given).unicodeScalars.contains { scalar in
      scalar.properties.isIdeographic || 0x3041...0x30FF ~= scalar.value || 0xAC00...0xD7A3 ~= scalar.value
    }
    if isEastern { return [prefix, family, middle, given, suffix].map(\.trimmed).joined() }
    return [prefix, given, middle, family, suffix].map(\.trimmed).filter { !$0.isEmpty }.joined(
      separator: " ")
  }
}

/// A postal address, as address books store it.
struct PostalAddress: Hashable {
  var postOfficeBox = ""
  /// Floor, building and the like.
  var extended = ""
  var street = ""
  var city = ""
  var province = ""
  var district = ""
  var postalCode = ""
  var country = ""

  /// Whether it is empty.
  var isBlank: Bool {
    [postOfficeBox, extended, street, city, province, district, postalCode, country].allSatisfy(\.isBlank)
  }

  /// The address as people write it: on one line, from province to street, if it is Chinese; otherwise on several lines.
  var text: String {
    let whole = [province, city, district, street, extended].joined()
    if whole.unicodeScalars.contains(where: \.properties.isIdeographic) {
      let region = province == city ? province : province + city
      let code = [country, postalCode].filter { !$0.isBlank }.joined(separator: " ")
      let line = region + district + street + (extended.isBlank ? "" : " " + extended)
      return [line, postOfficeBox, code].filter { !$0.isBlank }.joined(separator: "\n")
    }
    let place = [city, district, province, postalCode].filter { !$0.isBlank }.joined(separator: ", ")
    return [postOfficeBox, extended, street, place, country].filter { !$0.isBlank }.joined(separator: "\n")
  }

  /// The address without its district at the start of the street.
  var withoutRepeatedDistrict: PostalAddress {
    var address = self
    if !district.isBlank, street.hasPrefix(district) {
      address.street = String(street.dropFirst(district.count))
    }
    return address
  }

  /// The keys of the fields of an address card that hold parts of an address.
  static let keys: Set<String> = ["province", "city", "district", "address", "postalCode"]

  /// The address with province, city and district separated, as far as it is a Chinese address.
  var divided: PostalAddress {
    let regional = RegionalAddress(province: province, city: city, district: district, street: street)
    var address = self
    (address.province, address.city) = (regional.province, regional.city)
    (address.district, address.street) = (regional.district, regional.street)
    guard address.district.isBlank, !extended.isBlank else { return address }
    let other = RegionalAddress(province: regional.province, city: regional.city, street: extended)
    if !other.district.isBlank, other.street.isBlank {
      (address.district, address.extended) = (other.district, "")
    }
    return address
  }
}
