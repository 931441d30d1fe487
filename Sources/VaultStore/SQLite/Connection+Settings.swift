import CSQLite

/// The settings of a connection; the defaults are those for vaults.
struct ConnectionSettings {
  /// How long a call may wait for another process's lock, in milliseconds. It holds the event loop's thread, and so does not
  /// exceed what a lock may wait; see ``VaultFile/writeTimeout``.
  var busyTimeoutMilliseconds: Int32 = 30
  /// The most that SQLite's page cache may take, in KiB.
  var pageCacheKiB: Int64 = 2_048
  /// The size limit of the write-ahead log after a checkpoint, in bytes.
  var logBytes: Int64 = 4 << 20
  /// The most pages that the file may have; a seam with which tests fill it.
  var maximumPages: Int64?
}

extension Connection {
  /// Sets up the connection for a file that may be hostile, and checks that each setting holds.
  ///
  /// Nothing is written. Source: <https://www.sqlite.org/security.html>, "Untrusted SQLite Database Files".
  func configure(_ settings: ConnectionSettings) throws {
    try setBusyTimeout(milliseconds: settings.busyTimeoutMilliseconds)
    try setOption(SQLITE_DBCONFIG_DEFENSIVE, true)
    try setOption(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try setOption(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    try setOption(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    try setOption(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try setOption(SQLITE_DBCONFIG_WRITABLE_SCHEMA, false)
    try setOption(SQLITE_DBCONFIG_DQS_DDL, false)
    try setOption(SQLITE_DBCONFIG_DQS_DML, false)
    try setOption(SQLITE_DBCONFIG_ENABLE_FKEY, true)
    try setLimit(SQLITE_LIMIT_ATTACHED, 0)
    // What SQLite reads by itself, which is the list of tables.
    try setLimit(SQLITE_LIMIT_LENGTH, Int32(LengthLimit.schema))
    try setPragma("temp_store", 2)
    try setPragma("foreign_keys", 1)
    try setPragma("synchronous", 2)
    try setPragma("secure_delete", 1)
    try setPragma("cache_size", -settings.pageCacheKiB)
    try setPragma("journal_size_limit", settings.logBytes)
    // Mapped pages would make scans a little faster, but count as memory of the process, and kill it with a bus error
    // when somebody cuts the file off. A build without mapping answers with no row.
    _ = try pragma("mmap_size = 0") { try $0.integer(0) }
    if let pages = settings.maximumPages {
      _ = try pragma("max_page_count = \(pages)") { try $0.integer(0) }
    }
  }

  /// Turns the write-ahead log on, if it is not on already.
  ///
  /// Throws `StoreError.unsupportedFileSystem` if the file's place cannot have one.
  func useWriteAheadLog() throws {
    let mode = try pragma("journal_mode = WAL") { try $0.text(0) }
    guard mode == "wal" else { throw StoreError(.unsupportedFileSystem) }
  }

  /// The first row that a pragma answers with, or nil when it answers with none.
  func pragma<Value>(_ text: String, _ read: (Statement) throws -> Value) throws -> Value? {
    try withStatement("PRAGMA " + text) { try $0.step() ? try read($0) : nil }
  }

  private func setPragma(_ name: String, _ value: Int64) throws {
    _ = try pragma("\(name) = \(value)") { _ in }
    guard try pragma(name, { try $0.integer(0) }) == value else {
      throw StoreError(.internalFailure(code: SQLITE_MISUSE))
    }
  }

  /// The number of pages between two reports: one mebibyte at the default page size.
  private static let pagesInStep: Int32 = 256

  /// Opens a file that nobody writes to, without a lock, log or journal.
  convenience init(immutable path: String) throws {
    try self.init(
      name: "file:\(Self.escaped(path))?mode=ro&immutable=1", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  /// Opens a private file for writing it once, without a lock, journal or flush.
  convenience init(private path: String) throws {
    try self.init(
      name: "file:\(Self.escaped(path))?mode=rw&nolock=1", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI)
    _ = try pragma("journal_mode = OFF") { _ in }
    _ = try pragma("synchronous = OFF") { _ in }
  }

  /// Copies every page into another database, by SQLite's online backup (<https://www.sqlite.org/backup.html>).
  ///
  /// Inside a transaction that has read something, all pages are of that one moment, whatever others write.
  ///
  /// - Parameter report: receives the number of pages left, and of all pages.
  func copyPages(to target: Connection, _ report: (_ left: Int, _ total: Int) throws -> Void) throws {
    let theirs = unsafe try target.handle
    guard let backup = unsafe sqlite3_backup_init(theirs, "main", try handle, "main") else {
      throw target.lastError(unsafe sqlite3_errcode(theirs))
    }
    do {
      var code = SQLITE_OK
      while code == SQLITE_OK {
        code = unsafe sqlite3_backup_step(backup, Self.pagesInStep)
        try report(
          Int(unsafe sqlite3_backup_remaining(backup)), Int(unsafe sqlite3_backup_pagecount(backup)))
      }
      guard code == SQLITE_DONE else { throw StoreError(code: code, systemError: 0) }
    } catch {
      unsafe sqlite3_backup_finish(backup)
      throw error
    }
    let code = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw target.lastError(code) }
  }

  /// Returns a path as a URI (RFC 3986), with percent-encoding.
  private static func escaped(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~".utf8)
    return path.utf8.map { byte in
      guard !plain.contains(byte) else { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}

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

/// SQLite itself.
public enum SQLiteLibrary {
  /// The version that is running, such as `3.40.1`.
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
