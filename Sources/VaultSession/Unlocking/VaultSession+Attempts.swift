import VaultStore

extension VaultSession {
  /// The attempts, those that are not in the file included.
  ///
  /// - Parameter row: those that are.
  func lockout(_ row: LockoutRow?) -> Lockout {
    if let unstoredAttempts, unstoredAttempts.stored == row {
      Lockout(unstoredAttempts.current)
    } else {
      Lockout(row)
    }
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
}
