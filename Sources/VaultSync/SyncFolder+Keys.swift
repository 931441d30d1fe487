import Glibc
import Identifiers
import VaultModel
import VaultSession
import VaultStore

/// Key files, and what leads from one vault key to the next.
extension SyncFolder {
  // MARK: Key files

  /// The replicas and numbers of the key files that are here.
  func keyFiles() throws(FileError) -> [(replica: Identifier, number: Int64)] {
    try names(in: "keys").compactMap { name in
      guard name.utf8.count == 53, let replica = Identifier(String(name.prefix(36))),
        name.dropFirst(36).first == "-",
        let number = Self.number(String(name.dropFirst(37)))
      else { return nil }
      return (replica, number)
    }
  }

  func keyFile(_ number: Int64, of replica: Identifier) throws(FileError) -> [UInt8] {
    try read("keys/\(replica)-\(Self.name(number))", limit: 1_024)
  }

  /// Returns the well-formed key files with correct names. Check them with the vault key: they may be forged.
  func readKeyFiles() throws(FileError) -> [KeyFile] {
    try keyFiles().compactMap { replica, number in
      guard let file = try? KeyFile(decoding: keyFile(number, of: replica)),
        file.vault == vault, file.replica == replica, file.number == number
      else { return nil }
      return file
    }
  }

  func write(_ keyFile: [UInt8], keyFile number: Int64, of replica: Identifier) throws {
    try write(keyFile, "keys", "\(replica)-\(Self.name(number))")
  }

  func removeKeyFile(_ number: Int64, of replica: Identifier) {
    unsafe unlink("\(path)/keys/\(replica)-\(Self.name(number))")
  }

  // MARK: Epochs

  /// Returns the folders of all vaults and epochs.
  static func all(in folder: UserPath) throws(FileError) -> [SyncFolder] {
    var folders: [SyncFolder] = []
    for vault in try Self.names(in: folder.path, isRequired: true).compactMap({ Identifier($0) }) {
      for epoch in try Self.names(in: "\(folder.path)/\(vault)").compactMap({ Identifier($0) }) {
        folders.append(SyncFolder(folder, vault: vault, epoch: epoch))
      }
    }
    return folders
  }

  /// Returns the files in `next`, by replica. Check them with the vault key: they may be forged.
  func successors() throws(FileError) -> [(replica: Identifier, sealed: [UInt8])] {
    try names(in: "next").compactMap { name in
      guard let replica = Identifier(name), let sealed = try? read("next/\(name)", limit: 1_024) else {
        return nil
      }
      return (replica, sealed)
    }
  }

  func write(_ sealed: [UInt8], asSuccessorBy replica: Identifier) throws {
    try write(sealed, "next", replica.description)
  }

  /// Removes everything that a replica wrote, but what leads to the next epoch.
  func removeReplica(_ replica: Identifier) throws(FileError) {
    for sequence in try segments(of: replica) { removeSegment(sequence, of: replica) }
    try removeContents(of: replica, but: [])
    for file in try keyFiles() where file.replica == replica { removeKeyFile(file.number, of: replica) }
    for directory in ["changes/\(replica)", "contents/\(replica)", "changes", "contents", "keys", "."] {
      unsafe rmdir("\(path)/\(directory)")
    }
  }
}
