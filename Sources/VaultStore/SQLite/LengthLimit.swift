/// The most bytes that a value in the file may have, and the most rows of a table. SQLite checks a value's length in the
/// row's header, before it reads the value: one that is longer is damage, however much of the file it fills. So no longer one
/// is written.
///
/// `protocol/VAULT-FORMAT.md`, "Lengths", lists the same numbers.
enum LengthLimit {
  /// A name or a statement in SQLite's own table of tables.
  static let schema = 10_000
  static let migrationName = 1_000
  /// A head with a full list has 1,667 bytes.
  static let head = 4_096
  static let plaintextSettings = 10_000
  /// The vault's row, with its other values.
  static let vaultRow = head + plaintextSettings + 100
  /// A sealed vault key. It has 48 bytes, but slots of unknown kinds may have others.
  static let sealedKey = 4_096
  static let bootID = 255
  static let eventText = 255
  /// Writers of 0.1.0 allowed texts of 29 MB.
  static let card = 32 << 20
  static let documentName = 1_000
  static let document = 1 << 20
  /// 64 tags each and the origin of a conflict copy have 1,090 bytes, sealed; a thousand each of the writes of replicas, the
  /// dots and the conflict copies, 66,000 more; earlier versions, 262,144.
  static let history = 3 << 17
  /// 10 MiB, sealed.
  static let content = 10_485_792
  /// 16 MiB and what describes them, sealed.
  static let rendition = 16_777_264
  /// Any row: a card's, with its other values.
  static let row = card + 1_024

  /// The most rows of `migration`.
  static let migrations = 1_000
  /// The most rows of `slot`.
  static let slots = 1_000
  /// The most rows of `document`.
  static let documents = 64
}

/// A value is longer than its ``LengthLimit``. Outside of ``Connection/withStatement(_:longest:_:)`` this is
/// `StoreError.corrupt`.
struct ValueTooLong: Error {}
