import VaultModel

/// A contact, from the properties of one vCard.
struct VCardContact {
  private(set) var contact = Contact()
  /// When the contact was last changed (REV).
  private(set) var revised: Timestamp?
  private let language: Language
  /// Since vCard 3 a backslash and an n are a line break.
  private let escapesLineBreaks: Bool
  /// Labels that are given to groups of properties.
  private var groupLabels: [String: String] = [:]
  private var districts: [String: String] = [:]
  private var structuredName = ""

  /// Reads the properties between BEGIN and END.
  init(_ properties: [VCardProperty], language: Language) {
    self.language = language
    escapesLineBreaks = properties.first { $0.name == "VERSION" }?.value.trimmed != "2.1"
    for property in properties where !property.group.isEmpty {
      switch property.name {
      case "X-ABLABEL": groupLabels[property.group] = appleLabel(text(property))
      case "X-APPLE-SUBLOCALITY", "X-QUICKVAULT-DISTRICT": districts[property.group] = text(property)
      default: break
      }
    }
    for property in properties { add(property) }
    if contact.name.isBlank { contact.name = structuredName }
  }

  private func text(_ property: VCardProperty) -> String {
    VCardValue.text(property.value, escapesLineBreaks: escapesLineBreaks)
  }

  private func parts(_ property: VCardProperty, at separator: Unicode.Scalar) -> [String] {
    VCardValue.parts(property.value, at: separator, escapesLineBreaks: escapesLineBreaks)
  }

  private mutating func add(_ property: VCardProperty) {
    if property.isBinary && property.name != "NOTE" {
      return contact.notImported.append((property.name, ImportMessages.photo))
    }
    switch property.name {
    case "VERSION", "PRODID", "UID", "SOURCE", "KIND", "CLIENTPIDMAP", "X-ABLABEL", "X-ABADR", "X-ABUID",
      "X-APPLE-SUBLOCALITY", "X-QUICKVAULT-DISTRICT", "SORT-STRING", "CLASS", "MAILER", "AGENT":
      break
    case "FN": if contact.name.isBlank { contact.name = text(property) }
    case "N": structuredName = fullName(parts(property, at: ";"))
    case "ORG": add(organization: parts(property, at: ";"))
    case "TITLE": add(jobTitle: text(property))
    case "TEL":
      let value = text(property)
      let number = value.lowercased().hasPrefix("tel:") ? String(value.dropFirst(4)) : value
      contact.phones.append(
        Contact.Labelled(label: label(property, ImportMessages.phone), value: number.trimmed))
    case "EMAIL":
      contact.emails.append(
        Contact.Labelled(label: label(property, ImportMessages.email), value: text(property)))
    case "ADR":
      let address = address(property)
      if !address.isBlank { contact.addresses.append((label(property, ImportMessages.address), address)) }
    case "NOTE":
      contact.notes += (contact.notes.isEmpty ? "" : "\n\n") + text(property)
    case "CATEGORIES": contact.tags += parts(property, at: ",")
    case "REV": revised = Self.time(text(property).trimmed)
    case "BDAY": other(property, label(property, ImportMessages.birthday))
    case "URL":
      let address = text(property).trimmed
      if !address.isBlank {
        contact.others.append(ExtraField(label: label(property, ImportMessages.website), value: address))
      }
    case "NICKNAME": other(property, label(property, ImportMessages.nickname))
    case "X-QUICKVAULT-TITLE": contact.itemTitle = text(property)
    case "X-QUICKVAULT-FIELD":
      contact.others.append(ExtraField(label: label(property, ImportMessages.field), value: text(property)))
    default: other(property, groupLabels[property.group] ?? property.name)
    }
  }

  private mutating func other(_ property: VCardProperty, _ label: String) {
    let value = parts(property, at: ";").filter { !$0.isBlank }.joined(separator: "; ")
    guard !value.isBlank else { return }
    contact.others.append(ExtraField(label: label, value: value))
  }

  private mutating func add(organization parts: [String]) {
    let name = parts.filter { !$0.isBlank }.joined(separator: ", ")
    if contact.organization.isBlank {
      contact.organization = name
    } else {
      contact.others.append(ExtraField(label: ImportMessages.organization[language], value: name))
    }
  }

  private mutating func add(jobTitle: String) {
    if contact.jobTitle.isBlank {
      contact.jobTitle = jobTitle
    } else {
      contact.others.append(ExtraField(label: ImportMessages.jobTitle[language], value: jobTitle))
    }
  }

  /// Family; given; additional; prefixes; suffixes, as people write them.
  private func fullName(_ parts: [String]) -> String {
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    if (part(0) + part(1)).unicodeScalars.contains(where: \.properties.isIdeographic) {
      return part(3) + part(0) + part(2) + part(1) + part(4)
    }
    return [part(3), part(1), part(2), part(0), part(4)].filter { !$0.isBlank }.joined(separator: " ")
  }

  /// RFC 6350, section 6.3.1, with the district, which RFC 9554 adds and Apple keeps in a separate property.
  private func address(_ property: VCardProperty) -> PostalAddress {
    let parts = parts(property, at: ";").map(\.trimmed)
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    let district = districts[property.group] ?? ""
    // If the street is missing, RFC 9554 has its parts: name, number, building, block, apartment, room.
    let streetParts = [11, 10, 12, 13, 8, 7].map(part).filter { !$0.isBlank }
    let isChinese = streetParts.joined().unicodeScalars.contains(where: \.properties.isIdeographic)
    let street = part(2).isBlank ? streetParts.joined(separator: isChinese ? "" : " ") : part(2)
    return PostalAddress(
      postOfficeBox: part(0), extended: part(1), street: street, city: part(3), province: part(4),
      district: district.isBlank ? part(15) : district, postalCode: part(5), country: part(6))
  }

  /// Reads RFC 3339, with or without separators (ISO 8601, basic format).
  private static func time(_ text: String) -> Timestamp? {
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, parts[0].count == 8, let date = parts.first, let time = parts.last,
      time.count >= 7
    else {
      return Timestamp(text)
    }
    let rest = time.dropFirst(6)
    return Timestamp(
      "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))T"
        + "\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.dropFirst(4).prefix(2))\(rest)")
  }

  /// Returns the label of a value: that of its group, else its kind and type.
  private func label(_ property: VCardProperty, _ kind: Localized) -> String {
    if let label = groupLabels[property.group], !label.isBlank { return label }
    let words = property.types.flatMap { $0.split(separator: ",").map(String.init) }
      .compactMap { Self.types[$0]?[language] }
    guard !words.isEmpty else { return kind[language] }
    let list = words.joined(separator: Localized(", ", "、")[language])
    return language == .english ? "\(kind.english) (\(list))" : "\(kind.simplifiedChinese)（\(list)）"
  }

  private static let types: [String: Localized] = [
    "HOME": Localized("home", "家庭"), "WORK": Localized("work", "工作"), "CELL": Localized("mobile", "手机"),
    "MOBILE": Localized("mobile", "手机"), "IPHONE": Localized("mobile", "手机"), "FAX": Localized("fax", "传真"),
    "PAGER": Localized("pager", "寻呼机"), "MAIN": Localized("main", "总机"), "OTHER": Localized("other", "其他"),
  ]

  /// Apple writes its own labels as `_$!<Mobile>!$_`.
  private func appleLabel(_ label: String) -> String {
    guard label.hasPrefix("_$!<"), label.hasSuffix(">!$_"), label.count >= 8 else { return label }
    return String(label.dropFirst(4).dropLast(4))
  }
}
