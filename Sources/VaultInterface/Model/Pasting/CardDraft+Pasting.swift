extension CardDraft {
  /// The length of a text beyond which it is a text card: addresses and details for invoices are shorter.
  static let longestBlock = 2_000

  /// Makes a draft of what somebody pastes: an address with receiver and phone, details for an invoice or its title alone, or any other
  /// text.
  ///
  /// Labels, punctuation and lines may be as people write them, and names of divisions abbreviated. What belongs to no field is
  /// in the notes, and nothing is left out but labels, separators, and names of divisions that are said twice. The draft may lack
  /// required fields. It takes time in proportion to the length of the text.
  public init(pasted text: String) {
    let block = text.trimmed
    if !block.isEmpty, !block.isLonger(than: Self.longestBlock) {
      let characters = PastedText(block)
      let parts = characters.parts()
      if Self.isInvoice(characters, parts) {
        let fields = PastedInvoice(characters, parts).fields
        let hasMore = !Set(fields.keys).isDisjoint(with: ["address", "phone", "bankName", "bankAccount"])
        self = Self.draft(hasMore ? .invoice : .title, fields, fields["companyName"] ?? fields["taxId"])
        return
      }
      let address = PastedAddress(characters, parts)
      if Self.isAddress(address) {
        let fields = address.fields
        self = Self.draft(.address, fields, fields["name"] ?? fields["address"] ?? fields["phone"])
        return
      }
    }
    let first = block.lines.first { !$0.isBlank }?.trimmed ?? ""
    self = Self.draft(
      .text, ["text": text], String(String.UnicodeScalarView(first.unicodeScalars.prefix(40))))
  }

  private static func draft(_ type: CardType, _ fields: [String: String], _ title: String?) -> CardDraft {
    let title = title.map { $0.lines.first ?? "" } ?? ""
    return CardDraft(
      title: title, group: type.kin.contains(.invoice) ? .company : .personal, type: type, fields: fields
    ).normalized()
  }

  private static func isInvoice(_ text: PastedText, _ parts: [PastedPart]) -> Bool {
    let has = { (labels: Set<PastedLabel>) in
      parts.contains { part in part.label.map(labels.contains) ?? false && !text.trimmed(part.value).isEmpty }
    }
    let hasBank = has([.bank, .bankAndAccount]) && has([.account, .bankAndAccount])
    let isCompany = parts.contains { $0.label == .company && text.isCompany($0.value) }
    if has([.taxId]) || isCompany && hasBank { return true }
    return parts.contains {
      ($0.label == nil || $0.label == .company) && text.creditCode(in: $0.value) != nil
    }
      && !has([.name])
  }

  /// Whether a text is an address, and not one that only mentions a place.
  private static func isAddress(_ address: PastedAddress) -> Bool {
    let fields = address.fields
    let street = fields["address"].map { PastedText($0) }
    let hasStreet = street.map { $0.isStreet($0.whole) || $0.isAddress($0.whole) } ?? false
    let hasRegion = fields["province"] != nil
    let hasPlace = hasRegion || fields["address"] != nil
    let hasReceiver = address.has(.name) && address.has(.phone)
    if hasReceiver { return true }
    if address.has(.address, .region, .addressAndPhone), hasRegion || hasStreet { return true }
    if address.has(.name, .phone), hasPlace, hasRegion || hasStreet { return true }
    let notes = fields["notes"]?.unicodeScalars.count ?? 0
    guard notes <= 30, notes <= max(address.length, 12) else { return false }
    if fields["phone"] != nil {
      return hasRegion && (hasStreet || fields["district"] != nil) || hasStreet && fields["name"] != nil
    }
    return hasRegion && street.map { $0.isStreet($0.whole) } ?? false && notes <= 12
      && (fields["name"] != nil || street?.folded.contains { ("0"..."9").contains($0) } ?? false)
  }
}
