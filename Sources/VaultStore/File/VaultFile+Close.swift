import CSQLite
import Glibc

extension VaultFile {
  /// Closes the file. The last connection checkpoints the log and deletes it.
  ///
  /// If another file has replaced this one, SQLite would apply this file's log to it: the log is checkpointed and deleted.
  /// If this file or its log has no name any more, their content is saved as a ``ReplacedFile``. If another log has replaced
  /// this connection's, what was committed to this one is saved.
  ///
  /// Closing twice is harmless. A file that is released without closing is closed too, but without reporting
  /// errors. Throws `StoreError.nestedTransaction` inside a transaction.
  public func close() throws {
    guard connection.isOpen else { return }
    guard !connection.isInTransaction else { throw StoreError(.nestedTransaction) }
    // SQLite itself does not wait when it closes.
    try connection.setBusyTimeout(milliseconds: Self.closingTimeout)
    guard let log, try connection.hasMoved || (try? log.isInPlace({ lastCommit })) == false else {
      return try connection.close()
    }
    if try closeDisplaced(log) { checkpointLeftoverLog() }
  }

  /// Closes the file after another file, log or index has replaced an open one, and saves what would be lost.
  ///
  /// - Returns: whether a log was left beside the file that nobody may have checkpointed.
  private func closeDisplaced(_ log: OpenLog) throws -> Bool {
    let directory = FilePath.directory(of: connection.resolvedPath ?? path)
    // SQLite deletes the log by its name, which another process may be restoring. Locking the vault must not wait for
    // processes that create vaults.
    let lock = try? FileLock(directory: directory, milliseconds: Self.closingTimeout)
    defer { withExtendedLifetime(lock) {} }
    var isLeft = false
    if try connection.hasMoved {
      leaveReplacedFile(log)
    } else if (try? log.isInPlace { lastCommit }) == false, !log.restore(connection, lastCommit) {
      isLeft = true
      try connection.setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    }
    try connection.close()
    return isLeft
  }

  /// Checkpoints a log that was left beside the file, if nobody else has the file open: SQLite reads it when it is
  /// opened anew.
  private func checkpointLeftoverLog() {
    let settings = ConnectionSettings(busyTimeoutMilliseconds: Self.closingTimeout)
    guard let again = try? Self.open(at: path, settings: settings, migrations: Schema.migrations),
      let log = again.log
    else { return }
    _ = try? again.closeDisplaced(log)
  }

  private func leaveReplacedFile(_ log: OpenLog) {
    guard let path = connection.resolvedPath else { return }
    let hasName = FileUse.hasName(identity)
    let isWhole = hasName && (log.isLogInPlace || lastCommit?.frameCount == 0)
    do {
      if !isWhole { try ReplacedFile(connection: connection, path: path).save() }
    } catch {
      // The log may still be of use beside the new file.
      guard hasName else { return }
    }
    checkpointAndDelete(log, beside: path)
  }

  private func checkpointAndDelete(_ log: OpenLog, beside path: String) {
    guard log.isLogInPlace, (try? connection.pragma("wal_checkpoint(TRUNCATE)") { try $0.integer(0) }) == 0,
      log.isLogInPlace
    else { return }
    unsafe unlink(path + "-wal")
    unsafe unlink(path + "-shm")
  }
}
