import Identifiers
package import VaultCrypto
public import VaultModel
import VaultStore

extension VaultSession {
  /// Creates the vault with a new password and unlocks it (R11, R22).
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
    let slot = try await runInBackground {
      try KeySlot.seal(vaultKey, under: secret, of: identifier, derivation: derivation)
    }

    let head = VaultHead(emptyAt: 1)
    let sealed = try VaultKeys(vaultKey: vaultKey).sealer.seal(
      head.encoded(), at: RecordPlace.head(of: identifier, generation: 1))
    let row = VaultRow(
      vaultID: identifier, generation: 1, head: sealed, openSettings: OpenSettings().text)
    let file = try VaultFile.create(at: path, with: InitialContent(vault: row, slots: [slot.row]))
    adopt(file)
    opened = try OpenVault.open(file, vaultKey: vaultKey, slot: slot.id)
    record(.created)
  }

  /// Starts on another thread what the first unlocking would wait for: the cryptographic library, and its self-tests, which
  /// run when a key is used for the first time.
  ///
  /// A key of known bytes serves for that. For a random one of a vault key's quality the library gathers jitter for up to a
  /// tenth of a second, which would keep a core from the key derivation that may have begun.
  public static func prepare() {
    Task.detached {
      let known = [UInt8](repeating: 0, count: AuthenticatedCipher.keyCount)
      guard let keys = try? VaultKeys(vaultKey: SecretBytes(copying: known)),
        let sealed = try? keys.sealer.seal([], at: .head(of: .zero, generation: 0))
      else { return }
      try? keys.sealer.open(sealed, at: .head(of: .zero, generation: 0), into: PlaintextBuffer(capacity: 64))
      _ = try? keys.hasher.element(kind: .head, id: .zero, revision: 0, sealed: sealed)
    }
  }

  /// Unlocks the vault, or checks the password of one that is unlocked.
  ///
  /// - Throws: ``VaultError/wrongPassword(attemptsLeft:retryAfterSeconds:)``,
  ///   ``VaultError/lockedOut(retryAfterSeconds:)``, ``VaultError/notFound`` and the others of opening a file.
  public func unlock(password: String) async throws {
    var second: VaultFile?
    let right = try await tryPassword(password) {
      let file = try vaultFile()
      guard opened == nil, file.size >= Self.sizeForTwo else { return }
      second = try? file.duplicate()
      guard file.size <= Self.sizeToReadAhead else { return }
      // What a scan begins at either end of, so that it finds all of it in the caches.
      try? file.readAhead(in: .min ... .max)
      try? second?.readAhead(in: 0 ... .max)
    }
    defer { withExtendedLifetime(right) {} }
    let isOpen = opened != nil
    guard !isOpen else { return try forgetAttempts(right, noting: .unlocked, in: vaultFile()) }
    let open = try open(second: second, vaultKey: right.vaultKey, slot: right.slot.id) { file in
      try forgetAttempts(right, noting: .unlocked, in: file)
    }
    try restoreOpenSettings(of: open)
    opened = open
  }

  /// The file size, in bytes, from which a second connection is opened while the key is derived.
  private static let sizeForTwo: Int64 = 128 << 10
  /// The file size, in bytes, up to which cards are read ahead while the key is derived: they fit in the caches.
  private static let sizeToReadAhead: Int64 = 1 << 20

  /// Checks the password of a vault that is unlocked, under the rules of R11.
  ///
  /// - Throws: what ``unlock(password:)`` throws; ``VaultError/locked``.
  public func authorize(password: String) async throws {
    _ = try unlocked()
    _ = try await authenticate(password)
    _ = try unlocked()
  }

  /// Checks the password under the rules of R11 and gives the vault key. The log says what follows, and nothing of this.
  ///
  /// - Parameter other: the slot of another copy of the vault, which is tried in place of this one's.
  package func authenticate(
    _ password: String, with other: KeySlot? = nil
  ) async throws -> (vaultKey: SecretBytes, slot: KeySlot) {
    let right = try await tryPassword(password, with: other)
    defer { withExtendedLifetime(right) {} }
    try readingOrSalvaging { try forgetAttempts(right, noting: nil, in: $0) }
    return (right.vaultKey, right.slot)
  }

  /// A right password, which is still counted as a wrong one.
  private struct VerifiedPassword {
    var vaultKey: SecretBytes
    var slot: KeySlot
    var vault: Identifier
    /// Held until the count is reset; nil where it timed out.
    var place: AttemptLock?
  }

  /// Tries the password under the rules of R11; when it is right, the caller takes back that it was counted.
  ///
  /// The attempt is on disk as a failed one before the slot is tried with the key that the password gives, and so before
  /// anybody learns whether it is right; the key is derived on another thread while that is written. A password that comes
  /// during a wait is refused unseen.
  ///
  /// Who tries has the place for it. Others that try meanwhile derive their key, wait for the place, and are counted then, each
  /// from what the one before has left: that one's count, and a wait that it has begun, hold only once it was wrong or is dead.
  /// A place that does not become free is passed by after ``attemptTimeout``.
  ///
  /// - Parameter meanwhile: what else is done while the key is derived.
  private func tryPassword(
    _ password: String, with other: KeySlot? = nil, meanwhile: () throws -> Void = {}
  ) async throws -> VerifiedPassword {
    guard password.unicodeScalars.count <= Self.longestPassword else {
      throw VaultError.passwordTooLong(maximum: Self.longestPassword)
    }
    for _ in 0..<2 {
      let file = try vaultFile()
      do {
        return try await tryPassword(password, with: other, in: file, meanwhile)
      } catch StoreError.corrupt where !file.isSalvaged && isLocked {
        // A read may have failed for a moment: once more with the file opened anew.
        closeFile()
      }
    }
    return try await tryPassword(password, with: other, in: salvage(), meanwhile)
  }

  private func tryPassword(
    _ password: String, with other: KeySlot?, in file: VaultFile, _ meanwhile: () throws -> Void
  ) async throws -> VerifiedPassword {
    do {
      var place = try? AttemptLock(ofVaultAt: file.path)
      let isFirst = place != nil
      let (slot, vault) = try file.read { transaction in
        if isFirst { _ = try nextAttempt(in: transaction) }
        return (try passwordSlot(in: transaction), try transaction.vault().vaultID)
      }
      let secret = try SecretBytes(password: password)
      try Task.checkCancellation()
      let tried = other ?? slot
      let derivation = BackgroundTask { try tried.derivation.deriveKey(from: secret, salt: tried.salt) }
      let lockout = isFirst ? try countAttempt(at: slot, in: file) : nil
      try meanwhile()
      let key = try await derivation.value(whenCancelled: .abandon)
      if lockout == nil {
        place = try await attemptLock(at: file.path)
      }
      let counted = try lockout ?? countAttempt(at: slot, in: file)
      do {
        let vaultKey = try tried.open(withDerived: key, of: vault)
        return VerifiedPassword(vaultKey: vaultKey, slot: slot, vault: vault, place: place)
      } catch CryptoError.authenticationFailed {
        throw noteWrongPassword(counted)
      }
    } catch VaultError.lockedOut(let seconds) {
      noteRefusal(in: file)
      throw VaultError.lockedOut(retryAfterSeconds: seconds)
    }
  }

  /// Waits for the lock of whoever tries a password; nil after the timeout.
  private func attemptLock(at path: String) async throws -> AttemptLock? {
    let end = ContinuousClock.now + attemptTimeout
    repeat {
      if let place = try? AttemptLock(ofVaultAt: path) { return place }
      try await Task.sleep(for: .milliseconds(2))
    } while ContinuousClock.now < end
    return nil
  }

  /// Returns the state to store if the password tried now is wrong.
  private func nextAttempt(in transaction: borrowing ReadTransaction) throws -> Lockout {
    let lockout = Lockout(try transaction.lockout())
    let wait = lockout.remainingSeconds(at: clock)
    guard wait == 0 else { throw VaultError.lockedOut(retryAfterSeconds: wait) }
    return lockout.countingAttempt(at: clock)
  }

  private func passwordSlot(in transaction: borrowing ReadTransaction) throws -> KeySlot {
    let row = try transaction.slots().first { $0.kind == KeySlot.Kind.password.rawValue }
    guard let row else { throw VaultError.damaged(nil) }
    return try KeySlot(row)
  }

  /// Counts an attempt as failed before it is made.
  private func countAttempt(at slot: KeySlot, in file: VaultFile) throws -> Lockout {
    try file.write { transaction in
      let lockout = try nextAttempt(in: transaction.read)
      guard try passwordSlot(in: transaction.read).id == slot.id else { throw VaultError.changed }
      try transaction.setLockout(lockout.row)
      return lockout
    }
  }

  private func noteWrongPassword(_ lockout: Lockout) -> VaultError {
    let wait = lockout.remainingSeconds(at: clock)
    try? vaultFile().write { transaction in
      try transaction.appendEvent(self.event(.wrongPassword, means: "password"))
      if wait > 0 { try transaction.appendEvent(self.event(.lockedOut, means: "password")) }
    }
    return .wrongPassword(attemptsLeft: lockout.attemptsLeft, retryAfterSeconds: wait)
  }

  private func noteRefusal(in file: VaultFile) {
    try? file.write { transaction in
      let stored = Lockout(try transaction.read.lockout())
      let clamped = stored.clampedStart(at: clock)
      if clamped != stored { try transaction.setLockout(clamped.row) }
      try transaction.appendEvent(event(.refused, means: "password"))
    }
  }

  /// Resets the count after a right password, if that is still the vault's password.
  private func forgetAttempts(
    _ right: VerifiedPassword, noting event: VaultEvent?, in file: VaultFile
  ) throws {
    try file.write { transaction in
      guard try transaction.read.vault().vaultID == right.vault,
        try transaction.read.slots().contains(where: { $0.id == right.slot.id })
      else { throw VaultError.changed }
      try transaction.clearLockout()
      if let event { try transaction.appendEvent(self.event(event, means: "password")) }
    }
  }

  /// Checks the length of a new password.
  static func check(newPassword: String) throws(VaultError) {
    guard newPassword.count >= shortestPassword else { throw .passwordTooShort(minimum: shortestPassword) }
    guard newPassword.unicodeScalars.count <= longestPassword else {
      throw .passwordTooLong(maximum: longestPassword)
    }
  }

  /// Compares the settings in clear with the sealed ones; repairs a forgery and records it in the log.
  func restoreOpenSettings(of vault: OpenVault) throws {
    let truth = OpenSettings(vault.settings).text
    guard vault.isIntact, try vault.file.read({ try $0.vault().openSettings }) != truth else { return }
    try vault.file.write { transaction in
      try transaction.setOpenSettings(truth)
      try transaction.appendEvent(event(.settingsForged))
    }
  }
}
