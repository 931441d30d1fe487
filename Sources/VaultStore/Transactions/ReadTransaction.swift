public import Wire

/// One consistent snapshot of the vault. It exists only inside the closure of `VaultFile.read` or, as
/// `WriteTransaction.read`, of `VaultFile.write`.
///
/// Every method throws a `StoreError`: `.corrupt` if the file is damaged, `.inputOutput`, `.outOfMemory`.
public struct ReadTransaction: ~Copyable {
  let connection: Connection

  init(connection: Connection) {
    self.connection = connection
  }

  /// The vault's row. A head or plain settings that are too long are empty, which is damage too.
  public func vault() throws -> VaultRow {
    let sql = "SELECT vault_id, generation FROM vault WHERE id = 1"
    return try withStatement(sql, longest: LengthLimit.plaintextSettings) { row in
      guard try row.step() else { throw StoreError(.corrupt) }
      return VaultRow(
        vaultID: try row.identifier(0), generation: try row.integer(1), head: try head() ?? [],
        plaintextSettings: try plaintextSettings() ?? "")
    }
  }

  private func head() throws -> [UInt8]? {
    let sql = "SELECT vault_id, head FROM vault WHERE id = 1"
    return try withStatement(sql, longest: LengthLimit.head, ifTooLong: nil) { row in
      guard try row.step() else { throw StoreError(.corrupt) }
      return try row.bytes(1, atMost: LengthLimit.head)
    }
  }

  /// The vault's id.
  public func vaultID() throws -> Identifier {
    try withStatement("SELECT vault_id FROM vault WHERE id = 1", longest: LengthLimit.plaintextSettings) {
      row in
      guard try row.step() else { throw StoreError(.corrupt) }
      return try row.identifier(0)
    }
  }

  /// The settings that are readable before unlocking; nil if they are too long, or the head is.
  public func plaintextSettings() throws -> String? {
    // To reach a value, SQLite reads those before it in the row, so that these are checked first.
    let sql = "SELECT vault_id, head, open_settings FROM vault WHERE id = 1"
    return try withStatement(sql, longest: LengthLimit.plaintextSettings, ifTooLong: nil) { row in
      guard try row.step() else { throw StoreError(.corrupt) }
      return try row.text(2, atMost: LengthLimit.plaintextSettings)
    }
  }

  /// ``VaultFile/dataVersion()`` as it is in this snapshot.
  public func dataVersion() throws -> Int64 {
    try withStatement("PRAGMA data_version") { try $0.step() ? $0.integer(0) : 0 }
  }

