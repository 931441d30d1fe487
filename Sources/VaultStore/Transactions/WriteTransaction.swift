import CSQLite
public import Wire

/// The one writing transaction of all processes. It exists only inside the closure of `VaultFile.write`.
///
/// Reading inside it goes through `read`, and sees what was written so far. Every method throws a
/// `StoreError`; beside those named at each, `.diskFull`, `.inputOutput`, `.corrupt`, `.tooLarge`, and
/// `.rolledBack` after an error with which SQLite ended the transaction. An error that is caught leaves what
/// was written before it in the transaction.
public struct WriteTransaction: ~Copyable {
  /// Reading, inside this transaction.
  public let read: ReadTransaction

  private let progress = Progress()

  /// The kinds of rows that were written, and whether the head was updated for them and the transaction has an ID.
  private final class Progress {
    var hasChanges = false
    var hasID = false
    var hasPlainChanges = false
    var hasSealedChanges = false
    var hasNewHead = false
  }

  /// Whether sealed records can be written; false for a file that was salvaged.
  private let keepsRecords: Bool

  init(connection: Connection, keepsRecords: Bool = true) {
    read = ReadTransaction(connection: connection)
    self.keepsRecords = keepsRecords
  }

  /// Throws `StoreError.corrupt` if the records are read-only.
  func checkKeepsRecords() throws {
    guard keepsRecords else { throw StoreError(.corrupt) }
  }

  /// Throws `StoreError.headNotAdvanced` when cards or documents were written but the head was not.
  func finish() throws {
    if progress.hasSealedChanges || progress.hasNewHead { try checkKeepsRecords() }
    guard !progress.hasSealedChanges || progress.hasNewHead else { throw StoreError(.headNotAdvanced) }
    if progress.hasChanges { try setID() }
  }

  // MARK: Plain rows

  /// Whether slots or plain settings were written: the head must account for them.
  public var hasPlainChanges: Bool { progress.hasPlainChanges }

  /// Records that the head accounts for slots and plain settings from now on, and makes the row of `lockout`. The caller
  /// writes such a head in the same transaction. Takes all later steps of the format as well.
  public func bindPlainRows() throws {
    guard try !read.bindsPlainRows() else { return }
    try read.connection.applyPending(Schema.migrations)
    if try read.lockout() == nil { try setLockout(.none) }
    notePlainChange()
  }

  /// Records that histories may have version vectors, which older programs do not know.
  public func allowVersionVectors() throws {
    try bindPlainRows()
    if try !read.allowsVersionVectors() { try read.connection.applyPending(Schema.migrations) }
  }

  /// Notes that slots or plain settings were written.
  func notePlainChange() {
    progress.hasPlainChanges = true
  }

  // MARK: Vault

  /// Replaces the sealed head. `generation` is the one that the head was sealed for: the vault's plus one.
  ///
  /// Throws `StoreError.conflict` when the vault's generation is not the one before.
  public func putHead(_ head: [UInt8], generation: Int64) throws {
    guard generation > 0 else { throw StoreError(.conflict) }
    if try read.bindsPlainRows(), try !read.hasEveryStep() {
      try read.connection.applyPending(Schema.migrations)
    }
    try setID()
    let sql = "UPDATE vault SET generation = ?1, head = ?2 WHERE id = 1 AND generation = ?1 - 1"
    let changed = try change(sql) { statement in
      try statement.bind(generation, at: 1)
      try statement.bind(head, at: 2)
    }
    guard changed == 1 else { throw StoreError(.conflict) }
    progress.hasNewHead = true
  }

  /// Replaces the settings that are readable before unlocking. The caller answers for the text being lines
  /// `name=value`.
  public func setPlaintextSettings(_ text: String) throws {
    let changed = try change("UPDATE vault SET open_settings = ?1 WHERE id = 1") { try $0.bind(text, at: 1) }
    guard changed == 1 else { throw StoreError(.corrupt) }
    notePlainChange()
  }

  /// Gives the transaction an ID, after that of the last one, if the file has IDs.
  ///
  /// ``LogOrigin`` tells by them whether a log continues a file. A row that is too long, which is damage, keeps what it has.
  private func setID() throws {
    guard !progress.hasID, try read.hasTransactionIDs() else { return }
    progress.hasID = true
    let sql = """
      UPDATE vault SET transaction_id = randomblob(16), previous_transaction_id = CASE
      WHEN length(transaction_id) = 16 THEN transaction_id
      WHEN length(head) >= 16 THEN substr(head, 1, 16) END WHERE id = 1
      """
    try read.withStatement(sql, longest: LengthLimit.vaultRow, ifTooLong: ()) { try $0.run() }
  }

