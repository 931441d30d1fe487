public import VaultInterface
import VaultStore

extension VaultSession {
  /// Reads all of a file that the user names, on another thread, because its file system may be slow.
  ///
  /// The vault's own file is refused: the program must not open it a second time, for closing it then drops the locks that
  /// SQLite has on it.
  ///
  /// - Parameters:
  ///   - path: as ``UserPath`` takes it.
  ///   - limit: the maximum number of bytes.
  /// - Throws: ``FileError``, `CancellationError`.
  public func readFile(_ path: String, limit: Int) async throws -> PrivateBytes {
    let path = try UserPath(path)
    guard !isVault(path) else { throw FileError.unreadable(.busy) }
    return try await runInBackground { try UserFile.read(path, limit: limit) }
  }

  /// Checks whether a file could be written; call this before making its content.
  ///
  /// - Throws: ``FileError``.
  public func checkFile(_ path: String, overwrites: Bool) throws {
    let path = try UserPath(path)
    guard !isVault(path) else { throw FileError.exists }
    try UserFile.check(path, overwrites: overwrites)
  }

  /// Writes a file under a name that the user gives, with mode 0600, atomically, on another thread.
  ///
  /// If the task is cancelled after writing began, the file is still written and its path returned. The vault's own file is
  /// never replaced.
  ///
  /// - Returns: the path, with `~` expanded.
  /// - Throws: ``FileError``; `CancellationError` if writing had not begun.
  public func writeFile(_ bytes: PrivateBytes, to path: String, overwrites: Bool) async throws -> String {
    try checkFile(path, overwrites: overwrites)
    let path = try UserPath(path)
    try await runInBackground(whenCancelled: .wait) {
      try UserFile.write([bytes], to: path, overwrites: overwrites)
    }
    return path.path
  }

  /// The files beside the vault that hold other states of it. Works locked and without a vault.
  public func conflictFiles() -> [ConflictFile] { conflicts.find() }

  /// Returns whether a path leads to the vault's file or to one that SQLite keeps beside it.
  package func isVault(_ path: UserPath) -> Bool {
    VaultFile.isPart(path.path, ofVaultAt: self.path)
  }
}
