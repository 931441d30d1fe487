extension Connection {
  /// Creates the table of migrations in an empty file and runs every migration, in the caller's transaction.
  func createSchema(_ migrations: [Migration]) throws {
    try executeScript(Schema.migrationTable)
    for (position, migration) in migrations.enumerated() {
      try apply(migration, at: position)
    }
  }

  /// Checks, without writing, that the file is a vault this program knows, in the shape its migrations gave
  /// it.
  ///
  /// Throws `StoreError.newerVersion` for a format version or a migration that is not known here, and
  /// `StoreError.corrupt` if the tables are not what the recorded migrations make: a trigger or a view
  /// slipped into the file is found here.
  func checkSchema(_ migrations: [Migration]) throws {
    guard try pragma("application_id", { try $0.integer(0) }) == Int64(Schema.applicationID) else {
      throw StoreError(.notAVault)
    }
    let version = try pragma("user_version") { try $0.integer(0) } ?? 0
    guard version <= Int64(Schema.formatVersion) else { throw StoreError(.newerVersion) }
    guard try hasTable("migration") else { throw StoreError(.corrupt) }
    let applied = try countApplied(migrations)
    let model = try Connection(path: ":memory:")
    try model.createSchema(Array(migrations.prefix(applied)))
    guard try schemaEntries() == model.schemaEntries() else { throw StoreError(.corrupt) }
  }

  /// Whether no migration is pending that needs no head.
  func isMigrated(_ migrations: [Migration]) throws -> Bool {
    try migrations.dropFirst(countApplied(migrations)).allSatisfy(\.needsHead)
  }

  /// Runs the pending migrations that need no head, each in its own transaction.
  ///
  /// Another process may migrate at the same time, so the pending migrations are read again inside each transaction.
  func migrate(_ migrations: [Migration]) throws {
    var applied = try countApplied(migrations)
    while applied < migrations.count, !migrations[applied].needsHead {
      applied = try transaction(.write) {
        let position = try countApplied(migrations)
        guard position < migrations.count, !migrations[position].needsHead else { return position }
        try apply(migrations[position], at: position)
        return position + 1
      }
    }
  }

  /// Runs all pending migrations, in the caller's transaction.
  func applyPending(_ migrations: [Migration]) throws {
    for position in try countApplied(migrations)..<migrations.count {
      try apply(migrations[position], at: position)
    }
  }

  private func apply(_ migration: Migration, at position: Int) throws {
    if !migration.script.isEmpty { try executeScript(migration.script) }
    try withStatement("INSERT INTO migration (name, position) VALUES (?1, ?2)") { statement in
      try statement.bind(migration.name, at: 1)
      try statement.bind(Int64(position), at: 2)
      try statement.run()
    }
  }

  /// The number of migrations that have run; the table must list them from the first, in order.
  private func countApplied(_ migrations: [Migration]) throws -> Int {
    let known = Set(migrations.map(\.name))
    // The rows themselves, not an index.
    let rows = "SELECT name, position FROM migration NOT INDEXED LIMIT \(LengthLimit.migrations + 1)"
    let sql = "SELECT name, position FROM (\(rows)) ORDER BY position"
    return try withStatement(sql, longest: LengthLimit.migrationName) { statement in
      var count = 0
      var isInOrder = true
      while try statement.step() {
        let name = try statement.text(0, atMost: LengthLimit.migrationName)
        // A newer program appends; an unknown name among those that are known here is damage.
        guard known.contains(name) || count < migrations.count else { throw StoreError(.newerVersion) }
        guard count < migrations.count else { throw StoreError(.corrupt) }
        if migrations[count].name != name { isInOrder = false }
        if try statement.integer(1) != Int64(count) { isInOrder = false }
        count += 1
      }
      guard isInOrder else { throw StoreError(.corrupt) }
      return count
    }
  }

  private func hasTable(_ name: String) throws -> Bool {
    try withStatement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1") { statement in
      try statement.bind(name, at: 1)
      return try statement.step()
    }
  }

  /// Every table, index, view and trigger in the file.
  func schemaEntries() throws -> [[String?]] {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    return try withStatement(sql, longest: LengthLimit.schema) { statement in
      var entries: [[String?]] = []
      while try statement.step() {
        entries.append(try (0..<4).map { try statement.optionalText($0, atMost: LengthLimit.schema) })
      }
      return entries
    }
  }
}
