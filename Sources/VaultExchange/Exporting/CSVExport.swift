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
