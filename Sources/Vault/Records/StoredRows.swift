package import VaultCrypto
package import VaultStore

extension KeySlot {
  /// Converts a slot from its stored row.
  package init(_ row: SlotRow) throws {
    try self.init(
      id: row.id, kind: Kind(stored: Int64(row.kind)),
      derivation: KeyDerivation(
        algorithm: Int64(row.algorithm), iterations: Int64(row.iterations), memoryKiB: Int64(row.memoryKiB)),
      salt: Salt(row.salt), sealed: row.sealed)
  }

  /// The stored row.
  package var row: SlotRow {
    SlotRow(
      id: id, kind: kind.rawValue, algorithm: derivation.algorithm,
      iterations: UInt32(clamping: derivation.iterations), memoryKiB: UInt32(clamping: derivation.memoryKiB),
      salt: salt.bytes, sealed: sealed)
  }
}

extension Lockout {
  /// The stored row.
  package init(_ row: LockoutRow?) {
    self.init(
      failedAttempts: Int(clamping: row?.failedAttempts.magnitude ?? 0), wait: row?.waitMilliseconds ?? 0,
      startedBoot: row?.startedBoot ?? 0, startedWall: row?.startedWall ?? 0,
      bootIdentifier: row?.bootID ?? "")
    isMissing = (row?.failedAttempts ?? -1) < 0
  }

  /// Converts the state from its stored row, in which the attempts are negative if the row had been missing.
  var row: LockoutRow {
    LockoutRow(
      failedAttempts: Int64(isMissing ? -failedAttempts : failedAttempts), waitMilliseconds: wait,
      startedWall: startedWall, startedBoot: startedBoot, bootID: bootIdentifier)
  }
}
