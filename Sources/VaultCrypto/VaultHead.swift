public import Wire

/// The content of a vault's head: what the rest of the file must add up to, and what changed lately.
///
/// The head is sealed at ``RecordContext/head(of:generation:)`` in the same transaction as every change.
public struct VaultHead: Hashable, Sendable {
  /// A card that was created, updated or deleted in a generation.
  public struct RecentChange: Hashable, Sendable {
    /// The generation of the vault in which it changed.
    public let generation: UInt64
    public let card: Identifier
  }

  /// The hash over all sealed records but the head.
  public private(set) var recordHash: RecordHash
  /// The number of cards.
  public private(set) var cardCount: UInt64
  /// The number of documents.
  public private(set) var documentCount: UInt64
  /// The number of attachments.
  public private(set) var attachmentCount: UInt64
  /// ``recentChanges`` names every card that changed after this generation.
  public private(set) var recentSince: UInt64
  /// The ``PlainHash`` of the slots and plain settings, 32 bytes; nil in a vault of the older format, whose head does not
  /// account for them.
  public var plainHash: [UInt8]?
  /// At most ``recentChangeLimit`` changes, oldest first; of a card that changed several times, the last.
  public private(set) var recentChanges: [RecentChange]

  /// The maximum number of changes that are kept.
  public static let recentChangeLimit = 64

  /// The head of a vault without records.
  ///
  /// - Parameters:
  ///   - generation: The generation in which the vault begins.
  ///   - plainHash: The hash of its slots and plain settings.
  public init(emptyAt generation: UInt64, plainHash: [UInt8]? = nil) {
    self.plainHash = plainHash
    recordHash = RecordHash()
    cardCount = 0
    documentCount = 0
    attachmentCount = 0
    recentSince = generation
    recentChanges = []
  }

  init(
    recordHash: RecordHash, cardCount: UInt64, documentCount: UInt64, attachmentCount: UInt64,
    recentSince: UInt64, plainHash: [UInt8]?, recentChanges: [RecentChange]
  ) {
    self.plainHash = plainHash
    self.recordHash = recordHash
    self.cardCount = cardCount
    self.documentCount = documentCount
    self.attachmentCount = attachmentCount
    self.recentSince = recentSince
    self.recentChanges = recentChanges
  }
}

// Records coming and going: the hash and the counts move together.
extension VaultHead {
  /// Adds a new record.
  ///
  /// - Throws: ``CryptoError/malformed`` when `kind` is the head, or its count is at its maximum.
  public mutating func add(_ element: RecordHash.Element, kind: RecordKind) throws(CryptoError) {
    try changeCount(of: kind) { $0.addingReportingOverflow(1) }
    recordHash.add(element)
  }

  /// Removes a deleted record.
  ///
  /// - Throws: ``CryptoError/malformed`` when `kind` is the head, or its count is 0.
  public mutating func remove(_ element: RecordHash.Element, kind: RecordKind) throws(CryptoError) {
    try changeCount(of: kind) { $0.subtractingReportingOverflow(1) }
    recordHash.remove(element)
  }

  /// Replaces a record by its next revision.
  public mutating func replace(_ old: RecordHash.Element, with new: RecordHash.Element) {
    recordHash.remove(old)
    recordHash.add(new)
  }

  private mutating func changeCount(
    of kind: RecordKind, _ step: (UInt64) -> (partialValue: UInt64, overflow: Bool)
  ) throws(CryptoError) {
    // The record hash alone accounts for histories.
    guard kind != .history else { return }
    let path: WritableKeyPath<VaultHead, UInt64> =
      switch kind {
      case .card: \.cardCount
      case .document: \.documentCount
      case .attachment: \.attachmentCount
      case .head, .rendition, .history, .lastSeen, .segment, .keyFile, .successor: throw .malformed
      }
    let (count, overflow) = step(self[keyPath: path])
    guard !overflow else { throw .malformed }
    self[keyPath: path] = count
  }
}

// What other processes have to read again.
extension VaultHead {
  /// Notes that a card was created, updated or deleted in `generation`. When the list is full, the oldest generation
  /// leaves it and ``recentSince`` moves up.
  ///
  /// A generation below the last one noted cannot be put in order; then the list starts over.
  public mutating func noteChange(of card: Identifier, at generation: UInt64) {
    guard generation > recentSince else { return }
    if let last = recentChanges.last, generation < last.generation {
      recentSince = last.generation
      recentChanges = []
      return
    }
    recentChanges.removeAll { $0.card == card }
    recentChanges.append(RecentChange(generation: generation, card: card))
    if recentChanges.count > Self.recentChangeLimit, let oldest = recentChanges.first?.generation {
      recentSince = oldest
      recentChanges.removeAll { $0.generation == oldest }
    }
  }

  /// The cards that changed after a generation, or nil when the list does not reach back so far and every card has to be
  /// read again.
  public func cardsChanged(after generation: UInt64) -> [Identifier]? {
    guard generation >= recentSince else { return nil }
    return recentChanges.filter { $0.generation > generation }.map(\.card)
  }
}

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
