import CSQLite

/// One SQLite connection and its prepared statements.
///
/// SQLite's own locks are off, so two threads must never use it at the same time.
@safe
final class Connection {
  /// The SQLite library, initialized once.
  private static let library: Void = {
    csqlite_disable_memory_statistics()
    csqlite_open_files_only()
  }()

  private var opened: OpaquePointer?
  private var statements: [StatementText: Statement] = [:]

  /// Opens an existing file for reading and writing. Nothing is read yet.
  ///
  /// SQLite opens the file read-only if writing is not allowed; see `isReadOnly`.
  convenience init(path: String) throws {
    try self.init(name: path, flags: SQLITE_OPEN_READWRITE)
  }

  /// Opens a file under a name or URI that SQLite takes.
  init(name: String, flags: Int32) throws {
    Self.library
    let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK else {
      let systemError = unsafe sqlite3_system_errno(opened)
      unsafe sqlite3_close(opened)
      unsafe opened = nil
      throw StoreError(code: code, systemError: systemError)
    }
  }

  deinit {
    statements.removeAll()
    unsafe sqlite3_close_v2(opened)
  }

  /// Finalizes every statement and closes. The last connection of all processes puts the write-ahead log into
  /// the file and removes it.
  func close() throws {
    statements.removeAll()
    let code = unsafe sqlite3_close(opened)
    guard code == SQLITE_OK else { throw StoreError(code: code, systemError: 0) }
    unsafe opened = nil
  }

  // MARK: State

  var isOpen: Bool { unsafe opened != nil }

  /// The SQLite handle, for calls that are not statements.
  ///
  /// Throws `StoreError.closed` when it is closed: SQLite itself follows whatever it is given.
  var handle: OpaquePointer {
    get throws(StoreError) {
      guard let opened = unsafe opened else { throw StoreError(.closed) }
      return unsafe opened
    }
  }

  /// Whether SQLite could open the file for reading only.
  var isReadOnly: Bool { get throws { unsafe sqlite3_db_readonly(try handle, "main") == 1 } }

  /// Whether a transaction is open. SQLite ends one by itself after some errors.
  var isInTransaction: Bool {
    guard let handle = unsafe try? handle else { return false }
    return unsafe sqlite3_get_autocommit(handle) == 0
  }

  /// The number of rows that the last insert, update or delete changed.
  var changedRows: Int64 { get throws { unsafe sqlite3_changes64(try handle) } }

  /// Whether the open file is no longer the one under its name.
  var hasMoved: Bool { get throws { unsafe csqlite_has_moved(try handle) != 0 } }

  /// The file's path with every symbolic link resolved; its log and shared memory are in the same directory.
  var resolvedPath: String? {
    guard let handle = unsafe try? handle, let name = unsafe sqlite3_db_filename(handle, "main") else {
      return nil
    }
    return unsafe String(validatingCString: name)
  }

  // MARK: Statements

  /// Calls `body` with the cached statement for `sql`.
  ///
  /// - Parameter longest: the most bytes of a value that is read: a longer one is `StoreError.corrupt`, and is not read.
  func withStatement<Value>(
    _ sql: String, longest: Int = LengthLimit.row, _ body: (Statement) throws -> Value
  ) throws -> Value {
    let statement = try idleStatement(sql)
    let outer = try setLimit(SQLITE_LIMIT_LENGTH, Int32(clamping: longest))
    statement.isInUse = true
    defer {
      statement.reset()
      statement.isInUse = false
      _ = try? setLimit(SQLITE_LIMIT_LENGTH, outer)
    }
    do {
      return try body(statement)
    } catch is ValueTooLong {
      throw StoreError(.corrupt)
    }
  }

  /// Runs one statement without values or rows.
  func execute(_ sql: String, file: StaticString = #fileID, line: Int = #line) throws {
    try withStatement(sql) { try $0.run(file: file, line: line) }
  }

