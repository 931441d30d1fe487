import VaultCrypto
import VaultStore
import Wire

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
}
