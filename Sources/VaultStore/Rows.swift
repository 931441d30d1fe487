public import Wire

/// The vault's own row: its id, its generation and its sealed head.
public struct VaultRow: Hashable, Sendable {
  /// The vault's random id.
  public var vaultID: Identifier
  /// The number of transactions that wrote sealed records.
  public var generation: Int64
  /// The sealed head: record hash, counts and recent changes, bound to `generation`.
  public var head: [UInt8]
  /// The settings that must be readable before unlocking, in plaintext: lines `name=value`.
  public var plaintextSettings: String

  public init(vaultID: Identifier, generation: Int64 = 1, head: [UInt8], plaintextSettings: String = "") {
    (self.vaultID, self.generation) = (vaultID, generation)
    (self.head, self.plaintextSettings) = (head, plaintextSettings)
  }
}

/// The vault key, sealed under one key-encryption key, with the parameters to derive that key.
///
/// The store does not check the parameters; the reader checks their limits before deriving a key.
public struct SlotRow: Hashable, Sendable {
  /// The slot's random id.
  public var id: Identifier
  /// 1 password, 2 device.
  public var kind: UInt8
  /// 1 pbkdf2-hmac-sha256, 2 argon2id, 3 hkdf-sha256.
  public var algorithm: UInt8
  /// Iterations or passes of the key derivation.
  public var iterations: UInt32
  /// Memory of the key derivation in KiB.
  public var memoryKiB: UInt32
  /// The salt of the key derivation, 16 bytes.
  public var salt: [UInt8]
  /// The sealed vault key.
  public var sealed: [UInt8]

  public init(
    id: Identifier, kind: UInt8, algorithm: UInt8, iterations: UInt32, memoryKiB: UInt32, salt: [UInt8],
    sealed: [UInt8]
  ) {
    (self.id, self.kind, self.algorithm) = (id, kind, algorithm)
    (self.iterations, self.memoryKiB, self.salt) = (iterations, memoryKiB, salt)
    self.sealed = sealed
  }
}

/// A card's row: its sealed record, and what is known of it without the key.
public struct CardRow: Hashable, Sendable {
  /// The card's random id.
  public var id: Identifier
  /// The card's revision, which its sealed record is bound to.
  public var revision: Int64
  /// The sealed record.
  public var sealed: [UInt8]

  public init(id: Identifier, revision: Int64, sealed: [UInt8]) {
    (self.id, self.revision, self.sealed) = (id, revision, sealed)
  }
}

/// A named sealed record, such as `settings`.
public struct DocumentRow: Hashable, Sendable {
  /// The document's name, in plaintext.
  public var name: String
  /// The document's revision, which its sealed record is bound to.
  public var revision: Int64
  /// The sealed record.
  public var sealed: [UInt8]

  public init(name: String, revision: Int64, sealed: [UInt8]) {
    (self.name, self.revision, self.sealed) = (name, revision, sealed)
  }
}

/// The count of wrong passwords, and the wait before the next attempt (R11).
public struct LockoutRow: Hashable, Sendable {
  /// The wrong passwords since the last right one; negative if the row had been missing.
  public var failedAttempts: Int64
  /// The current wait, in milliseconds; 0 for none.
  public var waitMilliseconds: Int64
  /// When the wait began: milliseconds since 1970 UTC.
  public var startedWall: Int64
  /// When the wait began: milliseconds since the machine started.
  public var startedBoot: Int64
  /// The kernel's id of the run in which `startedBoot` was read.
  public var bootID: String

  /// The row of a vault without failed attempts.
  public static let none = LockoutRow(
    failedAttempts: 0, waitMilliseconds: 0, startedWall: 0, startedBoot: 0, bootID: "")

  public init(
    failedAttempts: Int64, waitMilliseconds: Int64, startedWall: Int64, startedBoot: Int64, bootID: String
  ) {
    (self.failedAttempts, self.waitMilliseconds) = (failedAttempts, waitMilliseconds)
    (self.startedWall, self.startedBoot, self.bootID) = (startedWall, startedBoot, bootID)
  }
}

/// One authentication event, without private detail.
public struct EventRow: Hashable, Sendable {
  /// When it happened: milliseconds since 1970 UTC.
  public var at: Int64
  public var kind: String
  /// By which method, such as password or biometric.
  public var method: String?
  /// The reason; nil if there is none.
  public var reason: String?

  public init(at: Int64, kind: String, method: String? = nil, reason: String? = nil) {
    (self.at, self.kind, self.method, self.reason) = (at, kind, method, reason)
  }
}

public struct InitialContent: Hashable, Sendable {
  public var vault: VaultRow
  /// The slots; a vault without one can never be opened again.
  public var slots: [SlotRow]
  /// Documents, counted in the head that `vault` carries.
  public var documents: [DocumentRow]
  /// Cards, counted in the head that `vault` carries.
  public var cards: [CardRow]

  public init(vault: VaultRow, slots: [SlotRow], documents: [DocumentRow] = [], cards: [CardRow] = []) {
    (self.vault, self.slots, self.documents, self.cards) = (vault, slots, documents, cards)
  }
}