  /// Runs every statement of a script, such as a migration's.
  func executeScript(_ script: String) throws {
    let code = unsafe sqlite3_exec(try handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  private func idleStatement(_ sql: String) throws -> Statement {
    let text = StatementText(text: sql)
    guard let known = statements[text] else {
      let made = try prepare(sql)
      statements[text] = made
      return made
    }
    return known.isInUse ? try prepare(sql) : known
  }

  private func prepare(_ sql: String) throws -> Statement {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = unsafe sqlite3_prepare_v3(try handle, sql, -1, flags, &prepared, nil)
    // A statement or a name in the list of tables is too long.
    guard code != SQLITE_TOOBIG else { throw StoreError(.corrupt) }
    guard code == SQLITE_OK else { throw lastError(code) }
    guard let made = unsafe prepared else { throw StoreError(.internalFailure(code: SQLITE_MISUSE)) }
    return unsafe Statement(handle: made)
  }

  // MARK: Settings

  /// Sets the timeout for another process's lock.
  func setBusyTimeout(milliseconds: Int32) throws {
    unsafe sqlite3_busy_timeout(try handle, milliseconds)
  }

  /// Sets a boolean option of the connection and checks that it holds.
  func setOption(_ option: Int32, _ isOn: Bool) throws {
    var result: Int32 = -1
    let code = unsafe csqlite_set_option(try handle, option, isOn ? 1 : 0, &result)
    guard code == SQLITE_OK, result == (isOn ? 1 : 0) else { throw StoreError(.internalFailure(code: code)) }
  }

  /// Sets one of the connection's limits, and returns what it was.
  @discardableResult
  func setLimit(_ limit: Int32, _ value: Int32) throws -> Int32 {
    unsafe sqlite3_limit(try handle, limit, value)
  }

  // MARK: The file below

  /// Reads the start of the file itself; nil when the file is shorter than that.
  func rawPrefix(_ count: Int32) throws -> [UInt8]? {
    let handle = unsafe try handle
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let code = unsafe bytes.withUnsafeMutableBytes {
      unsafe csqlite_read_raw(handle, $0.baseAddress, count, 0)
    }
    switch code {
    case SQLITE_OK: return bytes
    case SQLITE_IOERR | (2 << 8): return nil  // SQLITE_IOERR_SHORT_READ
    default: throw lastError(code)
    }
  }

  func lastError(_ code: Int32, file: StaticString = #fileID, line: Int = #line) -> StoreError {
    unsafe StoreError(code: code, connection: opened, file: file, line: line)
  }

  /// Runs `body` in one transaction: committed when it returns, rolled back when it or the commit throws.
  ///
  /// - Parameter timeout: how long to wait for another writer, beyond the busy timeout.
  /// - Throws: also `CancellationError` if the task is cancelled while it waits.
  func transaction<Value: ~Copyable>(
    _ kind: TransactionKind, waitingUpTo timeout: Duration = .zero, _ body: () throws -> Value
  ) throws -> Value {
    guard isOpen else { throw StoreError(.closed) }
    guard !isInTransaction else { throw StoreError(.nestedTransaction) }
    try begin(kind, waitingUpTo: timeout)
    do {
      let value = try body()
      guard isInTransaction else { throw StoreError(.rolledBack) }
      try execute("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs statements that SQLite ends early if the task is cancelled.
  ///
  /// - Throws: also `CancellationError`.
  func cancellable<Value>(_ body: () throws -> Value) throws -> Value {
    // SQLite looks after so many steps of its virtual machine, some microseconds each at most.
    unsafe sqlite3_progress_handler(try handle, 1_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    defer { if let handle = unsafe try? handle { unsafe sqlite3_progress_handler(handle, 0, nil, nil) } }
    do {
      return try body()
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  private func begin(_ kind: TransactionKind, waitingUpTo timeout: Duration) throws {
    let end = ContinuousClock.now + timeout
    while true {
      do {
        return try execute(kind.rawValue)
      } catch StoreError.busy where ContinuousClock.now < end {
        try Task.checkCancellation()
      }
    }
  }

  /// Ends the transaction, if SQLite has not already done so. Rolling back cannot fail in a way that leaves
  /// the transaction's changes: what was not committed is not in the file.
  private func rollBack() {
    guard isInTransaction else { return }
    try? execute("ROLLBACK")
  }
}

/// The text of a statement. Only its length is hashed: there are few statements, and hashing long texts is slow.
private struct StatementText: Hashable {
  let text: String

  func hash(into hasher: inout Hasher) {
    hasher.combine(text.utf8.count)
  }
}

enum TransactionKind: String {
  /// One snapshot for reading, which begins with the first statement.
  case read = "BEGIN DEFERRED"
  /// The only writer, from the start.
  case write = "BEGIN IMMEDIATE"
}
