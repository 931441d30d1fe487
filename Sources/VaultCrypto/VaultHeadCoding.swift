import Wire

// The head's bytes: version (1) ‖ record hash (32) ‖ card, document and attachment count (8 each) ‖ recentSince (8) ‖
// from version 2 on, plain hash (32) ‖ n (2) ‖ n × (generation (8) ‖ card id (16)).
extension VaultHead {
  private static let beginningCount = 65
  private static let changeCount = 24

  /// The content to seal: version 2, or version 1 without a plain hash.
  public func encoded() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.beginningCount)
    bytes.withMutableRawSpan { span in
      span.store(bigEndian: plainHash == nil ? 1 : 2 as UInt8, at: 0)
      recordHash.bytes.withRawSpan { span.copy($0, at: 1) }
      span.store(bigEndian: cardCount, at: 33)
      span.store(bigEndian: documentCount, at: 41)
      span.store(bigEndian: attachmentCount, at: 49)
      span.store(bigEndian: recentSince, at: 57)
    }
    bytes.reserveCapacity(bytes.count + SHA256.count + 2 + recentChanges.count * Self.changeCount)
    bytes += plainHash ?? []
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: recentChanges.count))
    for change in recentChanges {
      bytes.append(bigEndian: change.generation)
      bytes.append(bigEndian: change.card.high)
      bytes.append(bigEndian: change.card.low)
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
    guard bytes.byteCount > Self.beginningCount else { throw .malformed }
    let version: UInt8 = bytes.bigEndian(at: 0)
    guard version == 1 || version == 2 else { throw .malformed }
    let countOffset = Self.beginningCount + (version == 2 ? SHA256.count : 0)
    guard bytes.byteCount >= countOffset + 2 else { throw .malformed }
    let count = Int(bytes.bigEndian(at: countOffset) as UInt16)
    guard count <= Self.recentChangeLimit,
      bytes.byteCount == countOffset + 2 + count * Self.changeCount
    else { throw .malformed }

    let recentSince: UInt64 = bytes.bigEndian(at: 57)
    guard recentSince <= generation else { throw .malformed }
    var changes: [RecentChange] = []
    changes.reserveCapacity(count)
    for index in 0..<count {
      let offset = countOffset + 2 + index * Self.changeCount
      let change = RecentChange(
        generation: bytes.bigEndian(at: offset),
        card: Identifier(high: bytes.bigEndian(at: offset + 8), low: bytes.bigEndian(at: offset + 16)))
      guard change.generation > recentSince, change.generation <= generation,
        changes.last.map({ $0.generation <= change.generation }) ?? true
      else { throw .malformed }
      changes.append(change)
    }
    let plainHash = bytes.extracting(Self.beginningCount..<countOffset)
    self.init(
      recordHash: try RecordHash(bytes.extracting(1..<33)), cardCount: bytes.bigEndian(at: 33),
      documentCount: bytes.bigEndian(at: 41), attachmentCount: bytes.bigEndian(at: 49),
      recentSince: recentSince,
      plainHash: version == 2 ? unsafe plainHash.withUnsafeBytes { unsafe [UInt8]($0) } : nil,
      recentChanges: changes)
  }
}
