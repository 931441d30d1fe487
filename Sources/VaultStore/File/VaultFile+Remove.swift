import Glibc

extension VaultFile {
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
