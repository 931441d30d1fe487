extension VaultSession {
  /// Begins a file that the user names, with mode 0600. The vault's own file is never replaced.
  ///
  /// - Throws: `FileError`.
  public func beginFile(_ path: String, overwrites: Bool) throws -> FileWriter {
    try checkFile(path, overwrites: overwrites)
    return try FileWriter(UserPath(path), overwrites: overwrites)
  }
}
