package import Identifiers
package import VaultCrypto

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
    let vault = try reopened(vaultKey: vaultKey, slot: slot)
    // What this machine remembers of the vault does not open any more.
    if vault.needsNewReplica { try renewReplica(of: vault, at: replicaPlace()) }
    opened = vault
  }

  private func reopened(vaultKey: SecretBytes, slot: Identifier) throws -> OpenVault {
    let vault = try open(second: nil, vaultKey: vaultKey, slot: slot)
    try vault.compareWithLastSeen(in: states)
    return vault
  }
}
