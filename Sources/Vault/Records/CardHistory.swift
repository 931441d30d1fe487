package import VaultCrypto
package import VaultStore
package import Wire

/// The history of a card, as far as a merge with another copy of the vault needs it.
///
/// Every content that a card ever had is named by a *tag* of 64 random bits. The history lists the tags of contents that
/// were replaced. Another copy that still has one of them has an older state; one whose content has any other tag has
/// something that this copy never had.
package struct CardHistory: Hashable, Sendable {
  /// The origin of a conflict copy.
  package struct Origin: Hashable, Sendable {
    /// The card that changed on both sides.
    package var card: Identifier
    /// The length of the card's own title, in bytes, before the note.
    package var titleByteCount: Int
    /// Whether the copy has its own copies of the attachments of its content; version 0.1.0 gave it those that no other content had.
    package var copiesAttachments = true
  }

  /// The tags of the content itself; where there are none, it is the first eight bytes of the sealed record.
  package var own: [UInt64] = []
  /// When the content of each own tag was modified, in milliseconds since 1970 UTC; empty if that is the card's time for all. Only
  /// contents that differ in nothing else are one.
  package var times: [UInt64: Int64] = [:]
  /// The tags of replaced contents, newest first.
  package var replaced: [UInt64] = []
  /// When the card was deleted, in milliseconds since 1970 UTC; nil if it exists.
  package var deletedAt: Int64?
  /// Set while the card is an unchanged conflict copy.
  package var origin: Origin?
  /// What the card contained before it was edited; nothing if it was deleted, and of a conflict copy.
  package var earlier = EarlierContents()
  /// The writes of a card of a synchronised vault; nil in other vaults.
  package var versions: CardVersions?

  /// The most tags that are kept. A copy that is further behind counts as changed independently.
  package static let limit = 64

  /// Whether programs of version 0.1.0 could not read the history.
  var isNew: Bool {
    versions != nil || !times.isEmpty || !earlier.isEmpty || origin?.copiesAttachments == true
  }

  /// Whether there is a tag of every known write, so that a content with any other tag was never here.
  package var hasEveryTag: Bool {
    replaced.count < Self.limit && own.count + replaced.count >= versions?.context.total ?? 0
  }

  /// Returns the history after a write: a new content replaced the one before, or the card was created or deleted.
  ///
  /// - Parameters:
  ///   - replaced: the tag of the replaced record, used where the history has no own tags; nil for a card that was not there.
  ///   - tag: the tag of the new record; nil for a deletion.
  ///   - write: nil in a vault that is not synchronised.
  func adding(
    replaced: UInt64?, _ tag: UInt64?, revision: Int64?, deletedAt: Int64?, _ write: ReplicaWrite?
  ) throws -> CardHistory {
    let before = own.isEmpty ? replaced.map { [$0] } ?? [] : own
    var history = CardHistory(replaced: Self.limited(before + self.replaced), deletedAt: deletedAt)
    guard let write else { return history }
    history.own = tag.map { [$0] } ?? []
    // The dots of a conflict copy number the writes of its card, not its own.
    let known = origin == nil ? versions ?? CardVersions() : CardVersions()
    history.versions = try known.adding(write, tag: tag, revision: revision)
    return history
  }

  /// Returns the history of a synchronised card after one of its conflict copies was changed or deleted.
  ///
  /// - Parameter tags: those of the copy's content.
  func adding(resolved tags: [UInt64], _ write: ReplicaWrite) throws -> CardHistory {
    var history = self
    history.replaced = Self.limited(tags + replaced)
    history.versions = try versions?.resolvingCopy(write)
    return history
  }

  /// Returns the first ``limit`` distinct tags.
  package static func limited(_ tags: [UInt64]) -> [UInt64] {
    var known: Set<UInt64> = []
    return Array(tags.filter { known.insert($0).inserted }.prefix(limit))
  }
}

