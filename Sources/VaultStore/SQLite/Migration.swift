import Synchronization

/// One step from an older shape of the vault file to the next.
///
/// Migrations have names and are only ever appended: one that has been released is never edited, moved or taken out,
/// because existing vaults record that it ran. A vault that records a name that is not in the list was migrated by a
/// newer program.
struct Migration: Sendable {
  /// The name that the vault's `migration` table records.
  let name: String
  /// The statements, run together in one transaction.
  let script: String
  /// Whether the step is taken only when a head is written, which needs the vault's key, and not when the file is opened.
  var needsHead = false
}

/// The shape of a vault file.
enum Schema {
  /// "QVLT" in SQLite's header at offset 68.
  static let applicationID: UInt32 = 0x5156_4c54
  /// The format's version in SQLite's header at offset 60.
  static let formatVersion: UInt32 = 1

  /// The names of the migrations that have run, in order.
  static let migrationTable = """
    CREATE TABLE migration (
      name TEXT PRIMARY KEY,
      position INTEGER NOT NULL UNIQUE
    ) STRICT;
    """

  /// From this step on the sealed head accounts for slots and plain settings, and there is always a row of `lockout`.
  static let plainRowsStep = "slots and plain settings in the head"

  /// From this step on histories may have version vectors.
  static let versionVectorStep = "version vectors in histories"

  /// From this step on the vault's row has the IDs of the last two transactions.
  static let transactionIDStep = "transaction IDs"

  /// From this step on cards may be of the type of an invoice title and in the trash, and histories may have earlier versions.
  static let latestStep = "invoice titles, earlier versions, trash"

  /// Every migration there has ever been, oldest first.
  static let migrations = [
    Migration(
      name: "vault, slots, cards, documents, lockout, events",
      script: """
        CREATE TABLE vault (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          vault_id BLOB NOT NULL CHECK (length(vault_id) = 16),
          generation INTEGER NOT NULL,
          head BLOB NOT NULL,
          open_settings TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE TABLE slot (
          id BLOB PRIMARY KEY CHECK (length(id) = 16),
          kind INTEGER NOT NULL,
          algorithm INTEGER NOT NULL,
          iterations INTEGER NOT NULL,
          memory_kib INTEGER NOT NULL,
          salt BLOB NOT NULL CHECK (length(salt) = 16),
          sealed BLOB NOT NULL
        ) STRICT;
        CREATE TABLE card (
          number INTEGER PRIMARY KEY,
          id BLOB NOT NULL CHECK (length(id) = 16),
          revision INTEGER NOT NULL,
          sealed BLOB NOT NULL
        ) STRICT;
        CREATE TABLE document (
          name TEXT PRIMARY KEY,
          revision INTEGER NOT NULL,
          sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lockout (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          failed_attempts INTEGER NOT NULL,
          wait_milliseconds INTEGER NOT NULL,
          started_wall INTEGER NOT NULL,
          started_boot INTEGER NOT NULL,
          boot_id TEXT NOT NULL
        ) STRICT;
        CREATE TABLE event (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          at INTEGER NOT NULL,
          kind TEXT NOT NULL,
          method TEXT,
          reason TEXT
        ) STRICT;
        """),
    Migration(
      name: "histories",
      script: """
        CREATE TABLE history (
          number INTEGER PRIMARY KEY,
          revision INTEGER NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 16),
          sealed BLOB NOT NULL
        ) STRICT;
        """),
    Migration(
      name: "attachments",
      script: """
        CREATE TABLE content (
          number INTEGER PRIMARY KEY,
          id BLOB NOT NULL CHECK (length(id) = 16),
          sealed BLOB NOT NULL
        ) STRICT;
        CREATE TABLE rendition (
          number INTEGER NOT NULL REFERENCES content (number),
          size INTEGER NOT NULL,
          sealed BLOB NOT NULL,
          PRIMARY KEY (number, size)
        ) STRICT;
        """),
    Migration(name: plainRowsStep, script: "", needsHead: true),
    Migration(name: versionVectorStep, script: "", needsHead: true),
    Migration(
      name: transactionIDStep,
      script: """
        ALTER TABLE vault ADD COLUMN transaction_id BLOB;
        ALTER TABLE vault ADD COLUMN previous_transaction_id BLOB;
        """, needsHead: true),
    Migration(name: latestStep, script: "", needsHead: true),
  ]
}

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
    let model = try Self.modelEntries(Array(migrations.prefix(applied)))
    guard try schemaEntries() == model else { throw StoreError(.corrupt) }
  }

  /// What ``modelEntries(_:)`` returned, by the scripts.
  private static let models = Mutex<[[String]: [[String?]]]>([:])

  /// The entries of a schema that migrations make. Making it takes a millisecond, so that each is made once.
  private static func modelEntries(_ migrations: [Migration]) throws -> [[String?]] {
    let scripts = migrations.map(\.script)
    if let known = models.withLock({ $0[scripts] }) { return known }
    let model = try Connection(path: ":memory:")
    try model.createSchema(migrations)
    let entries = try model.schemaEntries()
    models.withLock { $0[scripts] = entries }
    return entries
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
