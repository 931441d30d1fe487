import VaultInterface

/// The columns that extra fields get in a table.
struct ExtraColumns: Sendable {
  /// The maximum number of labels with their own column; all others share one.
  static let limit = 200

  /// A label, and whether its values are concealed.
  struct Column: Hashable {
    var label: String
    var concealed: Bool
  }

  private(set) var columns: [Column] = []
  private var known: Set<Column> = []

  /// Adds the labels of a card.
  mutating func add(_ card: Card) {
    for field in card.extraFields {
      let column = Column(label: field.label, concealed: field.concealed)
      guard columns.count < Self.limit, known.insert(column).inserted else { continue }
      columns.append(column)
    }
  }

  /// Whether a field has its own column.
  func contains(_ field: ExtraField) -> Bool {
    known.contains(Column(label: field.label, concealed: field.concealed))
  }
}

/// A table with a column for every field of every template, and one for each label of extra fields.
enum CSVExport {
  private static let keys: [String] = CardTemplate.all.flatMap { $0.fields.map(\.key) }.reduce(into: []) {
    if !$0.contains($1) { $0.append($1) }
  }

  static func head(_ extra: ExtraColumns) -> [UInt8] {
    // A byte order mark tells spreadsheets that this is UTF-8.
    var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    let labels = extra.columns.map { ColumnTarget.extra($0.label, concealed: $0.concealed).description }
    let own = ["title", "type", "group", "tags", "pinned", "createdAt", "modifiedAt"] + keys
    CSVWriter.write(own + labels + ["extraFields"], to: &bytes)
    return bytes
  }

  static func bytes(of card: Card, _ extra: ExtraColumns) -> [UInt8] {
    let tags = card.tags.map(escaped).joined(separator: ",")
    var cells = [
      card.title, card.type.rawValue, card.group.rawValue, tags, card.pinned ? "true" : "",
      card.createdAt.description, card.modifiedAt.description,
    ]
    cells += keys.map { card.fields[$0] ?? "" }
    cells += extra.columns.map { column in
      card.extraFields.first { $0.label == column.label && $0.concealed == column.concealed }?.value ?? ""
    }
    let others = card.extraFields.filter { !extra.contains($0) }
    cells.append(others.isEmpty ? "" : JSONExport.extraFields(others).text)
    var bytes: [UInt8] = []
    CSVWriter.write(cells, to: &bytes)
    return bytes
  }

  /// Escapes the separators in a tag with a backslash.
  private static func escaped(_ tag: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in tag.unicodeScalars {
      if scalar == "\\" || CSVRow.listSeparators.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}

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