// version (1) ‖ flags (1: bit 0 deleted, bit 1 conflict copy, bit 2 publisher, bit 3 times, bit 4 copied attachments, bit 5
// earlier contents) ‖ own tags (2) ‖ seen tags (2) ‖ deleted at (8) ‖ tags (8 each) ‖ times of own tags (8 each) ‖ for a conflict copy: card (16) ‖ title's bytes (4)
// ‖ earlier contents ‖ in version 2: the versions.
extension CardHistory {
  /// The content to seal.
  package func encoded() -> [UInt8] {
    let flags: UInt8 =
      (deletedAt == nil ? 0 : 1) | (origin == nil ? 0 : 2) | (versions?.isPublisher == true ? 4 : 0)
      | (times.isEmpty ? 0 : 8) | (origin?.copiesAttachments == true ? 16 : 0)
      | (earlier.isEmpty ? 0 : 32)
    var bytes: [UInt8] = [versions == nil ? 1 : 2, flags]
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: own.count))
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: replaced.count))
    bytes.append(bigEndian: deletedAt ?? 0)
    for tag in own + replaced { bytes.append(bigEndian: tag) }
    if !times.isEmpty {
      for tag in own { bytes.append(bigEndian: times[tag] ?? 0) }
    }
    if let origin {
      bytes += origin.card.bytes
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: origin.titleByteCount))
    }
    if !earlier.isEmpty { bytes += earlier.encoded() }
    if let versions { bytes += versions.encoded(own: own) }
    return bytes
  }

  /// Reads the content of a history that was opened.
  ///
  /// - Throws: ``CryptoError/malformed`` for an unknown version or flag, bytes missing or left over, more tags than there can
  ///   be, own tags of a card that is deleted, a time of deletion of one that is not, times of fewer than two contents,
  ///   copied attachments of a card that is no conflict copy, or earlier contents of a card that is one or is deleted.
  package init(decoding bytes: [UInt8]) throws(CryptoError) {
    var reader = ByteReader(bytes[...])
    let (version, flags) = (try reader.number(1), try reader.number(1))
    guard version == 1 && flags & ~59 == 0 || version == 2 && flags & ~63 == 0 else { throw .malformed }
    let (isDeleted, isCopy, hasTimes) = (flags & 1 == 1, flags & 2 == 2, flags & 8 == 8)
    let copiesAttachments = flags & 16 == 16
    let (owns, sees) = (Int(try reader.number(2)), Int(try reader.number(2)))
    let time = Int64(bitPattern: try reader.number(8))
    guard owns <= Self.limit, sees <= Self.limit, isDeleted ? owns == 0 && !isCopy : time == 0,
      owns > 1 || !hasTimes, isCopy || !copiesAttachments, flags & 32 == 0 || !isDeleted && !isCopy
    else { throw .malformed }
    for _ in 0..<owns { own.append(try reader.number(8)) }
    for _ in 0..<sees { replaced.append(try reader.number(8)) }
    if hasTimes {
      for tag in own { times[tag] = Int64(bitPattern: try reader.number(8)) }
    }
    deletedAt = isDeleted ? time : nil
    if isCopy {
      origin = Origin(
        card: try reader.identifier(), titleByteCount: Int(try reader.number(4)),
        copiesAttachments: copiesAttachments)
    }
    if flags & 32 == 32 { earlier = try EarlierContents(from: &reader) }
    if version == 2 {
      let rest = try reader.bytes(reader.count)
      versions = try CardVersions(decoding: rest, own: own, isPublisher: flags & 4 == 4)
    }
    guard reader.isAtEnd else { throw .malformed }
  }
}

/// What is to be known of all histories in the file.
package struct HistorySummary: Sendable {
  package private(set) var hash = RecordHash()
  /// Whether every history was in its place, and opened.
  package private(set) var allOpen = true

  package init() {}

  fileprivate mutating func add(_ row: HistoryRow, at number: Int64, _ reader: RecordReader) {
    if number != row.id.number { allOpen = false }
    if let element = try? reader.element(.history, row.id, row.revision, row.sealed) { hash.add(element) }
  }

  fileprivate mutating func open(_ row: HistoryRow, _ reader: RecordReader) {
    if (try? reader.history(row)) == nil { allOpen = false }
  }
}

extension RecordReader {
  /// Visits every history.
  ///
  /// - Parameter opens: whether each is opened.
  /// - Throws: also `CancellationError` if they are opened.
  package func visitHistories(
    _ transaction: borrowing ReadTransaction, opening opens: Bool
  ) throws -> HistorySummary {
    var summary = HistorySummary()
    try transaction.forEachHistory { number, row in
      summary.add(row, at: number, self)
      guard opens else { return }
      try Task.checkCancellation()
      summary.open(row, self)
    }
    return summary
  }

  /// Opens histories, in the order of their numbers, until that has taken some milliseconds.
  ///
  /// - Parameter first: the number to begin with.
  /// - Returns: the number from which to go on; nil if that was the last history.
  package func visitSomeHistories(_ summary: inout HistorySummary, from first: Int64) throws -> Int64? {
    try untilPause { transaction, begin in
      try transaction.forEachHistory(from: first) { number, row in
        try begin(number, 4 * row.sealed.count + 1024)
        summary.add(row, at: number, self)
        summary.open(row, self)
      }
    }
  }
}
