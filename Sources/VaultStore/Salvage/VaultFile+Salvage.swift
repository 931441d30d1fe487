import CSQLite
public import Wire

/// A sealed record that was found in a damaged file.
public struct SalvagedRecord: Sendable {
  /// The kind and id of a record.
  public enum Kind: Sendable, Hashable {
    case head
    case card(Identifier)
    case document(name: String)
    /// The history of a card.
    case history(Identifier)
  }

  public let kind: Kind
  /// The revision that its row has.
  public let revision: Int64
  public let sealed: [UInt8]
}

extension VaultFile {
  /// Salvages the rows of a file that SQLite refuses, page by page, into a temporary database that is deleted when it is
  /// closed. The file is not changed.
  ///
  /// The result is read like a vault. Cards, documents and slots cannot be written to it; changes to the lock-out and the
  /// log are lost when it is closed.
  ///
  /// - Parameters:
  ///   - path: the file; no connection of this process may have it open.
  ///   - isGenuine: whether a record opens. Of two rows with one key, the one that opens is kept, else the one with the
  ///     higher revision.
  ///   - endsEarly: whether it throws `CancellationError` if the task is cancelled.
  /// - Throws: `StoreError.corrupt` if the vault's own row or every slot is lost; `.newerVersion`; `.notFound`,
  ///   `.permissionDenied`, `.inputOutput`, `.notARegularFile`, `.outOfMemory`, `.diskFull`.
  public static func salvage(
    at path: String, endsEarly: Bool = false, isGenuine: @escaping (SalvagedRecord) -> Bool
  ) throws -> VaultFile {
    let path = try FilePath(path).absolute
    let status = try FileStatus.ofRegularFile(at: path)
    let image = try Connection(name: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try image.transaction(.write) {
      try image.createSchema(Schema.migrations)
      let salvage = Salvage(image: image, isGenuine: isGenuine, endsEarly: endsEarly)
      let source = try PageSource(path: path)
      try CellReader(source).forEachRow(salvage.take)
      if source.hasReservedBytes, try !image.hasHeadAndSlot {
        // A vault has reserved bytes only if another build of SQLite wrote it.
        try CellReader(PageSource(path: path, reserving: false)).forEachRow(salvage.take)
      }
    }
    guard try image.hasHeadAndSlot else { throw StoreError(.corrupt) }
    return VaultFile(
      path: path, connection: image, status: status, settings: ConnectionSettings(),
      schema: try image.schemaEntries(), kind: .salvaged)
  }
}

extension Connection {
  /// Whether there is a head and a slot, which opening the vault needs.
  fileprivate var hasHeadAndSlot: Bool {
    get throws {
      try ["vault", "slot"].allSatisfy { table in
        try withStatement("SELECT 1 FROM \(table)") { try $0.step() }
      }
    }
  }
}

/// Sorts the rows that are found into their tables.
private struct Salvage {
  let image: Connection
  let isGenuine: (SalvagedRecord) -> Bool
  let endsEarly: Bool

  func take(_ row: StoredRow) throws {
    if endsEarly { try Task.checkCancellation() }
    try checkMigrationRow(row)
    for shape in RowShape.all {
      guard let values = shape.values(of: row) else { continue }
      if try !insert(values, shape), try isBetter(values, shape) {
        try withKey(values, shape, "DELETE FROM \(shape.table)") { try $0.run() }
        _ = try insert(values, shape)
      }
      return
    }
  }

  /// Throws for the file of a newer program, which has migrations that are unknown here.
  private func checkMigrationRow(_ row: StoredRow) throws {
    guard row.number != nil, row.values.count == 2, case .text(let bytes) = row.values[0],
      case .integer(let position) = row.values[1], position >= Int64(Schema.migrations.count),
      bytes.count <= LengthLimit.migrationName, let name = String(validating: bytes, as: UTF8.self),
      name != "event"
    else { return }
    throw StoreError(.newerVersion)
  }

