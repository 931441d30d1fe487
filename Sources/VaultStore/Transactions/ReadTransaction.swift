public import Identifiers

/// One consistent snapshot of the vault. It exists only inside the closure of `VaultFile.read` or, as
/// `WriteTransaction.read`, of `VaultFile.write`.
///
/// Every method throws a `StoreError`: `.corrupt` if the file is damaged, `.inputOutput`, `.outOfMemory`.
public struct ReadTransaction: ~Copyable {
  let connection: Connection

  init(connection: Connection) {
    self.connection = connection
  }

  /// The vault's row.
  public func vault() throws -> VaultRow {
    let sql = "SELECT vault_id, generation, head, open_settings FROM vault WHERE id = 1"
    return try withStatement(sql) { row in
      guard try row.step() else { throw StoreError.corrupt }
      return VaultRow(
        vaultID: try row.identifier(0), generation: try row.integer(1), head: try row.bytes(2),
        openSettings: try row.text(3))
    }
  }

  /// ``VaultFile/dataVersion()`` as it is in this snapshot.
  public func dataVersion() throws -> Int64 {
    try withStatement("PRAGMA data_version") { try $0.step() ? $0.integer(0) : 0 }
  }

  /// All slots, oldest first.
  public func slots() throws -> [SlotRow] {
    let sql = "SELECT id, kind, algorithm, iterations, memory_kib, salt, sealed FROM slot ORDER BY rowid"
    return try withStatement(sql) { row in
      var slots: [SlotRow] = []
      while try row.step() {
        slots.append(
          SlotRow(
            id: try row.identifier(0), kind: try row.integer(1, as: UInt8.self),
            algorithm: try row.integer(2, as: UInt8.self), iterations: try row.integer(3, as: UInt32.self),
            memoryKiB: try row.integer(4, as: UInt32.self), salt: try row.identifier(5).bytes,
            sealed: try row.bytes(6)))
      }
      return slots
    }
  }

  /// Whether the head accounts for slots and plain settings, and there is always a row of `lockout`: false for a vault of
  /// the older format.
  public func bindsPlainRows() throws -> Bool {
    try withStatement("SELECT 1 FROM migration NOT INDEXED WHERE name = ?1") { row in
      try row.bind(Schema.plainRowsStep, at: 1)
      return try row.step()
    }
  }

  /// Whether there is a slot with this id.
  public func hasSlot(_ id: Identifier) throws -> Bool {
    try withStatement("SELECT 1 FROM slot WHERE id = ?1") { row in
      try row.bind(id, at: 1)
      return try row.step()
    }
  }

  /// The card with this id, or nil.
  public func card(_ id: Identifier) throws -> CardRow? {
    try withStatement("SELECT id, revision, sealed FROM card WHERE number = ?1") { row in
      try row.bind(id.number, at: 1)
      guard try row.step(), try row.identifier(0) == id else { return nil }
      return CardRow(id: id, revision: try row.integer(1), sealed: try row.bytes(2))
    }
  }

  /// The number of cards. Visits every page that holds cards.
  public func cardCount() throws -> Int {
    try withStatement("SELECT count(*) FROM card") { row in
      guard try row.step() else { throw StoreError.corrupt }
      return try row.integer(0, as: Int.self)
    }
  }

  /// The document with this name, or nil.
  public func document(_ name: String) throws -> DocumentRow? {
    try withStatement("SELECT revision, sealed FROM document WHERE name = ?1") { row in
      try row.bind(name, at: 1)
      guard try row.step() else { return nil }
      return DocumentRow(name: name, revision: try row.integer(0), sealed: try row.bytes(1))
    }
  }

  /// All documents, by name.
  public func documents() throws -> [DocumentRow] {
    try withStatement("SELECT name, revision, sealed FROM document ORDER BY name") { row in
      var documents: [DocumentRow] = []
      while try row.step() {
        documents.append(
          DocumentRow(name: try row.text(0), revision: try row.integer(1), sealed: try row.bytes(2)))
      }
      return documents
    }
  }

  /// The state of failed attempts, or nil when there is none to remember.
  public func lockout() throws -> LockoutRow? {
    let sql = """
      SELECT failed_attempts, wait_milliseconds, started_wall, started_boot, boot_id FROM lockout WHERE id = 1
      """
    return try withStatement(sql) { row in
      guard try row.step() else { return nil }
      return LockoutRow(
        failedAttempts: try row.integer(0), waitMilliseconds: try row.integer(1),
        startedWall: try row.integer(2), startedBoot: try row.integer(3), bootID: try row.text(4))
    }
  }

  /// The newest events, newest first: at most `limit`, of the at most 1,000 that are kept.
  public func events(limit: Int = 1_000) throws -> [EventRow] {
    try withStatement("SELECT at, kind, method, reason FROM event ORDER BY number DESC LIMIT ?1") { row in
      try row.bind(Int64(max(0, limit)), at: 1)
      var events: [EventRow] = []
      while try row.step() {
        events.append(
          EventRow(
            at: try row.integer(0), kind: try row.text(1), method: try row.optionalText(2),
            reason: try row.optionalText(3)))
      }
      return events
    }
  }

  /// Runs `body` with a statement if the transaction is still open: after SQLite ended it, the statement would run outside
  /// of it.
  func withStatement<Value>(_ sql: String, _ body: (Statement) throws -> Value) throws -> Value {
    guard connection.isInTransaction else { throw StoreError.rolledBack }
    return try connection.withStatement(sql, body)
  }
}
