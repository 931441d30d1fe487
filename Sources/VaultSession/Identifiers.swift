import VaultCrypto
import VaultModel
import VaultStore

// A card's id is one and the same in three rooms that do not know each other. Here they meet.

extension RecordIdentifier {
  init(_ stored: StoredID) { self.init(high: stored.high, low: stored.low) }
  init(_ identifier: Identifier) { self.init(high: identifier.high, low: identifier.low) }
}

extension StoredID {
  init(_ record: RecordIdentifier) { self.init(high: record.high, low: record.low) }
  init(_ identifier: Identifier) { self.init(high: identifier.high, low: identifier.low) }
}

extension Identifier {
  init(_ record: RecordIdentifier) { self.init(high: record.high, low: record.low) }
  init(_ stored: StoredID) { self.init(high: stored.high, low: stored.low) }
}

extension KeySlot {
  /// A slot as it stands in the file.
  init(_ row: SlotRow) throws {
    try self.init(
      id: Identifier(row.id), kind: Kind(stored: Int64(row.kind)),
      derivation: KeyDerivation(
        algorithm: Int64(row.algorithm), iterations: Int64(row.iterations), memoryKiB: Int64(row.memoryKiB)),
      salt: Salt(row.salt.bytes), sealed: row.sealed)
  }

  /// The slot as it stands in the file.
  var row: SlotRow {
    get throws {
      guard let salt = StoredID(bytes: salt.bytes) else { throw CryptoError.malformed }
      return SlotRow(
        id: StoredID(id), kind: kind.rawValue, algorithm: derivation.algorithm,
        iterations: UInt32(clamping: derivation.iterations),
        memoryKiB: UInt32(clamping: derivation.memoryKiB),
        salt: salt, sealed: sealed)
    }
  }
}

extension Lockout {
  /// The state as it stands in the file.
  init(_ row: LockoutRow?) {
    guard let row else {
      self = .none
      return
    }
    self.init(
      failedAttempts: Int(clamping: row.failedAttempts), wait: row.waitMilliseconds,
      startedBoot: row.startedBoot,
      startedWall: row.startedWall, bootIdentifier: row.bootID)
  }

  /// The state as it stands in the file.
  var row: LockoutRow {
    LockoutRow(
      failedAttempts: Int64(failedAttempts), waitMilliseconds: wait, startedWall: startedWall,
      startedBoot: startedBoot, bootID: bootIdentifier)
  }
}
