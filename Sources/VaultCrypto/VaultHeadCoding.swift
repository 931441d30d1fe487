import Identifiers

// The head's bytes: version (1) ‖ record hash (32) ‖ card, document and attachment count (8 each) ‖ recentSince (8) ‖
// n (2) ‖ n × (generation (8) ‖ card id (16)).
extension VaultHead {
  /// The version of the layout.
  public static let version: UInt8 = 1

  private static let fixedCount = 67
  private static let changeCount = 24

  /// The content to seal.
  public func encoded() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.fixedCount + recentChanges.count * Self.changeCount)
    bytes.withMutableRawSpan { span in
      span.store(bigEndian: Self.version, at: 0)
      recordHash.bytes.withRawSpan { span.copy($0, at: 1) }
      span.store(bigEndian: cardCount, at: 33)
      span.store(bigEndian: documentCount, at: 41)
      span.store(bigEndian: attachmentCount, at: 49)
      span.store(bigEndian: recentSince, at: 57)
      span.store(bigEndian: UInt16(truncatingIfNeeded: recentChanges.count), at: 65)
      for (index, change) in recentChanges.enumerated() {
        let offset = Self.fixedCount + index * Self.changeCount
        span.store(bigEndian: change.generation, at: offset)
        change.card.store(in: &span, at: offset + 8)
      }
    }
    return bytes
  }

  /// Reads the content of a head that was opened.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - generation: The generation of the vault, to which the head belongs.
  /// - Throws: ``CryptoError/malformed`` for an unknown version, bytes missing or left over, more than 64 changes, a
  ///   `recentSince` or a change after `generation`, a change not after `recentSince`, or changes out of order.
  public init(decoding bytes: RawSpan, generation: UInt64) throws(CryptoError) {
    guard bytes.byteCount >= Self.fixedCount, bytes.bigEndian(at: 0) == Self.version else {
      throw .malformed
    }
    let count = Int(bytes.bigEndian(at: 65) as UInt16)
    guard count <= Self.recentChangeLimit,
      bytes.byteCount == Self.fixedCount + count * Self.changeCount
    else { throw .malformed }

    let recentSince: UInt64 = bytes.bigEndian(at: 57)
    guard recentSince <= generation else { throw .malformed }
    var changes: [RecentChange] = []
    changes.reserveCapacity(count)
    for index in 0..<count {
      let offset = Self.fixedCount + index * Self.changeCount
      let change = RecentChange(
        generation: bytes.bigEndian(at: offset),
        card: Identifier(high: bytes.bigEndian(at: offset + 8), low: bytes.bigEndian(at: offset + 16)))
      guard change.generation > recentSince, change.generation <= generation,
        changes.last.map({ $0.generation <= change.generation }) ?? true
      else { throw .malformed }
      changes.append(change)
    }
    self.init(
      recordHash: try RecordHash(bytes.extracting(1..<33)), cardCount: bytes.bigEndian(at: 33),
      documentCount: bytes.bigEndian(at: 41), attachmentCount: bytes.bigEndian(at: 49),
      recentSince: recentSince, recentChanges: changes)
  }
}
