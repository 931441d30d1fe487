package import Wire

/// One write of a card: the replica that made it, and its number among that replica's writes of the card, from 1.
///
/// This is the dot of a dotted version vector (Preguiça, Baquero, Almeida, Fonte and Gonçalves, 2012).
package struct Dot: Hashable, Sendable {
  package var replica: Identifier
  package var count: UInt64

  package init(replica: Identifier, count: UInt64) {
    (self.replica, self.count) = (replica, count)
  }
}

/// The writes of a card that a copy of the vault knows: for each replica, all up to a number, and how many of the card's conflict
/// copies it has resolved.
///
/// Whoever knows a replica's n-th write of a card knows the ones before it, because a replica hands on the whole state of the
/// card. So one number for each replica is enough, however long another copy was away.
package struct VersionVector: Hashable, Sendable {
  /// The number of the last known write of each replica, and under its version 8 that of its last known resolution; without
  /// zeros.
  package private(set) var counts: [Identifier: UInt64] = [:]

  /// The most numbers that a card may have.
  package static let limit = 1_000
  /// The most that it may get from other replicas, so that this one can still change, delete and resolve it.
  static let sharedLimit = 900

  package init() {}

  package func covers(_ dot: Dot) -> Bool { counts[dot.replica, default: 0] >= dot.count }

  package func covers(_ other: VersionVector) -> Bool {
    other.counts.allSatisfy { covers(Dot(replica: $0.key, count: $0.value)) }
  }

  package mutating func insert(_ dot: Dot) {
    guard dot.count > 0 else { return }
    counts[dot.replica] = max(counts[dot.replica, default: 0], dot.count)
  }

  package mutating func join(_ other: VersionVector) {
    counts.merge(other.counts, uniquingKeysWith: max)
  }

  /// Returns the next write of a replica, and inserts it.
  ///
  /// - Throws: ``VaultError/failed(_:)`` after 2^64 − 1 writes.
  package mutating func next(of replica: Identifier) throws -> Dot {
    let count = try counts[replica, default: 0].incremented()
    counts[replica] = count
    return Dot(replica: replica, count: count)
  }

  /// Counts that a replica changed or deleted a conflict copy of the card.
  ///
  /// - Throws: ``VaultError/failed(_:)`` after 2^64 − 1 times.
  mutating func countResolution(by replica: Identifier) throws {
    _ = try next(of: replica.resolver)
  }

  /// The number of all known writes, without resolutions. It grows with every write that becomes known, and is the same for all
  /// that know the same.
  package var total: Int64 {
    counts.lazy.filter { !$0.key.isResolver }.map(\.value).reduce(0) { sum, count in
      let (next, overflow) = sum.addingReportingOverflow(Int64(clamping: count))
      return overflow ? .max : next
    }
  }
}

extension Identifier {
  /// The name under which a replica counts the conflict copies that it resolves: its own as a version 8 UUID (RFC 9562, section 5.8).
  fileprivate var resolver: Identifier { Identifier(high: high & ~0xF000 | 0x8000, low: low) }

  fileprivate var isResolver: Bool { high & 0xF000 == 0x8000 }
}
