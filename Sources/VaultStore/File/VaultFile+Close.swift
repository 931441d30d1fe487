import CSQLite
import Glibc

extension VaultFile {
  /// Closes the file. The last connection checkpoints the log and deletes it.
  ///
  /// If another file has replaced this one, SQLite would apply this file's log to it: the log is checkpointed and deleted.
  /// If this file or its log has no name any more, or the file another one in its directory, their content is saved as a
  /// ``ReplacedFile``. If another log has replaced this connection's, what was committed to this one is saved.
  ///
  /// Closing twice is harmless. A file that is released without closing is closed too, but without reporting
  /// errors. Throws `StoreError.nestedTransaction` inside a transaction.
  public func close() throws {
    guard connection.isOpen else { return }
    guard !connection.isInTransaction else { throw StoreError(.nestedTransaction) }
    // SQLite itself does not wait when it closes.
    try connection.setBusyTimeout(milliseconds: Self.closingTimeout)
    guard let log,
      try connection.hasMoved || (try? log.isInPlace({ lastCommit })) == false
        || !OpenLog.hasLastFrame(connection)
    else { return try connection.close() }
    try closeDisplaced(log)
  }

  /// Closes the file after another file, log or index has replaced an open one, and saves what would be lost.
  ///
  /// A log that belongs to the file stays beside it, as it is: the other program may have copied the file already, and its
  /// copy needs the log. The file gets what the log has too, because the log may be replaced again.
  private func closeDisplaced(_ log: OpenLog) throws {
    let directory = FilePath.directory(of: connection.resolvedPath ?? path)
    // SQLite deletes the log by its name, which another process may be restoring. Locking the vault must not wait for
    // processes that create vaults.
    let lock = try? FileLock(directory: directory, milliseconds: Self.closingTimeout)
    defer { withExtendedLifetime(lock) {} }
    if try connection.hasMoved {
      leaveReplacedFile(log)
    } else if (try? log.isInPlace { lastCommit }) != false || !log.restore(connection, lastCommit) {
      if log.belongsOnly(to: connection, of: identity, lastCommit) {
        _ = try? connection.pragma("wal_checkpoint(PASSIVE)") { _ in }
      }
      try connection.setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    }
    try connection.close()
  }

  private func leaveReplacedFile(_ log: OpenLog) {
    guard let path = connection.resolvedPath else { return }
    let hasName = FileUse.hasName(identity)
    let isBeside = FileUse.path(of: identity).map(FilePath.directory) == FilePath.directory(of: path)
    if !hasName || isBeside { waitForSuccessor(at: path) }
    let isWhole =
      hasName && (log.isLogInPlace || lastCommit?.frameCount == 0 || log.isMoved(with: identity, from: path))
    // Two conflict copies that Syncthing makes in one second have the same name: the second replaces the first.
    let isSafe = isWhole && !(isBeside && (try? FileStatus(path: path)) != nil)
    do {
      if !isSafe { try ReplacedFile(connection: connection, path: path).save(hasName: hasName) }
    } catch {
      // The log may still be of use beside the new file.
      guard hasName else { return }
    }
    checkpointAndDelete(log, beside: path)
  }

  /// Waits, for at most half a second, until a path leads to a file again: Syncthing removes a file before it renames its new version.
  /// Whoever removes a vault puts nothing in its place.
  private func waitForSuccessor(at path: String) {
    for _ in 0..<100 {
      guard (try? FileStatus(path: path)) == nil else { return }
      _ = poll(nil, 0, 5)
    }
  }

  private func checkpointAndDelete(_ log: OpenLog, beside path: String) {
    guard log.isLogInPlace, (try? connection.pragma("wal_checkpoint(TRUNCATE)") { try $0.integer(0) }) == 0,
      log.isLogInPlace
    else { return }
    unsafe unlink(path + "-wal")
    unsafe unlink(path + "-shm")
  }

  /// Removes the vault from the disk and closes it: the file, its log and shared memory, a symbolic link that
  /// led to it, and anything that an interrupted creation left beside it. The directory is made durable
  /// without them.
  ///
  /// Other processes that have the vault open get `StoreError.changed` from then on.
  ///
  /// Throws `StoreError.changed` when the path leads to another file by now, which is left alone;
  /// `.permissionDenied`, `.readOnly` or `.inputOutput`, and the vault is still there and open, or, if it is closed by then, gone
  /// but for something beside it; `.busy` while another process creates a vault in the same directory; `.nestedTransaction`
  /// inside a transaction.
  public func remove() throws {
    guard connection.isOpen else { throw StoreError(.closed) }
    guard !connection.isInTransaction else { throw StoreError(.nestedTransaction) }
    guard !isReadOnly else { throw StoreError(.readOnly) }
    let storedPath = (isSalvaged ? nil : connection.resolvedPath) ?? path
    let directory = FilePath.directory(of: storedPath)
    let lock = try FileLock(directory: directory, milliseconds: Self.closingTimeout)
    try checkIdentity()
    guard unsafe unlink(storedPath) == 0 else { throw StoreError(systemError: errno) }
    try removeLink(from: storedPath)
    try connection.close()
    var failure: StoreError?
    for companion in UnfinishedFile.companions {
      if unsafe unlink(storedPath + companion) != 0, errno != ENOENT {
        failure = failure ?? StoreError(systemError: errno)
      }
    }
    if let failure { throw failure }
    if lock.isHeld { UnfinishedFile.removeLeftovers(in: directory) }
    try Directory.synchronize(directory)
  }

  /// Removes a symbolic link that led to the deleted file.
  private func removeLink(from storedPath: String) throws {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    guard unsafe unlink(path) == 0 else { throw StoreError(systemError: errno) }
  }
}
