import VaultInterface
import Wire

/// Key files, and what leads from one vault key to the next.
extension SyncFolder {
  // MARK: Key files

  /// The replicas and numbers of the key files that are here.
  private func keyFiles() throws -> [(replica: Identifier, number: Int64)] {
    try names(in: "keys").compactMap(Self.keyFile(named:))
  }

  /// Returns the well-formed key files with correct names. Check them with the vault key: they may be forged.
  func readKeyFiles() throws -> [KeyFile] {
    try smallFiles(in: "keys") { Self.keyFile(named: $0) != nil }.compactMap { name, bytes in
      guard let (replica, number) = Self.keyFile(named: name), let file = try? KeyFile(decoding: bytes),
        file.vault == vault, file.replica == replica, file.number == number
      else { return nil }
      return file
    }
  }

  func write(_ keyFile: [UInt8], keyFile number: Int64, of replica: Identifier) throws {
    try calls.run { [files] in try files.write(keyFile, "keys", Self.keyFileName(number, of: replica)) }
  }

  func removeKeyFile(_ number: Int64, of replica: Identifier) throws {
    try calls.run { [files] in files.remove("keys/\(Self.keyFileName(number, of: replica))") }
  }

  private static func keyFileName(_ number: Int64, of replica: Identifier) -> String {
    "\(replica)-\(name(number))"
  }

  private static func keyFile(named name: String) -> (replica: Identifier, number: Int64)? {
    guard name.utf8.count == 53, let replica = Identifier(String(name.prefix(36))),
      name.dropFirst(36).first == "-", let number = number(String(name.dropFirst(37)))
    else { return nil }
    return (replica, number)
  }

  /// Returns the names and bytes of the files in a directory that can be read, and have no more than 1,024 bytes.
  private func smallFiles(
    in directory: String, where isWanted: @escaping @Sendable (String) -> Bool
  ) throws -> [(name: String, bytes: [UInt8])] {
    try calls.run { [files] in
      try files.names(in: directory).filter(isWanted).compactMap { name in
        (try? files.read("\(directory)/\(name)", limit: 1_024)).map { (name, $0) }
      }
    }
  }

  // MARK: Epochs

  /// Returns the folders of all vaults and epochs.
  ///
  /// - Throws: ``SyncError/folderNotFound``, ``SyncError/notAFolder``, ``FileError``.
  static func all(in folder: UserPath, _ calls: FolderCalls) throws -> [SyncFolder] {
    let found = try calls.run {
      var found: [(vault: Identifier, epoch: Identifier)] = []
      try FolderFiles.requireFolder(folder.path)
      for vault in try FolderFiles.names(in: folder.path).compactMap({ Identifier($0) }) {
        let epochs = try FolderFiles.names(in: "\(folder.path)/\(vault)").compactMap { Identifier($0) }
        found += epochs.map { (vault, $0) }
      }
      return found
    }
    return found.map { SyncFolder(folder, vault: $0, epoch: $1, calls: calls) }
  }

  /// Returns the files in `next`, by replica. Check them with the vault key: they may be forged.
  func successors() throws -> [(replica: Identifier, sealed: [UInt8])] {
    try smallFiles(in: "next") { Identifier($0) != nil }.compactMap { name, sealed in
      Identifier(name).map { ($0, sealed) }
    }
  }

  func write(_ sealed: [UInt8], asSuccessorBy replica: Identifier) throws {
    try calls.run { [files] in try files.write(sealed, "next", replica.description) }
  }

  /// Removes everything that a replica wrote, but what leads to the next epoch.
  func removeReplica(_ replica: Identifier) throws {
    for sequence in try segments(of: replica) { try removeSegment(sequence, of: replica) }
    try removeContents(of: replica, but: [])
    for file in try keyFiles() where file.replica == replica { try removeKeyFile(file.number, of: replica) }
    try calls.run { [files] in
      for directory in ["changes/\(replica)", "contents/\(replica)", "changes", "contents", "keys", "."] {
        files.removeDirectoryIfEmpty(directory)
      }
    }
  }
}
