import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Makes a new vault file from a folder that other machines synchronise over, with their password, and unlocks it (S).
  ///
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - machine: the name by which other machines show this one.
  ///   - derive: runs the derivation of keys, which takes long. Others may use the session meanwhile.
  /// - Throws: ``SyncError/noVault``, ``SyncError/wrongPassword``, ``SyncError/vaultInFolder``; ``VaultError/exists`` for a vault
  ///   at the session's path; for the folder, ``SyncError/folderNotFound``, ``SyncError/notAFolder``, and ``FileError``;
  ///   `CancellationError`. Then there is no new vault file.
  public func joinSync(
    _ folder: UserPath, password: String, machine: String,
    deriving derive: (() async throws -> Void) async throws -> Void = { try await $0() },
    _ report: (Int) async -> Void = { _ in }
  ) async throws -> SyncStatus {
    guard try !status().exists else { throw VaultError.exists }
    try await requireVault(outside: folder)
    let calls = FolderCalls(calls(on: folder))
    let files = try await runInBackground(whenCancelled: .wait) {
      try KeyFiles.all(in: SyncFolder.all(in: folder, calls))
    }
    guard !files.isEmpty else { throw SyncError.noVault }
    let secret = try SecretBytes(password: password)
    var found: OpenKeyFile?
    try await derive { found = try await runInBackground { try KeyFiles.open(files, with: secret) } }
    guard let key = try await found?.ifCurrent() else { throw SyncError.wrongPassword }
    guard try !status().exists else { throw VaultError.exists }
    try await create(key.file.vault, vaultKey: key.vaultKey, slot: key.file.slot)
    do {
      return try await fill(from: folder, machine: machine, key.file, report)
    } catch {
      // It may lack every card, and would be in the way of another attempt.
      if !isLocked { try? await remove() }
      throw error
    }
  }

  /// Synchronises a vault that was made for a folder for the first time.
  private func fill(
    from folder: UserPath, machine: String, _ file: KeyFile, _ report: (Int) async -> Void
  ) async throws -> SyncStatus {
    // This machine may have had the vault before.
    try acceptOlder()
    let replica = try Identifier.random()
    let place = try replicaPlace()
    let vault = try access()
    try vault.change { transaction, change in
      var document = SyncDocument(replica: replica)
      (document.folder, document.machine, document.place) = (folder.absolute, machine, place)
      (document.password, document.own.generation) = (file.password, change.generation)
      document.hasVersions = true
      try vault.write(document, transaction, &change)
    }
    return try await synchronize(report)
  }
}
