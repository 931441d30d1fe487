/// The shape of a table's rows, to recognize them in a page of unknown table.
struct RowShape: Sendable {
  /// The type of a column.
  enum Column: Sendable {
    /// The row ID, which is not part of the record.
    case number
    case integer
    case text(longest: Int)
    case optionalText(longest: Int)
    case blob(longest: Int)
    /// 16 bytes.
    case identifier
    /// 16 bytes; anything else counts as null. Rows that were written before a migration added the column end before it.
    case addedIdentifier

    fileprivate var isAdded: Bool { if case .addedIdentifier = self { true } else { false } }
  }

  let table: String
  let columns: [(name: String, kind: Column)]
  /// Whether the rows are in an index b-tree, as those of a `WITHOUT ROWID` table are.
  var isKeyed = false
  /// The position of the column that identifies a row.
  var key = 0
  /// The column that counts how often the row was written, where there is one.
  var revision: Int?

  /// The shapes of all tables whose rows are kept. No two are alike.
  static let all = [
    RowShape(
      table: "vault",
      columns: [
        ("id", .number), ("vault_id", .identifier), ("generation", .integer),
        ("head", .blob(longest: LengthLimit.head)),
        ("open_settings", .text(longest: LengthLimit.plaintextSettings)),
        ("transaction_id", .addedIdentifier), ("previous_transaction_id", .addedIdentifier),
      ], revision: 2),
    RowShape(
      table: "slot",
      columns: [
        ("id", .identifier), ("kind", .integer), ("algorithm", .integer), ("iterations", .integer),
        ("memory_kib", .integer), ("salt", .identifier),
        ("sealed", .blob(longest: LengthLimit.sealedKey)),
      ]),
    RowShape(
      table: "card",
      columns: [
        ("number", .number), ("id", .identifier), ("revision", .integer),
        ("sealed", .blob(longest: LengthLimit.card)),
      ], revision: 2),
    RowShape(
      table: "document",
      columns: [
        ("name", .text(longest: LengthLimit.documentName)), ("revision", .integer),
        ("sealed", .blob(longest: LengthLimit.document)),
      ], isKeyed: true, revision: 1),
    RowShape(
      table: "content",
      columns: [
        ("number", .number), ("id", .identifier), ("sealed", .blob(longest: LengthLimit.content)),
      ]),
    RowShape(
      table: "history",
      columns: [
        ("number", .number), ("revision", .integer), ("id", .identifier),
        ("sealed", .blob(longest: LengthLimit.history)),
      ], revision: 1),
    RowShape(
      table: "lockout",
      columns: [
        ("id", .number), ("failed_attempts", .integer), ("wait_milliseconds", .integer),
        ("started_wall", .integer), ("started_boot", .integer),
        ("boot_id", .text(longest: LengthLimit.bootID)),
      ]),
    RowShape(
      table: "event",
      columns: [
        ("number", .number), ("at", .integer), ("kind", .text(longest: LengthLimit.eventText)),
        ("method", .optionalText(longest: LengthLimit.eventText)),
        ("reason", .optionalText(longest: LengthLimit.eventText)),
      ]),
  ]

  /// The row's values, if it is one of this table's; its number is put in its place.
  func values(of row: StoredRow) -> [StoredValue]? {
    guard (row.number == nil) == isKeyed, row.values.count <= columns.count else { return nil }
    // SQLite reads columns that a row does not have as null.
    var values = row.values + [StoredValue](repeating: .null, count: columns.count - row.values.count)
    for (index, column) in columns.enumerated() {
      guard index < row.values.count || column.kind.isAdded else { return nil }
      switch (column.kind, values[index]) {
      case (.number, .null):
        guard let number = row.number else { return nil }
        values[index] = .integer(number)
      case (.integer, .integer), (.optionalText, .null): break
      case (.identifier, .blob(let bytes)) where bytes.count == 16: break
      case (.addedIdentifier, .blob(let bytes)) where bytes.count == 16: break
      case (.addedIdentifier, _): values[index] = .null
      case (.blob(let longest), .blob(let bytes)) where bytes.count <= longest: break
      case (.text(let longest), .text(let bytes)), (.optionalText(let longest), .text(let bytes)):
        guard bytes.count <= longest, String(validating: bytes, as: UTF8.self) != nil else { return nil }
      default: return nil
      }
    }
    return values
  }
}
