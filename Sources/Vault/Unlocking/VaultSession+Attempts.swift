package import VaultCrypto
import VaultStore
package import Wire

extension VaultSession {
  /// The attempts, those that are not in the file included.
  ///
  /// - Parameter row: those that are.
  func lockout(_ row: LockoutRow?, of vault: Identifier) -> Lockout {
    var counted = Lockout(row)
    if let unstoredAttempts, unstoredAttempts.stored == row { counted = Lockout(unstoredAttempts.current) }
    return counted.atLeast(machineAttempts(vault)?.current, at: clock)
  }

  /// Writes the attempts into the file. If it cannot be written, they count in this process.
  ///
  /// - Parameters:
  ///   - store: writes them, and other things.
  ///   - unstored: is called in place of `store` where the file can only be read, and returns the attempts.
  func storeAttempts<Value>(
    in file: VaultFile, _ store: (borrowing WriteTransaction) throws -> Value,
    orCount unstored: (borrowing ReadTransaction) throws -> (lockout: Lockout, value: Value)
  ) throws -> Value {
    do {
      let value = try file.write(store)
      unstoredAttempts = nil
      return value
    } catch let error as StoreError where error.preventsWritingOnly {
      let (row, counted) = try file.read { (try $0.lockout(), try unstored($0)) }
      unstoredAttempts = UnstoredAttempts(stored: row, current: counted.lockout.row)
      return counted.value
    }
  }

  /// Returns the state to store if the password tried now is wrong.
  func nextAttempt(in transaction: borrowing ReadTransaction) throws -> Lockout {
    var lockout = lockout(try transaction.lockout(), of: try transaction.vaultID())
    if try !transaction.bindsPlainRows() { lockout.isMissing = false }
    let wait = lockout.remainingSeconds(at: clock)
    guard wait == 0 else { throw VaultError.lockedOut(retryAfterSeconds: wait) }
    return lockout.countingAttempt(at: clock)
  }

  /// Returns the password's slot. If there are several, which is damage, returns the first ``passwordSlotLimit``, so that
  /// the password still opens the vault.
  func passwordSlots(in transaction: borrowing ReadTransaction) throws -> [KeySlot] {
    let rows = try transaction.slots().filter(\.isPassword)
    let slots = rows.count > 1 ? rows.compactMap { try? KeySlot($0) } : try rows.map { try KeySlot($0) }
    guard !slots.isEmpty else { throw VaultError.damaged(nil) }
    return Array(slots.prefix(Self.passwordSlotLimit))
  }

  /// The number of password slots that are tried; each takes a key derivation.
  private static let passwordSlotLimit = 4

  /// Counts an attempt as failed before it is made: on this machine if it remembers attempts, and otherwise in the file.
  func countAttempt(at slots: [KeySlot], in file: VaultFile) throws -> Lockout {
    func count(_ transaction: borrowing ReadTransaction) throws -> Lockout {
      guard try passwordSlots(in: transaction).map(\.id) == slots.map(\.id) else { throw VaultError.changed }
      return try nextAttempt(in: transaction)
    }
    let (counted, vault) = try file.read { (try count($0), try $0.vaultID()) }
    if machineAttempts(vault)?.store(counted) == true { return counted }
    return try storeAttempts(in: file) { transaction in
      let lockout = try count(transaction.read)
      try transaction.setLockout(lockout.row)
      return lockout
    } orCount: { transaction in
      let lockout = try count(transaction)
      return (lockout, lockout)
    }
  }

  func recordWrongPassword(_ lockout: Lockout) -> VaultError {
    let wait = lockout.remainingSeconds(at: clock)
    try? vaultFile().write { transaction in
      // The file travels; on this machine the attempt is counted already, if it remembers attempts.
      if try Lockout(transaction.read.lockout()).failedAttempts < lockout.failedAttempts {
        try transaction.setLockout(lockout.row)
      }
      try transaction.appendEvent(self.event(.wrongPassword, means: "password"))
      if wait > 0 { try transaction.appendEvent(self.event(.lockedOut, means: "password")) }
    }
    return .wrongPassword(attemptsLeft: lockout.attemptsLeft, retryAfterSeconds: wait)
  }

  func recordRefusedAttempt(in file: VaultFile) {
    if let vault = try? file.read({ try $0.vaultID() }), let machine = machineAttempts(vault),
      let stored = machine.current
    {
      let clamped = stored.clampedStart(at: clock)
      if clamped != stored { _ = machine.store(clamped) }
    }
    try? file.write { transaction in
      let stored = Lockout(try transaction.read.lockout())
      let clamped = stored.clampedStart(at: clock)
      if clamped != stored { try transaction.setLockout(clamped.row) }
      try transaction.appendEvent(event(.refused, means: "password"))
    }
  }

  /// Migrates a vault of the older format: restores plain settings that differ from the sealed ones, logs that, and binds
  /// slots and plain settings to the head. In a vault of the current format forged settings are damage, and only logged.
  ///
  /// - Parameter binds: whether to bind the slots to the head: only after a password, which shows that its slot is right.
  func updatePlainRows(of vault: OpenVault, binds: Bool) throws {
    if vault.plainFindings.contains(.plainSettings) { try? vault.file.appendEvent(event(.settingsForged)) }
    let sealed = vault.settings.plaintext
    let (isBound, settings) = try vault.file.read {
      (try $0.bindsPlainRows(), try $0.vault().plaintextSettings)
    }
    guard vault.integrity == .intact, !isBound, binds || settings != sealed else { return }
    try vault.writingIfPossible {
      try vault.change { transaction, _ in
        if settings != sealed {
          try transaction.setPlaintextSettings(sealed)
          try transaction.appendEvent(event(.settingsForged))
        }
        if binds { try transaction.bindPlainRows() }
      }
    }
  }

  /// Returns the key of a vault that may be damaged, and the slot that it came from.
  ///
  /// - Parameter password: nil if the vault is unlocked.
  /// - Throws: ``RepairError/notPossible`` where what holds the key is lost; what ``unlock(password:)`` throws.
  package func authenticateForRepair(_ password: String?) async throws -> (
    vaultKey: SecretBytes, slot: Identifier
  ) {
    if let opened, password == nil { return (opened.keys.vaultKey, opened.slot) }
    guard let password else { throw VaultError.locked }
    do {
      _ = try vaultFile()
    } catch let error as StoreError where [.notAVault, .newerVersion, .corrupt].contains(error) {
      // The header may be damaged. A newer program's file is recognized by its list of migrations.
      guard let salvaged = try? VaultFile.salvage(at: path, isGenuine: { _ in true }) else {
        throw error == .corrupt ? RepairError.notPossible : error
      }
      adopt(salvaged)
    }
    do {
      let (vaultKey, slot) = try await authenticate(password)
      return (vaultKey, slot.id)
    } catch  where Self.isDamage(error) {
      // SQLite may miss rows that can be salvaged.
      guard (try? salvage()) != nil else { throw RepairError.notPossible }
    }
    do {
      let (vaultKey, slot) = try await authenticate(password)
      return (vaultKey, slot.id)
    } catch  where Self.isDamage(error) {
      throw RepairError.notPossible
    }
  }

  private static func isDamage(_ error: any Error) -> Bool { VaultError(error) == .damaged(nil) }
}
