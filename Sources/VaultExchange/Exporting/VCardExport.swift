import VaultInterface

/// Address cards as vCard 3 (RFC 2426), which every address book reads.
///
/// The district stands before the street, where address books without a place for it show it; a property of our own says
/// where it ends. Concealed fields stay out: an address book shows all it has.
enum VCardExport {
  /// The longest line in bytes, without its end (RFC 2425, section 5.8.1).
  private static let lineLimit = 75

  /// A card; nil if it is not an address card.
  static func bytes(of card: Card) -> [UInt8]? {
    guard card.type == .address else { return nil }
    let name = card.fields["name"] ?? card.title
    var lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:" + escaped(name), "N:" + escaped(name) + ";;;;"]
    if card.title != name { lines.append("X-QUICKVAULT-TITLE:" + escaped(card.title)) }
    lines.append("TEL:" + escaped(card.fields["phone"] ?? ""))
    lines += address(card)
    if let notes = card.fields["notes"] { lines.append("NOTE:" + escaped(notes)) }
    if !card.tags.isEmpty { lines.append("CATEGORIES:" + card.tags.map(escaped).joined(separator: ",")) }
    for (index, field) in card.extraFields.enumerated() where !field.concealed && !field.value.isEmpty {
      lines.append("field\(index + 1).X-QUICKVAULT-FIELD:" + escaped(field.value))
      lines.append("field\(index + 1).X-ABLabel:" + escaped(field.label))
    }
    lines += ["REV:" + card.modifiedAt.description, "END:VCARD"]
    return lines.flatMap { folded($0) }
  }

  private static func address(_ card: Card) -> [String] {
    let district = card.fields["district"] ?? ""
    let street = district + (card.fields["address"] ?? "")
    let parts = ["", "", street, card.fields["city"], card.fields["province"], card.fields["postalCode"], ""]
    return [
      "address.ADR:" + parts.map { escaped($0 ?? "") }.joined(separator: ";"),
      "address.X-QUICKVAULT-DISTRICT:" + escaped(district),
    ]
  }

  private static func escaped(_ text: String) -> String {
    VCardValue.escaped(text)
  }

  /// Folds a line at ``lineLimit`` bytes, without splitting a character.
  private static func folded(_ line: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = lineLimit
    for scalar in line.unicodeScalars {
      let character = String(scalar).utf8
      if character.count > room {
        bytes += [0x0D, 0x0A, 0x20]
        room = lineLimit - 1
      }
      bytes += character
      room -= character.count
    }
    return bytes + [0x0D, 0x0A]
  }
}
