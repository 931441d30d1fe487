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
