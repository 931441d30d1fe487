package import VaultCrypto
public import VaultInterface
import VaultStore
package import Wire

extension VaultSession {
  /// Replaces the password (R11) in one transaction: whenever the process is killed, exactly one of the two passwords opens
  /// the vault. A locked vault stays locked. Other processes that have it open lock it.
  ///
  /// - Parameters:
  ///   - keyDerivation: nil for the old password's.
  ///   - dropsDevices: whether bound devices lose their slots. The vault key does not change, so a device that keeps its
  ///     slot still opens the vault.
  /// - Throws: what ``unlock(password:)`` throws for the old password, ``VaultError/passwordTooShort(minimum:)``.
  public func changePassword(
    from old: String, to new: String, keyDerivation: KeyDerivationRequest?, dropsDevices: Bool
  ) async throws {
    try Self.check(newPassword: new)
    let derivation = try keyDerivation?.derivation()
    let (vaultKey, oldSlot) = try await authenticate(old)
    let file = try vaultFile()
    let vault = try file.read { try $0.vaultID() }
    let reader = RecordReader(file, keys: try VaultKeys(vaultKey: vaultKey), vault: vault)
    try requireNotOlder(reader)
    let secret = try SecretBytes(password: new)
    let newSlot = try await runInBackground {
      try KeySlot.seal(vaultKey, under: secret, of: vault, derivation: derivation ?? oldSlot.derivation)
    }
    try await waitingForOthers { try replace(oldSlot, with: newSlot, dropsDevices: dropsDevices, reader) }
    guard let opened else { return }
    if opened.slot == opened.passwordSlot || dropsDevices { opened.slot = newSlot.id }
    opened.passwordSlot = newSlot.id
  }

  /// Checks the length of a new password.
  ///
  /// - Throws: ``VaultError/passwordTooShort(minimum:)``, ``VaultError/passwordTooLong(maximum:)``.
  public static func check(newPassword: String) throws(VaultError) {
    guard newPassword.count >= minimumPasswordLength else {
      throw .passwordTooShort(minimum: minimumPasswordLength)
    }
    guard newPassword.unicodeScalars.count <= maximumPasswordLength else {
      throw .passwordTooLong(maximum: maximumPasswordLength)
    }
  }

  /// Throws ``VaultError/older`` for an older copy that the user has not accepted.
  private func requireNotOlder(_ reader: RecordReader) throws {
    if let opened {
      guard opened.older == nil else { throw VaultError.older }
    } else if let last = LastKnownState(of: reader, in: states),
      let now = try LastKnownState(now: reader, nil),
      last.isAhead(of: now)
    {
      throw VaultError.older
    }
  }

  private func replace(
    _ old: KeySlot, with new: KeySlot, dropsDevices: Bool, _ reader: RecordReader
  ) throws {
    do {
      try reader.file.write { transaction in
        try reader.changeSlots(transaction) { transaction in
          try transaction.replaceSlot(old.id, with: new.row)
          guard dropsDevices else { return }
          for slot in try transaction.read.slots() where slot.isDevice {
            try transaction.deleteSlot(slot.id)
          }
        }
        try transaction.appendEvent(event(.passwordChanged, means: "password"))
      }
    } catch StoreError.recordNotFound {
      // Another process changed the password in the same moment, and the old one is no longer the password.
      throw VaultError.changed
    }
  }

  /// Checks what a person typed to confirm: the name of the vault's file, without its directory.
  ///
  /// - Throws: ``VaultError/confirmationMismatch``.
  package func requireName(_ confirmation: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard confirmation == name else { throw VaultError.confirmationMismatch }
  }

  /// Deletes the vault: the file, its log and its shared memory, and what this user's programs remember of it.
  ///
  /// - Parameter confirmation: the name of the vault's file, without its directory.
  /// - Throws: ``VaultError/confirmationMismatch``, and what ``unlock(password:)`` throws for the password;
  ///   ``VaultError/unavailable(_:)`` also if only the file could be removed and something beside it not: then the vault is gone.
  public func delete(password: String, confirmation: String) async throws {
    try requireName(confirmation)
    _ = try await authenticate(password)
    try await remove()
  }

  /// Removes the vault's files, and what this user's programs remember of it.
  package func remove() async throws {
    let vault = try? vaultFile().read { try $0.vaultID() }
    do {
      try await waitingForOthers { try vaultFile().remove() }
    } catch {
      if file?.isClosed == true { forget(vault) }
      throw error
    }
    forget(vault)
  }

  /// Closes a vault that is not there any more, and removes what this user's programs remember of it.
  private func forget(_ vault: Identifier?) {
    close()
    if let vault { states?.remove(vault) }
  }

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

extension KeyDerivationRequest {
  /// Returns the derivation, checked against the limits of the vault format.
  func derivation() throws(CryptoError) -> KeyDerivation {
    let derivation: KeyDerivation =
      switch self {
      case .pbkdf2(let iterations): .pbkdf2(iterations: iterations ?? KeyDerivation.default.iterations)
      case .argon2id(let iterations, let memory):
        .argon2id(
          iterations: iterations ?? KeyDerivation.defaultArgon2id.iterations,
          memoryKiB: memory ?? KeyDerivation.defaultArgon2id.memoryKiB)
      }
    try derivation.validate()
    return derivation
  }
}
