import CSQLite
import Glibc

/// An open vault file: rows of sealed bytes, read and written in transactions.
///
/// The store never sees a key or a decrypted byte, and caches no record.
///
/// **Reading and writing** happen in closures. A transaction exists only inside its closure and cannot be
/// taken out of it:
///
/// ```swift
/// let card = try file.read { transaction in try transaction.card(id) }
/// try file.write { transaction in
///   let generation = try transaction.read.vault().generation + 1
///   try transaction.insertCard(CardRow(id: id, revision: 1, sealed: sealed))
///   try transaction.putHead(head, generation: generation)
/// }
/// ```
///
/// When `write` returns, the change is on the disk (R14): the log is synchronised with every commit.
///
/// **Threads.** A `VaultFile` is one connection and is used by one thread, or one actor, at a time; it is not
/// `Sendable`. For a second thread take a `duplicate`. Two connections have each a snapshot of their
/// own: compare `VaultRow.generation` to know that both see the same cards.
///
/// **Other processes** may have the same vault open. `dataVersion` changes when one of them writes.
///
/// **Descriptors.** While a process has a vault open, nothing in that process may open and close the same
/// file by other means, because POSIX drops all of a process's locks on a file when any descriptor of it is
/// closed (<https://www.sqlite.org/howtocorrupt.html>, 2.2). `VaultFile` itself keeps to this.
public final class VaultFile {
  /// The path, made absolute when the file was opened.
  public let path: String

  let connection: Connection
  let settings: ConnectionSettings
  /// The tables as checked when the file was opened.
  let schema: [[String?]]
  let identity: FileStatus.Identity
  private var largestSize: Int64
  /// The log that this connection has open; nil for an immutable file.
  private(set) var log: OpenLog?
  /// Whether the names were checked for the transaction that follows.
  private var areNamesChecked = false
  /// The last commit that was found in the open log.
  private var commitInLog: CommitMark?

  let kind: Kind

  /// How long ``write(_:)`` waits for another process to end its write. Zero for a file that is used on an event loop's thread:
  /// there the caller waits without holding the thread, up to ``defaultTimeout``, and tries again.
  public var writeTimeout = Duration.zero

  /// How long to wait for another process, if nothing else is said: many times what the writes of eight busy processes take,
  /// and little enough for a person who waits.
  public static let defaultTimeout = Duration.seconds(5)

  /// The way in which the file was opened.
  enum Kind: Equatable {
    /// Through SQLite, for reading and writing.
    case shared
    /// Opened without locks, because nobody writes to it.
    case unwritten
    /// Salvaged, without SQLite.
    case salvaged
    /// Opened without locks, because it cannot be written. The state is that of the file when it was opened.
    case readOnly(ReadOnlyState)
  }

  init(
    path: String, connection: Connection, status: FileStatus, settings: ConnectionSettings,
    schema: [[String?]], log: OpenLog? = nil, kind: Kind = .shared
  ) {
    (self.path, self.kind, self.connection) = (path, kind, connection)
    (self.settings, self.schema) = (settings, schema)
    identity = status.identity
    largestSize = status.size
    self.log = log
  }

  /// Whether this was salvaged from a file that SQLite refuses; sealed records cannot be written to it.
  public var isSalvaged: Bool { kind == .salvaged }

  /// Whether ``close()`` or ``remove()`` has closed the file.
  public var isClosed: Bool { !connection.isOpen }

  /// Whether the file was opened for reading only, because it could not be written. Every write fails with
  /// `StoreError.readOnly`.
  public var isReadOnly: Bool { if case .readOnly = kind { true } else { false } }

  // MARK: Transactions

  /// Reads in one consistent snapshot.
  ///
  /// Throws what `body` throws, or a `StoreError`: `.changed` when the file or its log was replaced or removed, also while
  /// `body` was reading; `.corrupt`, `.busy`, `.inputOutput`, `.closed`, `.nestedTransaction`.
  public func read<Value: ~Copyable>(_ body: (borrowing ReadTransaction) throws -> Value) throws -> Value {
    try checkNamesOnce()
    do {
      let value = try connection.transaction(.read) {
        try body(ReadTransaction(connection: connection))
      }
      try checkLog()
      return value
    } catch {
      try checkAfter(error)
      throw error
    }
  }

  /// Returns the vault's row as this connection sees it, even if the file or its log was replaced or removed.
  ///
  /// Throws a `StoreError`: `.corrupt`, `.busy`, `.inputOutput`, `.closed`, `.nestedTransaction`.
  public func vaultAsOpen() throws -> VaultRow {
    try connection.transaction(.read) { try ReadTransaction(connection: connection).vault() }
  }

  /// Writes as the only writer of all processes: all of `body` or, when anything throws, nothing.
  ///
  /// A transaction that wrote cards or documents must put the new head too, or it is rolled back with
  /// `StoreError.headNotAdvanced`. Slots, open settings, lockout and events may be written without.
  ///
  /// When the commit itself fails, the transaction is rolled back and the error thrown. After an error
  /// `.inputOutput` in the commit the state of the disk is unknown: read it again.
  ///
  /// Throws what `body` throws, or a `StoreError`: `.changed`, `.busy` while another process writes,
  /// `.diskFull`, `.readOnly`, `.inputOutput`, `.corrupt`, `.closed`, `.nestedTransaction`, `.rolledBack`,
  /// `.headNotAdvanced`.
  public func write<Value: ~Copyable>(_ body: (borrowing WriteTransaction) throws -> Value) throws -> Value {
    try checkNamesOnce()
    guard !isReadOnly else { throw StoreError(.readOnly) }
    do {
      let value = try connection.transaction(.write, waitingUpTo: writeTimeout) {
        try checkLog()
        let transaction = WriteTransaction(connection: connection, keepsRecords: !isSalvaged)
        let value = try body(transaction)
        try transaction.finish()
        try checkIdentity()
        return value
      }
      try checkIdentity()
      return value
    } catch let error as StoreError {
      try checkAfter(error)
      throw error.held(by: LockHolder.ofVault(connection.resolvedPath ?? path))
    }
  }