  /// Returns whether there was no row of this key.
  private func insert(_ values: [StoredValue], _ shape: RowShape) throws -> Bool {
    let names = shape.columns.map(\.name).joined(separator: ", ")
    let places = (1...values.count).map { "?\($0)" }.joined(separator: ", ")
    let sql = "INSERT OR IGNORE INTO \(shape.table) (\(names)) VALUES (\(places))"
    return try image.withStatement(sql) { statement in
      for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      try statement.run()
      return try image.changedRows == 1
    }
  }

  /// Returns whether a row is preferred to the one that has its key.
  private func isBetter(_ values: [StoredValue], _ shape: RowShape) throws -> Bool {
    guard let revision = shape.revision else { return false }
    let names = shape.columns.map(\.name).joined(separator: ", ")
    let other = try withKey(values, shape, "SELECT \(names) FROM \(shape.table)") { statement in
      try statement.step() ? try shape.columns.indices.map { try statement.value(Int32($0)) } : nil
    }
    // Without a conflict, a row that cannot be inserted violates the table's constraints.
    guard let other else { return false }
    let (isGood, otherIsGood) = (isGenuine(values, shape), isGenuine(other, shape))
    guard isGood == otherIsGood else { return isGood }
    guard case .integer(let new) = values[revision], case .integer(let old) = other[revision] else {
      return false
    }
    return new > old
  }

  private func isGenuine(_ values: [StoredValue], _ shape: RowShape) -> Bool {
    switch (shape.table, values.count > 3 ? Array(values[1...3]) : values) {
    case ("vault", let rest):
      guard case .integer(let generation) = rest[1], case .blob(let head) = rest[2] else { return false }
      return isGenuine(SalvagedRecord(kind: .head, revision: generation, sealed: head))
    case ("card", let rest):
      guard case .blob(let id) = rest[0], let id = Identifier(bytes: id),
        case .integer(let revision) = rest[1],
        case .blob(let sealed) = rest[2]
      else { return false }
      return values[0] == .integer(id.number)
        && isGenuine(SalvagedRecord(kind: .card(id), revision: revision, sealed: sealed))
    case ("history", let rest):
      guard case .integer(let revision) = rest[0], case .blob(let id) = rest[1],
        let id = Identifier(bytes: id),
        case .blob(let sealed) = rest[2]
      else { return false }
      return values[0] == .integer(id.number)
        && isGenuine(SalvagedRecord(kind: .history(id), revision: revision, sealed: sealed))
    case ("document", let rest):
      guard case .text(let bytes) = rest[0], case .integer(let revision) = rest[1],
        case .blob(let sealed) = rest[2], let name = String(validating: bytes, as: UTF8.self)
      else { return false }
      return isGenuine(SalvagedRecord(kind: .document(name: name), revision: revision, sealed: sealed))
    default: return false
    }
  }

  private func withKey<Value>(
    _ values: [StoredValue], _ shape: RowShape, _ sql: String, _ body: (Statement) throws -> Value
  ) throws -> Value {
    try image.withStatement("\(sql) WHERE \(shape.columns[shape.key].name) = ?1") { statement in
      try statement.bind(values[shape.key], at: 1)
      return try body(statement)
    }
  }
}

extension Statement {
  fileprivate func bind(_ value: StoredValue, at index: Int32) throws {
    switch value {
    case .null: try bind(nil as String?, at: index)
    case .integer(let number): try bind(number, at: index)
    case .text(let bytes): try bind(String(decoding: bytes, as: UTF8.self), at: index)
    case .blob(let bytes): try bind(bytes, at: index)
    }
  }

  fileprivate func value(_ column: Int32) throws -> StoredValue {
    if let text = try? optionalText(column) { return .text(Array(text.utf8)) }
    if let number = try? integer(column) { return .integer(number) }
    return (try? bytes(column)).map { .blob($0) } ?? .null
  }
}
