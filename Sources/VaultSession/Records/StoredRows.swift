package import VaultCrypto
package import VaultStore

extension KeySlot {
  /// A slot as it stands in the file.
  package init(_ row: SlotRow) throws {
    try self.init(
      id: row.id, kind: Kind(stored: Int64(row.kind)),
      derivation: KeyDerivation(
        algorithm: Int64(row.algorithm), iterations: Int64(row.iterations), memoryKiB: Int64(row.memoryKiB)),
      salt: Salt(row.salt), sealed: row.sealed)
  }

  /// The slot as it stands in the file.
  var row: SlotRow {
    SlotRow(
      id: id, kind: kind.rawValue, algorithm: derivation.algorithm,
      iterations: UInt32(clamping: derivation.iterations), memoryKiB: UInt32(clamping: derivation.memoryKiB),
      salt: salt.bytes, sealed: sealed)
  }
}

extension Lockout {
  /// The state as it stands in the file.
  package init(_ row: LockoutRow?) {
    self.init(
      failedAttempts: Int(clamping: row?.failedAttempts.magnitude ?? 0), wait: row?.waitMilliseconds ?? 0,
      startedBoot: row?.startedBoot ?? 0, startedWall: row?.startedWall ?? 0,
      bootIdentifier: row?.bootID ?? "")
    isMissing = (row?.failedAttempts ?? -1) < 0
  }

  /// The state as it stands in the file; the attempts are negative where the row had been missing.
  var row: LockoutRow {
    LockoutRow(
      failedAttempts: Int64(isMissing ? -failedAttempts : failedAttempts), waitMilliseconds: wait,
      startedWall: startedWall, startedBoot: startedBoot, bootID: bootIdentifier)
  }
}
