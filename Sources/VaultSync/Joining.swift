import Identifiers
import VaultCrypto
import VaultModel
public import VaultSession
import VaultStore

extension VaultSession {
  /// Makes a new vault file from a folder that other machines synchronise over, with their password, and unlocks it (S).
  ///
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - machine: the name by which other machines show this one.
  /// - Throws: ``SyncError/noVault``, ``SyncError/wrongPassword``; ``VaultError/exists`` for a vault at the session's path;
  ///   ``FileError`` for the folder; `CancellationError`.
  public func joinSync(
    _ folder: UserPath, password: String, machine: String, _ report: (Int) async -> Void = { _ in }
  ) async throws -> SyncStatus {
    guard try !status().exists else { throw VaultError.exists }
    let files = try Self.keyFiles(in: folder)
    guard !files.isEmpty else { throw SyncError.noVault }
    let secret = try SecretBytes(password: password)
    let key = try await runInBackground { () -> (file: KeyFile, vaultKey: SecretBytes)? in
      for file in files {
        try Task.checkCancellation()
        guard let vaultKey = try? KeySlot(file.slot).open(with: secret, of: file.vault) else { continue }
        let keys = try VaultKeys(vaultKey: vaultKey)
        guard file.isAuthentic(keys) else { continue }
        let newer = files.first {
          $0.vault == file.vault && $0.password > file.password && $0.isAuthentic(keys)
        }
        // An earlier password, of a machine that has not heard of the new one.
        return newer == nil ? (file, vaultKey) : nil
      }
      return nil
    }
    guard let key else { throw SyncError.wrongPassword }
    try await create(key.file.vault, vaultKey: key.vaultKey, slot: key.file.slot)
    let replica = try Identifier.random()
    let place = try replicaPlace()
    let vault = try access()
    try vault.change { transaction, change in
      var document = SyncDocument(replica: replica)
      (document.folder, document.machine, document.place) = (folder.path, machine, place)
      (document.password, document.own.generation) = (key.file.password, 0)
      try vault.write(document, transaction, &change)
    }
    return try await synchronize(report)
  }

  /// The key files of all vaults in a folder, newest first.
  private static func keyFiles(in folder: UserPath) throws -> [KeyFile] {
    let names: [String]
    do {
      names = try Directory.names(in: folder.path)
    } catch StoreError.notFound {
      throw FileError.notFound
    }
    let files = try names.compactMap { Identifier($0) }.flatMap { vault in
      try SyncFolder(folder, vault: vault).readKeyFiles()
    }
    return files.sorted { $0.password > $1.password }
  }
}
