package import VaultCrypto
public import VaultInterface
package import VaultStore
package import Wire

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
    try await create(identifier, vaultKey: vaultKey, slot: slot.row)
    record(.created)
  }

  /// Makes the file of an empty vault with a known key, and unlocks it.
  package func create(_ identifier: Identifier, vaultKey: SecretBytes, slot: SlotRow) async throws {
    let plaintextSettings = Settings().plaintext
    let head = VaultHead(
      emptyAt: 1, plainHash: try PlainHash.hash(slots: [.init(slot)], settings: plaintextSettings))
    let sealed = try VaultKeys(vaultKey: vaultKey).sealer.seal(
      head.encoded(), at: RecordContext.head(of: identifier, generation: 1))
    let row = VaultRow(vaultID: identifier, generation: 1, head: sealed, plaintextSettings: plaintextSettings)
    let file: VaultFile
    do {
      file = try await waitingForOthers {
        try VaultFile.create(at: path, with: InitialContent(vault: row, slots: [slot]))
      }
    } catch StoreError.readOnly {
      throw VaultError.unavailable(.readOnly)
    }
    adopt(file)
    let vault = try OpenVault.open(file, vaultKey: vaultKey, slot: slot.id)
    try vault.compareWithLastKnownState(in: states)
    opened = vault
  }

  /// Loads the cryptographic library on another thread, and runs its self-tests, so that the first unlock need not wait.
  ///
  /// The key has known bytes. For a random key the library would gather jitter for up to a tenth of a second, on a core that
  /// a key derivation may need.
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

  /// Unlocks the vault, or checks the password of one that is unlocked. A vault that was opened for reading only is opened
  /// anew.
  ///
  /// - Throws: ``VaultError/wrongPassword(attemptsLeft:retryAfterSeconds:)``,
  ///   ``VaultError/lockedOut(retryAfterSeconds:)``, ``VaultError/notFound`` and the others of opening a file.
  public func unlock(password: String) async throws {
    var second: VaultFile?
    let right = try await tryPassword(password) {
      let file = try vaultFile()
      guard opened == nil, file.size >= Self.secondConnectionSize else { return }
      second = try? file.duplicate()
      guard file.size <= Self.sizeToReadAhead else { return }
      // A scan begins at both ends; this loads all of it into the caches.
      try? file.readAhead(in: .min ... .max)
      try? second?.readAhead(in: 0 ... .max)
    }
    defer { withExtendedLifetime(right) {} }
    // It may be possible to write by now.
    if opened?.file.isReadOnly == true { close() }
    if let opened {
      try await waitingForOthers { try forgetAttempts(right, noting: .unlocked, in: vaultFile()) }
      opened.couldNotBeWritten = unstoredAttempts != nil
      if opened.needsNewReplica { try await waitingForOthers { try assignNewReplicaToCopy(opened) } }
      return
    }
    let vault = try await waitingForOthers {
      try open(second: second, vaultKey: right.vaultKey, slot: right.slot.id) { file in
        try forgetAttempts(right, noting: .unlocked, in: file)
      }
    }
    try vault.compareWithLastKnownState(in: states)
    vault.couldNotBeWritten = unstoredAttempts != nil
    try await waitingForOthers { try updatePlainRows(of: vault, binds: true) }
    try await waitingForOthers { try assignNewReplicaToCopy(vault) }
    opened = vault
  }

  /// The file size, in bytes, from which a second connection is opened while the key is derived.
  private static let secondConnectionSize: Int64 = 128 << 10
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

  /// Checks the password under the rules of R11 and returns the vault key. Logs failures only.
  ///
  /// - Parameter other: the slot of another copy of the vault, which is tried in place of this one's.
  package func authenticate(
    _ password: String, with other: KeySlot? = nil
  ) async throws -> (vaultKey: SecretBytes, slot: KeySlot) {
    let right = try await tryPassword(password, with: other)
    defer { withExtendedLifetime(right) {} }
    try await waitingForOthers {
      try readingOrSalvaging { try forgetAttempts(right, noting: nil, in: $0) }
    }
    return (right.vaultKey, right.slot)
  }

  /// A right password whose attempt still counts as a failed one.
  private struct VerifiedPassword {
    var vaultKey: SecretBytes
    var slot: KeySlot
    var vault: Identifier
    /// The lock, held until the count is reset; nil after a timeout.
    var attemptLock: AttemptLock?
  }

  /// Tries the password under the rules of R11; if it is right, the caller resets the count.
  ///
  /// The attempt is stored as a failed one before the key is used, so before anybody can learn whether the password is
  /// right; another thread derives the key meanwhile. During a wait the password is refused without being tried.
  ///
  /// Processes take turns with ``AttemptLock``. Those that wait for it have derived their key already, and then count their
  /// attempt from the state that the process before left, which reset the count if its password was right. After
  /// ``attemptTimeout`` an attempt goes on without the lock.
  ///
  /// - Parameter meanwhile: runs while the key is derived.
  private func tryPassword(
    _ password: String, with other: KeySlot? = nil, meanwhile: () throws -> Void = {}
  ) async throws -> VerifiedPassword {
    guard password.unicodeScalars.count <= Self.maximumPasswordLength else {
      throw VaultError.passwordTooLong(maximum: Self.maximumPasswordLength)
    }
    try await waitingForOthers { _ = try reopenedFile() }
    for _ in 0..<2 {
      let file = try await waitingForOthers { try vaultFile() }
      do {
        return try await tryPassword(password, with: other, in: file, meanwhile)
      } catch StoreError.corrupt where !file.isSalvaged && isLocked {
        // A read may have failed temporarily: reopen the file and try again.
        closeFile()
      }
    }
    return try await tryPassword(password, with: other, in: salvage(), meanwhile)
  }

  private func tryPassword(
    _ password: String, with other: KeySlot?, in file: VaultFile, _ meanwhile: () throws -> Void
  ) async throws -> VerifiedPassword {
    do {
      var attemptLock = try? AttemptLock(ofVaultAt: file.path)
      let isFirst = attemptLock != nil
      let (slots, vault) = try file.read { transaction in
        if isFirst { _ = try nextAttempt(in: transaction) }
        return (try passwordSlots(in: transaction), try transaction.vaultID())
      }
      let secret = try SecretBytes(password: password)
      try Task.checkCancellation()
      let tried = other.map { [$0] } ?? slots
      let derivation = BackgroundTask {
        try tried.map { try $0.derivation.deriveKey(from: secret, salt: $0.salt) }
      }
      let lockout = isFirst ? try await waitingForOthers { try countAttempt(at: slots, in: file) } : nil
      try meanwhile()
      let keys = try await derivation.value(whenCancelled: .abandon)
      if lockout == nil {
        attemptLock = try await waitForAttemptLock(at: file.path)
      }
      let counted =
        if let lockout { lockout } else {
          try await waitingForOthers { try countAttempt(at: slots, in: file) }
        }
      for (slot, key) in zip(tried, keys) {
        do {
          let vaultKey = try slot.open(withDerived: key, of: vault)
          return VerifiedPassword(
            vaultKey: vaultKey, slot: other == nil ? slot : slots[0], vault: vault, attemptLock: attemptLock)
        } catch CryptoError.authenticationFailed {}
      }
      throw recordWrongPassword(counted)
    } catch VaultError.lockedOut(let seconds) {
      recordRefusedAttempt(in: file)
      throw VaultError.lockedOut(retryAfterSeconds: seconds)
    }
  }

  /// Waits for the lock that serializes attempts; nil after the timeout.
  private func waitForAttemptLock(at path: String) async throws -> AttemptLock? {
    let end = ContinuousClock.now + attemptTimeout
    var attemptLock: AttemptLock?
    try await Waiting.current.interruptibly {
      while ContinuousClock.now < end {
        attemptLock = try? AttemptLock(ofVaultAt: path)
        guard attemptLock == nil else { return }
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    return attemptLock
  }

  /// Resets the count after a right password, if that is still the vault's password. A file that counts no wrong ones does
  /// not change.
  private func forgetAttempts(
    _ right: VerifiedPassword, noting event: VaultEvent?, in file: VaultFile
  ) throws {
    func check(_ transaction: borrowing ReadTransaction) throws {
      guard try transaction.vaultID() == right.vault,
        try transaction.slots().contains(where: { $0.id == right.slot.id })
      else { throw VaultError.changed }
    }
    let entry = event.map { self.event($0, means: "password") }
    let isClear = try file.read { transaction in
      try check(transaction)
      let row = try transaction.lockout()
      return try row == Lockout.none.row && transaction.bindsPlainRows() || row == nil
    }
    let hasForgotten = machineAttempts(right.vault)?.forget() == true
    if isClear, unstoredAttempts == nil, hasForgotten,
      entry.map({ recordOnMachine($0, of: right.vault) }) != false
    {
      return
    }
    try storeAttempts(in: file) { transaction in
      try check(transaction.read)
      // A missing row is not created again: the vault is damaged until it is repaired.
      let isMissing = try Lockout(transaction.read.lockout()).isMissing
      let keepsRow = try !isMissing && transaction.read.bindsPlainRows()
      if keepsRow { try transaction.setLockout(.none) } else { try transaction.clearLockout() }
      if let entry { try transaction.appendEvent(entry) }
    } orCount: { transaction in
      try check(transaction)
      return (.none, ())
    }
  }
}