  /// Reads the cards with numbers in a range into SQLite's cache, as many as it holds, for a scan that follows.
  public func readAhead(in numbers: ClosedRange<Int64>) throws {
    try read { try $0.forEachCard(in: numbers) { _, _, _, _ in } }
  }

  // MARK: Plain rows

  /// Writes the state of failed attempts (R11) in its own transaction, which is on disk when this returns.
  ///
  /// To increment the stored count, so that no attempt of another process is lost, read and set the row in one `write`
  /// instead.
  public func setLockout(_ lockout: LockoutRow) throws {
    try write { try $0.setLockout(lockout) }
  }

  /// Appends an event in its own transaction, which is on disk when this returns.
  public func appendEvent(_ event: EventRow) throws {
    try write { try $0.appendEvent(event) }
  }

  /// Appends the last event before closing; from now on, locks time out after ``closingTimeout``.
  ///
  /// Throws `StoreError.busy` if another connection writes for longer than that or, unless `waits`, writes now.
  public func appendFinalEvent(_ event: EventRow, waits: Bool = true) throws {
    try connection.setBusyTimeout(milliseconds: waits ? Self.closingTimeout : 0)
    try appendEvent(event)
  }

  /// The timeout for another process's lock while closing, in milliseconds.
  static let closingTimeout: Int32 = 30

  // MARK: State

  /// The file's size in bytes when it was last checked.
  public var size: Int64 { largestSize }

  /// A number that differs from the last one when another connection has committed in between; this
  /// connection's own commits do not change it. Cheap enough to ask before every request.
  public func dataVersion() throws -> Int64 {
    try checkNames()
    return try connection.pragma("data_version") { try $0.integer(0) } ?? 0
  }

  /// Checkpoints the write-ahead log as far as readers in other processes allow.
  ///
  /// - Parameter emptiesLog: whether to empty the log too, for which writers wait. Without, nobody waits.
  /// - Returns: whether it was complete.
  /// - Throws: `StoreError.nestedTransaction` inside a transaction; `.changed`.
  @discardableResult
  public func checkpoint(emptiesLog: Bool = true) throws -> Bool {
    guard connection.isOpen else { throw StoreError(.closed) }
    guard !connection.isInTransaction else { throw StoreError(.nestedTransaction) }
    try checkIdentity()
    // The columns: whether it was refused, the pages in the log, and how many of them the file has.
    return try connection.pragma("wal_checkpoint(\(emptiesLog ? "TRUNCATE" : "PASSIVE"))") {
      try $0.integer(0) == 0 && $0.integer(1) == $0.integer(2)
    } ?? false
  }

  /// Returns whether SQLite's check of every page finds no error. Does not check the sealed records.
  ///
  /// Reads the whole file: about a second for 100,000 cards from a cold disk. Ends early if the task is cancelled.
  ///
  /// Throws also `CancellationError`.
  public func isStructureIntact() throws -> Bool {
    try checkIdentity()
    guard !isSalvaged else { return false }
    do {
      return try connection.cancellable {
        try connection.pragma("quick_check(1)") { try $0.text(0) == "ok" } ?? false
      }
    } catch StoreError.corrupt {
      return false
    }
  }

  /// Throws `StoreError.changed` unless the path still leads to the file that was opened, and its log and index are in
  /// place; `.corrupt` if the file has shrunk, which SQLite never does to a vault.
  func checkIdentity() throws {
    try checkFile()
    if let log, try !log.isInPlace({ lastCommit }) {
      self.log?.forgetCheck()
      throw StoreError(.changed)
    }
    try checkLog()
  }

  /// Throws `StoreError.changed` if a transaction may have failed because another program replaced or truncated the log: a
  /// frame that is not there looks like a failure of the disk.
  private func checkAfter(_ error: any Error) throws {
    switch (error as? StoreError)?.kind {
    case .inputOutput, .corrupt:
      commitInLog = nil
      try checkIdentity()
    default: try checkLog()
    }
  }

  /// Throws `StoreError.changed` if another process writes to another log with the same index. What was read with that index
  /// before this is called may be damaged or missing.
  private func checkLog() throws {
    guard log != nil, let mark = lastCommit, mark != commitInLog else { return }
    guard OpenLog.hasLastFrame(connection) else { throw StoreError(.changed) }
    commitInLog = mark
  }

  /// Checks what ``checkIdentity()`` checks, with fewer system calls, at the beginning of a request. The transaction that follows
  /// need not check it again.
  func checkNames() throws {
    areNamesChecked = false
    try checkFile()
    if try log?.isInPlaceIfDirectoryChanged({ lastCommit }) == false { throw StoreError(.changed) }
    try checkLog()
    areNamesChecked = true
  }

  private func checkNamesOnce() throws {
    if !areNamesChecked { try checkNames() }
    areNamesChecked = false
  }

  private func checkFile() throws {
    guard connection.isOpen else { throw StoreError(.closed) }
    let status: FileStatus
    do {
      status = try FileStatus(path: path)
    } catch StoreError.notFound, StoreError.missingDirectory {
      throw StoreError(.changed)
    }
    guard status.identity == identity else { throw StoreError(.changed) }
    if case .readOnly(let state) = kind, try ReadOnlyState(path) != state { throw StoreError(.changed) }
    guard status.size >= largestSize else { throw StoreError(.corrupt) }
    largestSize = status.size
  }
}