  /// Writes the vault's row when its file is made.
  public func insertVault(_ row: VaultRow) throws {
    let sql = """
      INSERT INTO vault (id, vault_id, generation, head, open_settings, transaction_id)
      VALUES (1, ?1, ?2, ?3, ?4, randomblob(16))
      """
    try insert(sql, taken: .recordExists) { statement in
      try statement.bind(row.vaultID, at: 1)
      try statement.bind(row.generation, at: 2)
      try statement.bind(row.head, at: 3)
      try statement.bind(row.plaintextSettings, at: 4)
    }
  }

  // MARK: Running

  /// Notes that a sealed record was written, for `finish`.
  func noteSealedChange() {
    progress.hasSealedChanges = true
  }

  /// Runs a statement and returns the number of rows it changed.
  func change(_ sql: String, _ bind: (Statement) throws -> Void) throws -> Int64 {
    try read.withStatement(sql) { statement in
      try bind(statement)
      try statement.run()
      let count = try read.connection.changedRows
      if count > 0 { progress.hasChanges = true }
      return count
    }
  }

  /// Runs an insertion, throwing `taken` when another row has its key.
  func insert(
    _ sql: String, taken: StoreError.Kind, file: StaticString = #fileID, line: Int = #line,
    _ bind: (Statement) throws -> Void
  ) throws {
    do {
      guard try change(sql, bind) == 1 else { throw StoreError(.internalFailure(code: SQLITE_MISUSE)) }
    } catch let error as StoreError {
      guard let code = error.origin.sqliteCode, Self.duplicateKey.contains(code) else { throw error }
      throw StoreError(taken, file: file, line: line)
    }
  }

  /// SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID, which Swift cannot import.
  private static let duplicateKey: Set<Int32> = [6, 8, 10].reduce(into: []) {
    $0.insert(SQLITE_CONSTRAINT | $1 << 8)
  }

  /// Adds the sealed content of an attachment. Throws `StoreError.rowIDCollision` when another has the same number; the
  /// caller draws a new id.
  public func insertContent(_ id: Identifier, _ sealed: RawSpan) throws {
    try insert(
      "INSERT INTO content (number, id, sealed) VALUES (?1, ?2, ?3)", taken: .rowIDCollision, sealed,
      atMost: LengthLimit.content
    ) {
      statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(id, at: 2)
    }
    noteSealedChange()
  }

  /// Deletes the sealed content of an attachment with its renditions; the bytes in the file are overwritten.
  ///
  /// Throws `StoreError.recordNotFound` if there is none.
  public func deleteContent(_ id: Identifier) throws {
    try deleteRenditions(of: id)
    let changed = try change("DELETE FROM content WHERE number = ?1 AND id = ?2") { statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(id, at: 2)
    }
    guard changed == 1 else { throw StoreError(.recordNotFound) }
    noteSealedChange()
  }

  /// Keeps a sealed rendition of an attachment, in place of the one of the same size.
  public func putRendition(of id: Identifier, size: Int64, _ sealed: RawSpan) throws {
    let sql = "INSERT OR REPLACE INTO rendition (number, size, sealed) VALUES (?1, ?2, ?3)"
    try insert(sql, taken: .recordExists, sealed, atMost: LengthLimit.rendition) { statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(size, at: 2)
    }
  }

  /// Deletes every rendition of an attachment. There need not be any.
  public func deleteRenditions(of id: Identifier) throws {
    _ = try change("DELETE FROM rendition WHERE number = ?1") { try $0.bind(id.number, at: 1) }
  }

  /// Inserts a row whose third value is bytes that are too many to be copied.
  private func insert(
    _ sql: String, taken: StoreError.Kind, _ bytes: RawSpan, atMost limit: Int,
    _ bind: (Statement) throws -> Void
  ) throws {
    try unsafe bytes.withUnsafeBytes { bytes in
      try insert(sql, taken: taken) { statement in
        try bind(statement)
        try unsafe statement.bindWithoutCopying(bytes, at: 3, atMost: limit)
      }
    }
  }
}
