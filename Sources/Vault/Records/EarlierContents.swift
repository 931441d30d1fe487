import Synchronization
import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// What a card contained before it was edited, newest first, so that an edit can be taken back (R1).
///
/// It is part of the card's history: sealed with it, synchronised with it, and gone when the card is deleted. Attachments are no
/// part of it.
package struct EarlierContents: Hashable, Sendable {
  /// The most contents of a card, whatever the settings say.
  static let most = 50
  /// The most bytes of all contents of a card.
  static let longest = 256 << 10

  /// The encoded cards, with their times of modification.
  private(set) var records: [[UInt8]] = []

  package init() {}

  package var isEmpty: Bool { records.isEmpty }

  /// Returns these and another content, which is newer: no more than `count`, and none that was modified before a time.
  func adding(_ record: [UInt8], upTo count: Int, since time: Int64) -> EarlierContents {
    var earlier = EarlierContents()
    earlier.records = [record] + records.filter { $0 != record && Self.time(of: $0) >= time }
    earlier.limit(to: min(count, Self.most))
    return earlier
  }

  /// Returns the contents of both, in an order that does not depend on which are whose.
  func merged(with other: EarlierContents) -> EarlierContents {
    guard self != other else { return self }
    var earlier = EarlierContents()
    earlier.records = Array(Set(records + other.records)).sorted { left, right in
      let (one, two) = (Self.time(of: left), Self.time(of: right))
      return one == two ? right.lexicographicallyPrecedes(left) : one > two
    }
    earlier.limit(to: Self.most)
    return earlier
  }

  private mutating func limit(to count: Int) {
    var size = 0
    records = Array(
      records.prefix(count).prefix { record in
        size += record.count
        return size <= Self.longest
      })
  }

  private static func time(of record: [UInt8]) -> Int64 {
    record.withRawSpan { (try? CardRecord.head(of: $0))?.modifiedAt.milliseconds ?? .min }
  }
}

// number (1) ‖ length (4) and bytes of each.
extension EarlierContents {
  func encoded() -> [UInt8] {
    var bytes = [UInt8(truncatingIfNeeded: records.count)]
    for record in records {
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: record.count))
      bytes += record
    }
    return bytes
  }

  /// - Throws: ``CryptoError/malformed`` for none or too many of them, or for one that does not begin as a card.
  init(from reader: inout ByteReader) throws(CryptoError) {
    let count = Int(try reader.number(1))
    guard 1...Self.most ~= count else { throw .malformed }
    var size = 0
    for _ in 0..<count {
      let length = Int(try reader.number(4))
      size += length
      guard size <= Self.longest else { throw .malformed }
      let record = Array(try reader.bytes(length))
      guard record.withRawSpan({ (try? CardRecord.head(of: $0)) != nil }) else { throw .malformed }
      records.append(record)
    }
  }
}

/// The families of the present contents by their tags, which find the card of a conflict copy that somebody has changed: its id alone
/// does not tell.
package final class ContentFamilies: Sendable {
  private struct State {
    /// That of the vault with these contents; nil before they were read.
    var generation: Int64?
    /// Some may not have the content any more.
    var families: [UInt64: Identifier] = [:]

    mutating func add(_ id: Identifier, _ history: CardHistory) {
      for tag in history.own { families[tag] = history.origin?.card ?? id }
    }
  }

  private let state = Mutex(State())

  /// Returns the families that may have these contents. Reads all histories if other than merges have changed the vault since.
  ///
  /// - Parameter generation: that of the vault.
  /// - Throws: also `CancellationError`.
  func families(
    with tags: Set<UInt64>, in generation: Int64, _ reader: RecordReader,
    _ transaction: borrowing ReadTransaction
  ) throws -> [Identifier] {
    guard !tags.isEmpty else { return [] }
    if state.withLock({ $0.generation }) != generation {
      var read = State(generation: generation)
      try transaction.forEachHistory { _, row in
        try Task.checkCancellation()
        read.add(row.id, try reader.history(row))
      }
      let found = read
      state.withLock { $0 = found }
    }
    return state.withLock { state in tags.compactMap { state.families[$0] } }
  }

  /// Notes the histories that a merge writes.
  func note(_ histories: [Identifier: CardHistory], after before: Int64, in generation: Int64) {
    state.withLock { state in
      guard state.generation == before else { return }
      state.generation = generation
      for (id, history) in histories { state.add(id, history) }
    }
  }
}

extension CardHistory {
  /// The contents that a card may have had as a conflict copy: it has seen more tags than it has writes of its own.
  var tagsOfCopy: Set<UInt64> {
    let writes = versions?.context.total ?? 0
    let known = own.count + replaced.count + (deletedAt == nil ? 0 : 1)
    return origin == nil && (known > writes || replaced.count == Self.limit) ? Set(replaced) : []
  }
}
