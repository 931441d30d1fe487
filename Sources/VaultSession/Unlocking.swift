import VaultCrypto
import VaultStore

/// How the key that opens a vault is made from its password, as far as somebody chooses it.
public enum KeyDerivationRequest: Sendable, Hashable {
  /// PBKDF2-HMAC-SHA256 (RFC 8018); nil for 600,000 iterations.
  case pbkdf2(iterations: Int?)
  /// Argon2id (RFC 9106); nil for 3 passes over 64 MiB.
  case argon2id(iterations: Int?, memoryKiB: Int?)

  /// The derivation within the limits of the vault format.
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

extension VaultSession {
  /// Makes the vault under a new password, and unlocks it (R11, R22).
  ///
  /// - Parameters:
  ///   - password: 8 characters at least.
  ///   - keyDerivation: nil for the default.
  /// - Throws: ``VaultError/exists``, ``VaultError/passwordTooShort(minimum:)``, ``VaultError/unavailable(_:)``;
  ///   `CancellationError`, and then nothing was made.
  public func create(password: String, keyDerivation: KeyDerivationRequest?) async throws {
    try Self.check(newPassword: password)
    guard try !status().exists else { throw VaultError.exists }
    let derivation = try keyDerivation?.derivation() ?? .default
    let secret = try SecretBytes(password: password)
    let identifier = try Identifier.random()
    let vaultKey = try VaultKeys.newVaultKey()
    let slot = try await elsewhere {
      try KeySlot.seal(vaultKey, under: secret, of: identifier, derivation: derivation)
    }

    let head = VaultHead(emptyAt: 1)
    let sealed = try VaultKeys(vaultKey: vaultKey).sealer.seal(
      head.encoded(), at: RecordPlace.head(of: identifier, generation: 1))
    let row = VaultRow(
      vaultID: StoredID(identifier), generation: 1, head: sealed, openSettings: OpenSettings().text)
    let file = try VaultFile.create(at: path, with: InitialContent(vault: row, slots: [try slot.row]))
    adopt(file)
    opened = try await OpenVault.open(file, vaultKey: vaultKey, slot: StoredID(slot.id))
    record(.created)
  }

  /// Unlocks the vault, or checks the password of one that is unlocked.
  ///
  /// - Throws: ``VaultError/wrongPassword(attemptsLeft:retryAfterSeconds:)``,
  ///   ``VaultError/lockedOut(retryAfterSeconds:)``, ``VaultError/notFound`` and the others of opening a file.
  public func unlock(password: String) async throws {
    let (vaultKey, slot) = try await authenticate(password, noting: .unlocked)
    guard opened == nil else { return }
    let vault = try await OpenVault.open(try vaultFile(), vaultKey: vaultKey, slot: StoredID(slot.id))
    try mendOpenSettings(of: vault)
    opened = vault
  }

  /// Checks the password under the rules of R11 and gives the vault key.
  ///
  /// The attempt is on disk as a failed one before it is made. A password that comes during a wait is refused unseen.
  ///
  /// - Parameter event: what the log says when the password is right; nil where what follows says it.
  func authenticate(
    _ password: String, noting event: VaultEvent? = nil
  ) async throws -> (vaultKey: SecretBytes, slot: KeySlot) {
    guard password.unicodeScalars.count <= Self.longestPassword else {
      throw VaultError.passwordTooLong(maximum: Self.longestPassword)
    }
    let (lockout, slot, vault) = try countAttempt(in: vaultFile())
    let secret = try SecretBytes(password: password)
    let vaultKey: SecretBytes
    do {
      vaultKey = try await elsewhere { try slot.open(with: secret, of: vault) }
    } catch CryptoError.authenticationFailed {
      let wait = lockout.remainingSeconds(at: clock)
      try? vaultFile().write { transaction in
        try transaction.appendEvent(self.event(.wrongPassword, means: "password"))
        if wait > 0 { try transaction.appendEvent(self.event(.lockedOut, means: "password")) }
      }
      throw VaultError.wrongPassword(attemptsLeft: lockout.attemptsLeft, retryAfterSeconds: wait)
    }
    try forgetAttempts(of: vault, slot, noting: event)
    return (vaultKey, slot)
  }

  /// Writes down that a wrong password was tried, whose trial is yet to come.
  private func countAttempt(in file: VaultFile) throws -> (Lockout, KeySlot, Identifier) {
    do {
      return try file.write { transaction in
        let before = Lockout(try transaction.read.lockout())
        let wait = before.remainingSeconds(at: clock)
        guard wait == 0 else { throw VaultError.lockedOut(retryAfterSeconds: wait) }
        let row = try transaction.read.slots().first { $0.kind == KeySlot.Kind.password.rawValue }
        guard let row else { throw VaultError.damaged(nil) }
        let slot = try KeySlot(row)
        let after = before.countingAttempt(at: clock)
        try transaction.setLockout(after.row)
        return (after, slot, Identifier(try transaction.read.vault().vaultID))
      }
    } catch VaultError.lockedOut(let seconds) {
      try? file.write { transaction in
        let stored = Lockout(try transaction.read.lockout())
        let settled = stored.settled(at: clock)
        if settled != stored { try transaction.setLockout(settled.row) }
        try transaction.appendEvent(event(.refused, means: "password"))
      }
      throw VaultError.lockedOut(retryAfterSeconds: seconds)
    }
  }

  /// Writes down that the password was right, if it is still the password of this vault.
  private func forgetAttempts(of vault: Identifier, _ slot: KeySlot, noting event: VaultEvent?) throws {
    try vaultFile().write { transaction in
      guard Identifier(try transaction.read.vault().vaultID) == vault,
        try transaction.read.slots().contains(where: { $0.id == StoredID(slot.id) })
      else { throw VaultError.changed }
      try transaction.clearLockout()
      if let event { try transaction.appendEvent(self.event(event, means: "password")) }
    }
  }

  /// Refuses a new password that is too short or too long.
  static func check(newPassword: String) throws(VaultError) {
    guard newPassword.count >= shortestPassword else { throw .passwordTooShort(minimum: shortestPassword) }
    guard newPassword.unicodeScalars.count <= longestPassword else {
      throw .passwordTooLong(maximum: longestPassword)
    }
  }
}
