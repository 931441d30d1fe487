import VaultInterface

/// A contact, from the properties of one vCard.
struct VCardContact {
  private(set) var contact = Contact()
  /// When the contact was last changed (REV).
  private(set) var revised: Timestamp?
  /// The values of the properties, without those that only organise the file.
  private(set) var source: [SourceValue] = []
  private let language: Language
  /// Since vCard 3 a backslash and an n are a line break.
  private let escapesLineBreaks: Bool
  /// Labels that are given to groups of properties.
  private var groupLabels: [String: String] = [:]
  private var districts: [String: String] = [:]
  private var structuredName = PersonName()
  private var labels: [(label: String, text: String)] = []

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
    contact.isExported = properties.contains { $0.name == "X-QUICKVAULT-DISTRICT" }
    for property in properties { add(property) }
    let isSaid = structuredName.parts.allSatisfy(contact.name.contains)
    if contact.name.isBlank {
      contact.name = structuredName.text
    } else if !isSaid {
      contact.others.append(ExtraField(label: ImportMessages.name[language], value: structuredName.text))
    }
    // An address that is only written as on a label is divided like a street.
    for (label, text) in labels where contact.addresses.isEmpty {
      contact.addresses.append((label, PostalAddress(street: text)))
    }
  }

  private func text(_ property: VCardProperty) -> String {
    withoutControls(VCardValue.text(property.value, escapesLineBreaks: escapesLineBreaks))
  }

  private func parts(_ property: VCardProperty, at separator: Unicode.Scalar) -> [String] {
    VCardValue.parts(property.value, at: separator, escapesLineBreaks: escapesLineBreaks).map(withoutControls)
  }

  /// A card takes no control characters but tabs and line breaks.
  private func withoutControls(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0.properties.generalCategory != .control || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }))
  }

  private mutating func add(_ property: VCardProperty) {
    if property.isBinary && property.name != "NOTE" {
      source.append(SourceValue(property.name, "-"))
      return contact.notImported.append((property.name, ImportMessages.photo))
    }
    if Self.organizing.contains(property.name) { return }
    for part in parts(property, at: property.name == "CATEGORIES" ? "," : ";") where property.name != "REV" {
      let value = SourceValue(property.name, part.withoutScheme)
      // The street of an export begins with the district.
      if !contact.isExported || property.name != "ADR" { source.append(value) }
    }
    for label in property.parameters["LABEL"] ?? [] {
      let text = withoutControls(VCardValue.text(label, escapesLineBreaks: true))
      source.append(SourceValue("\(property.name).LABEL", text))
      labels.append((self.label(property, ImportMessages.address), text))
    }
    switch property.name {
    case "AGENT":
      contact.notImported.append((property.name, ImportMessages.nestedContact))
      source.append(SourceValue(property.name, "-"))
    case "FN": if contact.name.isBlank { contact.name = text(property) }
    case "N": structuredName = name(parts(property, at: ";"))
    case "ORG": if contact.organization.isBlank { contact.organization = organization(property) }
    case "TITLE": if contact.jobTitle.isBlank { contact.jobTitle = text(property) }
    case "TEL":
      contact.phones.append(
        Contact.Labelled(
          label: label(property, ImportMessages.phone), value: text(property).withoutScheme.trimmed))
    case "EMAIL":
      contact.emails.append(
        Contact.Labelled(label: label(property, ImportMessages.email), value: text(property)))
    case "ADR":
      let address = address(property)
      if !address.isBlank { contact.addresses.append((label(property, ImportMessages.address), address)) }
    case "LABEL": labels.append((label(property, ImportMessages.address), text(property)))
    case "NOTE":
      contact.notes += (contact.notes.isEmpty ? "" : "\n\n") + text(property)
    case "CATEGORIES": contact.tags += parts(property, at: ",")
    case "REV": revised = Self.time(text(property).trimmed)
    case "URL": other(property, text(property).trimmed)
    case "X-QUICKVAULT-TITLE": contact.itemTitle = text(property)
    case "X-QUICKVAULT-FIELD":
      contact.others.append(ExtraField(label: label(property, ImportMessages.field), value: text(property)))
    default:
      other(property, parts(property, at: ";").filter { !$0.isBlank }.joined(separator: "; ").trimmed)
    }
  }

  /// Properties that say nothing about the contact.
  private static let organizing: Set<String> = [
    "VERSION", "PRODID", "UID", "CLIENTPIDMAP", "X-ABLABEL", "X-ABADR", "X-ABUID", "X-APPLE-SUBLOCALITY",
    "X-QUICKVAULT-DISTRICT",
  ]

  private static let labelled: [String: Localized] = [
    "BDAY": ImportMessages.birthday, "URL": ImportMessages.website, "NICKNAME": ImportMessages.nickname,
  ]

  private mutating func other(_ property: VCardProperty, _ value: String) {
    guard !value.isBlank else { return }
    let label =
      Self.labelled[property.name].map { self.label(property, $0) } ?? groupLabels[property.group]
      ?? property.name
    let isSecret = SecretName.isSecret(label, value)
    contact.others.append(ExtraField(label: label, value: value, concealed: isSecret))
  }

  private func organization(_ property: VCardProperty) -> String {
    parts(property, at: ";").filter { !$0.isBlank }.joined(separator: ", ")
  }

  /// Family; given; additional; prefixes; suffixes.
  private func name(_ parts: [String]) -> PersonName {
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    return PersonName(prefix: part(3), given: part(1), middle: part(2), family: part(0), suffix: part(4))
  }

  /// RFC 6350, section 6.3.1, with the parts that RFC 9554 adds, of which Apple keeps the district in a separate property.
  private func address(_ property: VCardProperty) -> PostalAddress {
    let parts = parts(property, at: ";").map(\.trimmed)
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    // Subdistrict, street name and number, building, block, floor, apartment, room; then landmark and direction.
    let detailed = [14, 11, 10, 12, 13, 9, 8, 7, 16, 17].map(part).filter { !$0.isBlank }
    var (street, extended) = (part(2), part(1))
    let isChinese = (street + detailed.joined()).unicodeScalars.contains(where: \.properties.isIdeographic)
    if street.isBlank {
      street = detailed.joined(separator: isChinese ? "" : " ")
    } else {
      let missing = detailed.filter { !(street + extended).contains($0) }
      extended = ([extended] + missing).filter { !$0.isBlank }.joined(separator: " ")
    }
    let district = districts[property.group] ?? ""
    return PostalAddress(
      postOfficeBox: part(0), extended: extended, street: street, city: part(3), province: part(4),
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

extension String {
  /// The number of a telephone URI.
  fileprivate var withoutScheme: String {
    lowercased().hasPrefix("tel:") ? String(dropFirst(4)) : self
  }
}
