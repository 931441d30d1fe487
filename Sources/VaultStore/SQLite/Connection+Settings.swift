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
}
