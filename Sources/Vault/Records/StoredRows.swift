package import VaultCrypto
package import VaultInterface
package import VaultStore
package import Wire

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

extension ReadTransaction {
  /// The ``PlainHash`` of the slots and plain settings as they are in the file.
  ///
  /// - Parameter settings: the plain settings to assume; nil for those in the file.
  package func plainHash(settings: String? = nil) throws -> [UInt8] {
    try PlainHash.hash(
      slots: slots().map(PlainHash.Slot.init), settings: settings ?? vault().plaintextSettings)
  }
}

extension PlainHash.Slot {
  package init(_ row: SlotRow) {
    self.init(
      id: row.id, kind: row.kind, algorithm: row.algorithm, iterations: row.iterations,
      memoryKiB: row.memoryKiB, salt: row.salt, sealed: row.sealed)
  }
}

extension SlotRow {
  /// Whether the slot belongs to the password.
  package var isPassword: Bool { kind == KeySlot.Kind.password.rawValue }
  /// Whether the slot belongs to a device.
  var isDevice: Bool { kind == KeySlot.Kind.device.rawValue }
}

extension RecordReader {
  /// Compares the rows that are not sealed with the head.
  ///
  /// - Parameter settings: the sealed settings.
  package func plainFindings(
    _ transaction: borrowing ReadTransaction, head: VaultHead?, settings: Settings
  ) throws -> Set<Finding> {
    var findings: Set<Finding> = []
    if try transaction.slots().count(where: \.isPassword) != 1 { findings.insert(.keySlots) }
    guard let expected = head?.plainHash else { return findings }
    if try transaction.plainHash() != expected {
      let (stored, sealed) = (try transaction.vault().plaintextSettings, settings.plaintext)
      if stored != sealed { findings.insert(.plainSettings) }
      if try stored == sealed || transaction.plainHash(settings: sealed) != expected {
        findings.insert(.keySlots)
      }
    }
    if try Lockout(transaction.lockout()).isMissing { findings.insert(.attempts) }
    return findings
  }

  /// Changes slots together with the head that accounts for them. The records may be damaged.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if the head does not account for the slots as they are before; what `body`
  ///   throws.
  func changeSlots(
    _ transaction: borrowing WriteTransaction, _ body: (borrowing WriteTransaction) throws -> Void
  ) throws {
    guard try transaction.read.slots().count(where: \.isPassword) == 1 else { throw VaultError.damaged(nil) }
    guard try transaction.read.bindsPlainRows() else { return try body(transaction) }
    let row = try transaction.read.vault()
    var head = try head(row)
    guard try head.plainHash == transaction.read.plainHash() else { throw VaultError.damaged(nil) }
    let generation = try row.generation.incremented()
    try body(transaction)
    head.plainHash = try transaction.read.plainHash()
    try put(head, generation: generation, transaction)
  }

  /// Seals the head of a generation and stores it.
  func put(_ head: VaultHead, generation: Int64, _ transaction: borrowing WriteTransaction) throws {
    try transaction.putHead(seal(.head, .zero, generation, head.encoded()), generation: generation)
  }

  /// Returns whether the migration record and the head agree that the head covers the plaintext rows.
  package func agrees(_ head: VaultHead?, _ transaction: borrowing ReadTransaction) throws -> Bool {
    try (head?.plainHash != nil) == transaction.bindsPlainRows()
  }
}

/// Checks whether records that were found in a damaged file open.
package final class SalvagedRecords {
  private let keys: VaultKeys
  private let vault: Identifier
  private let buffer = PlaintextBuffer()

  package init(keys: VaultKeys, vault: Identifier) {
    self.keys = keys
    self.vault = vault
  }

  /// Whether a record opens in the place where it was found.
  package func open(_ record: SalvagedRecord) -> Bool {
    defer { buffer.wipe() }
    guard let revision = UInt64(exactly: record.revision), let (kind, id) = try? place(record.kind) else {
      return false
    }
    let place = RecordContext(vault: vault, kind: kind, record: id, revision: revision)
    return (try? keys.sealer.open(record.sealed, at: place, into: buffer)) != nil
  }

  private func place(_ kind: SalvagedRecord.Kind) throws -> (RecordKind, Identifier) {
    switch kind {
    case .head: (.head, .zero)
    case .card(let id): (.card, id)
    case .document(let name): (.document, try Identifier(documentNamed: name))
    case .history(let id): (.history, id)
    }
  }
}
