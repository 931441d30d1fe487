/// A vault that only one connection can still read: another file has its name, or another process uses another log.
///
/// Programs that synchronize folders cause this by renaming their copies over an open vault.
struct ReplacedFile {
  let connection: Connection
  /// The vault's path, with symbolic links resolved.
  let path: String

  /// Writes what the connection reads, including its log, to a new vault whose name ends in `-stray`, or `-stray-2` and so on.
  ///
  /// Writes nothing if this vault was removed, so that the path leads to no file or to another vault, or if a file with the same
  /// pages is there already: one with the same head may be a copy that was made while the vault was written to. The caller
  /// holds the directory's lock.
  ///
  /// - Parameter hasName: whether the file has another name, so that it was not removed.
  /// - Throws: `StoreError.busy`, `.corrupt`, `.diskFull`, `.inputOutput`, `.permissionDenied`, `.readOnly`.
  func save(hasName: Bool = false) throws {
    guard hasName || (try? FileStatus(path: path)) != nil else { return }
    let directory = FilePath.directory(of: path)
    let copy = try UnfinishedFile(in: directory, isLocked: true)
    let vault = try connection.transaction(.read) {
      let vault = try ReadTransaction(connection: connection).vault()
      let target = try Connection(private: copy.path)
      try connection.copyPages(to: target) { _, _ in }
      try target.close()
      return vault
    }
    if let other = Self.vault(at: path), other.vaultID != vault.vaultID { return }
    let others = try [path] + StrayLog.savedVaults(beside: path)
    let isThere = others.contains {
      Self.vault(at: $0)?.head == vault.head && StrayLog.hasPages(of: copy.path, $0)
    }
    guard !isThere else { return }
    try copy.synchronize()
    try copy.rename(to: StrayLog.freeName(beside: path, for: ""))
    try Directory.synchronize(directory)
  }

  /// The vault's row in a file, without any log; nil if it cannot be read.
  private static func vault(at path: String) -> VaultRow? {
    guard let status = try? FileStatus(path: path), !FileUse.isOpenInThisProcess(status.identity),
      let file = try? VaultFile.openImmutable(at: path)
    else { return nil }
    // Swift 6.3.1 crashes in a release build if the closure returns the row.
    var row: VaultRow?
    try? file.read { row = try $0.vault() }
    return row
  }
}