  /// All slots, oldest first.
  public func slots() throws -> [SlotRow] {
    let sql = """
      SELECT id, kind, algorithm, iterations, memory_kib, salt, sealed FROM slot
      ORDER BY rowid LIMIT \(LengthLimit.slots + 1)
      """
    return try withStatement(sql, longest: LengthLimit.sealedKey) { row in
      var slots: [SlotRow] = []
      while try row.step() {
        guard slots.count < LengthLimit.slots else { throw StoreError(.corrupt) }
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
  public func bindsPlainRows() throws -> Bool { try hasMigration(Schema.plainRowsStep) }

  /// Whether histories may have version vectors.
  public func allowsVersionVectors() throws -> Bool { try hasMigration(Schema.versionVectorStep) }

  /// Whether the file has the latest shape.
  func hasEveryStep() throws -> Bool { try hasMigration(Schema.latestStep) }

  /// Whether the vault's row has the IDs of the last two transactions.
  func hasTransactionIDs() throws -> Bool { try hasMigration(Schema.transactionIDStep) }

  private func hasMigration(_ step: String) throws -> Bool {
    let sql = "SELECT 1 FROM migration NOT INDEXED WHERE name = ?1"
    return try withStatement(sql, longest: LengthLimit.migrationName) { row in
      try row.bind(step, at: 1)
      return try row.step()
    }
  }

  /// Whether there is a slot with this id. Slots that are damaged do not count.
  public func hasSlot(_ id: Identifier) throws -> Bool {
    // The rows themselves: in an index, SQLite compares whole values, however long.
    let sql = "SELECT 1 FROM (SELECT id FROM slot NOT INDEXED LIMIT \(LengthLimit.slots)) WHERE id = ?1"
    return try withStatement(sql, longest: LengthLimit.sealedKey, ifTooLong: false) { row in
      try row.bind(id, at: 1)
      return try row.step()
    }
  }

  /// The card with this id, or nil.
  public func card(_ id: Identifier) throws -> CardRow? {
    try withStatement("SELECT id, revision, sealed FROM card WHERE number = ?1") { row in
      try row.bind(id.number, at: 1)
      guard try row.step(), try row.identifier(0) == id else { return nil }
      return CardRow(
        id: id, revision: try row.integer(1), sealed: try row.bytes(2, atMost: LengthLimit.card))
    }
  }

  /// The number of cards. Visits every page that holds cards.
  public func cardCount() throws -> Int {
    try withStatement("SELECT count(*) FROM card") { row in
      guard try row.step() else { throw StoreError(.corrupt) }
      return try row.integer(0, as: Int.self)
    }
  }

  /// The document with this name, or nil.
  public func document(_ name: String) throws -> DocumentRow? {
    // Visits every row: to search, SQLite compares whole rows, however long.
    let sql = "SELECT revision, sealed FROM document WHERE +name = ?1"
    return try withStatement(sql, longest: LengthLimit.document) { row in
      try row.bind(name, at: 1)
      guard try row.step() else { return nil }
      return DocumentRow(
        name: name, revision: try row.integer(0), sealed: try row.bytes(1, atMost: LengthLimit.document))
    }
  }

  /// All documents, by name.
  public func documents() throws -> [DocumentRow] {
    let sql = "SELECT name, revision, sealed FROM document ORDER BY name LIMIT \(LengthLimit.documents + 1)"
    return try withStatement(sql, longest: LengthLimit.document) { row in
      var documents: [DocumentRow] = []
      while try row.step() {
        guard documents.count < LengthLimit.documents else { throw StoreError(.corrupt) }
        documents.append(
          DocumentRow(
            name: try row.text(0, atMost: LengthLimit.documentName), revision: try row.integer(1),
            sealed: try row.bytes(2, atMost: LengthLimit.document)))
      }
      return documents
    }
  }

  /// The state of failed attempts, or nil when there is none to remember.
  public func lockout() throws -> LockoutRow? {
    let sql =
      "SELECT failed_attempts, wait_milliseconds, started_wall, started_boot FROM lockout WHERE id = 1"
    return try withStatement(sql, longest: LengthLimit.bootID) { row in
      guard try row.step() else { return nil }
      return LockoutRow(
        failedAttempts: try row.integer(0), waitMilliseconds: try row.integer(1),
        startedWall: try row.integer(2), startedBoot: try row.integer(3), bootID: try bootID())
    }
  }

  /// The run of the kernel that the row of `lockout` names; empty if the name is too long to be one.
  private func bootID() throws -> String {
    let sql = "SELECT boot_id FROM lockout WHERE id = 1"
    return try withStatement(sql, longest: LengthLimit.bootID, ifTooLong: "") { row in
      try row.step() ? row.text(0, atMost: LengthLimit.bootID) : ""
    }
  }

  /// The newest events, newest first: at most `limit`, of the at most 1,000 that are kept. The list ends before an event
  /// with a text that is too long.
  public func events(limit: Int = WriteTransaction.keptEvents) throws -> [EventRow] {
    let sql = "SELECT at, kind, method, reason FROM event ORDER BY number DESC LIMIT ?1"
    return try withStatement(sql, longest: LengthLimit.eventText) { row in
      try row.bind(Int64(min(max(0, limit), WriteTransaction.keptEvents)), at: 1)
      var events: [EventRow] = []
      do {
        while try row.step() { events.append(try event(row)) }
      } catch is ValueTooLong {}
      return events
    }
  }

  private func event(_ row: Statement) throws -> EventRow {
    let longest = LengthLimit.eventText
    return EventRow(
      at: try row.integer(0), kind: try row.text(1, atMost: longest),
      method: try row.optionalText(2, atMost: longest), reason: try row.optionalText(3, atMost: longest))
  }

  /// Runs `body` with a statement if the transaction is still open: after SQLite ended it, the statement would run outside
  /// of it.
  func withStatement<Value>(
    _ sql: String, longest: Int = LengthLimit.row, _ body: (Statement) throws -> Value
  ) throws -> Value {
    guard connection.isInTransaction else { throw StoreError(.rolledBack) }
    return try connection.withStatement(sql, longest: longest, body)
  }

  /// Runs `body` with a statement. If a value is too long, returns another value, and it is no error.
  func withStatement<Value>(
    _ sql: String, longest: Int, ifTooLong other: Value, _ body: (Statement) throws -> Value
  ) throws -> Value {
    try withStatement(sql, longest: longest) { row in
      do { return try body(row) } catch is ValueTooLong { return other }
    }
  }
}
