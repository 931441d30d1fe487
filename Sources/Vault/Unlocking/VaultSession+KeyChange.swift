package import VaultCrypto
package import Wire

extension VaultSession {
  /// Closes the vault while `body` replaces its key, then opens it with the new key, or with the old one if `body` throws. It stays
  /// locked if it was locked meanwhile.
  ///
  /// - Parameters:
  ///   - vaultKey: the key afterwards.
  ///   - slot: the password's slot afterwards.
  package func changingKey(
    to vaultKey: SecretBytes, slot: Identifier, _ body: () async throws -> Void
  ) async throws {
    let before = try unlocked()
    let old = (vaultKey: before.keys.vaultKey, slot: before.slot)
    reopensAfterRepair = true
    before.close()
    opened = nil
    defer {
      reopensAfterRepair = false
      if isLocked {
        appendDelayedLogEntry()
        closeFile()
      }
    }
    do {
      try await body()
    } catch {
      if reopensAfterRepair { opened = try? reopened(vaultKey: old.vaultKey, slot: old.slot) }
      throw error
    }
    guard reopensAfterRepair else { throw VaultError.locked }
    // Only the new password opens the vault now. An error of the file must not look as if that had failed.
    let vault =
      try (try? reopened(vaultKey: vaultKey, slot: slot)) ?? reopened(vaultKey: vaultKey, slot: slot)
    // What this machine remembers of the vault does not open any more. Without a new replica id it is read-only until
    // the next unlock.
    if vault.needsNewReplica { try? assignNewReplica(of: vault, at: replicaPlace()) }
    opened = vault
  }

  private func reopened(vaultKey: SecretBytes, slot: Identifier) throws -> OpenVault {
    let vault = try open(second: nil, vaultKey: vaultKey, slot: slot)
    try vault.compareWithLastKnownState(in: states)
    return vault
  }
}
