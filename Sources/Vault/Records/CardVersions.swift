import VaultCrypto
package import Wire

/// What a synchronised vault knows of the writes of a card, beside the tags of its history.
///
/// A content is known to another copy if that copy has seen its tag, or one of its dots. Tags are kept for 64 replaced contents;
/// version vectors have no such limit.
package struct CardVersions: Hashable, Sendable {
  /// The writes that made the present contents, by the tag of the content.
  package var dots: [UInt64: Set<Dot>] = [:]
  /// Every known write of the card, and every resolution. That of a conflict copy is empty: its card's counts.
  package var context = VersionVector()
  /// What is added to the number of known writes to make the card's revision, which thus is the same on every replica.
  package var base: Int64 = 0
  /// The conflict copies of the card that merges made; some may be changed or deleted by now.
  package var copies: [Identifier] = []
  /// Whether this replica is to publish the card: none that it has heard of has published all that it knows.
  package var isPublisher = false
  /// The generation in which this replica last wrote the card, or resolved one of its conflict copies.
  package var changedAt: Int64 = 0

  package init() {}

  /// The card's revision after all known writes.
  package var revision: Int64 {
    let (revision, overflow) = base.addingReportingOverflow(context.total)
    return overflow ? .max : revision
  }

  /// Returns the versions as other replicas see them: without what is only this one's.
  package var published: CardVersions {
    var published = self
    (published.copies, published.isPublisher, published.changedAt) = ([], false, 0)
    return published
  }

  /// Makes the card one for this replica to publish, as of a generation.
  package mutating func publish(in generation: Int64) {
    (isPublisher, changedAt) = (true, generation)
  }

  /// The most dots, and the most conflict copies.
  static let limit = 1_000

  /// Whether there are no more writes, dots and conflict copies than can be read again.
  var isWithinLimits: Bool {
    context.counts.count <= VersionVector.limit && copies.count <= Self.limit
      && dots.values.reduce(0) { $0 + $1.count } <= Self.limit
  }

  /// Whether every number is one that writes can follow.
  var canGoOn: Bool {
    let highest = UInt64(ByteReader.highestOrdinal)
    return base.magnitude <= highest && context.counts.values.allSatisfy { $0 <= highest }
      && dots.values.joined().allSatisfy { $0.count <= highest }
  }

  /// Returns the versions after a content replaced all that were present, or after the card was deleted.
  ///
  /// - Parameters:
  ///   - tag: the new content's; nil for a deletion.
  ///   - revision: the card's new revision; nil for a deletion.
  func adding(_ write: ReplicaWrite, tag: UInt64?, revision: Int64?) throws -> CardVersions {
    var versions = self
    for dot in dots.values.joined() { versions.context.insert(dot) }
    let dot = try versions.context.next(of: write.replica)
    versions.dots = tag.map { [$0: [dot]] } ?? [:]
    versions.publish(in: write.generation)
    if let revision { versions.base = revision - versions.context.total }
    return versions
  }

  /// Returns the versions after a conflict copy of the card was changed or deleted. The card itself keeps its revision.
  func resolvingCopy(_ write: ReplicaWrite) throws -> CardVersions {
    var versions = self
    try versions.context.countResolution(by: write.replica)
    versions.publish(in: write.generation)
    return versions
  }
}

/// A write of this replica in one transaction.
package struct ReplicaWrite {
  package var replica: Identifier
  /// The generation that the transaction makes.
  package var generation: Int64
}

// base (8) ‖ changed at (8) ‖ numbers of context, dots, copies (2 each) ‖ context: replica (16), count (8) ‖ dots: own tag's
// index (2), replica (16), count (8) ‖ copies (16 each).
extension CardVersions {
  private static let headCount = 22

  /// - Parameter own: the own tags of the history, in their order.
  func encoded(own: [UInt64]) -> [UInt8] {
    let known = context.counts.sorted { $0.key < $1.key }
    var made: [(index: Int, dot: Dot)] = []
    for (index, tag) in own.enumerated() {
      let sorted = (dots[tag] ?? []).sorted { ($0.replica, $0.count) < ($1.replica, $1.count) }
      made += sorted.map { (index, $0) }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headCount + known.count * 24 + made.count * 26 + copies.count * 16)
    bytes.append(bigEndian: base)
    bytes.append(bigEndian: changedAt)
    for count in [known.count, made.count, copies.count] {
      bytes.append(bigEndian: UInt16(truncatingIfNeeded: count))
    }
    for (replica, count) in known {
      bytes += replica.bytes
      bytes.append(bigEndian: count)
    }
    for (index, dot) in made {
      bytes.append(bigEndian: UInt16(truncatingIfNeeded: index))
      bytes += dot.replica.bytes
      bytes.append(bigEndian: dot.count)
    }
    for copy in copies { bytes += copy.bytes }
    return bytes
  }

  /// Reads versions, which extend to the end.
  ///
  /// - Throws: ``CryptoError/malformed`` for a length that does not match, numbers above the limits, replicas that are not in
  ///   ascending order, a count of 0, or a dot of a tag that is not there.
  init(decoding bytes: ArraySlice<UInt8>, own: [UInt64], isPublisher: Bool) throws(CryptoError) {
    var reader = ByteReader(bytes)
    base = Int64(bitPattern: try reader.number(8))
    changedAt = Int64(bitPattern: try reader.number(8))
    let (known, made) = (Int(try reader.number(2)), Int(try reader.number(2)))
    let copyCount = Int(try reader.number(2))
    guard known <= VersionVector.limit, made <= Self.limit, copyCount <= Self.limit, changedAt >= 0 else {
      throw .malformed
    }
    var last: Identifier?
    for _ in 0..<known {
      let dot = Dot(replica: try reader.identifier(), count: try reader.number(8))
      if let last, last >= dot.replica { throw .malformed }
      guard dot.count > 0 else { throw .malformed }
      last = dot.replica
      context.insert(dot)
    }
    for _ in 0..<made {
      let index = Int(try reader.number(2))
      let dot = Dot(replica: try reader.identifier(), count: try reader.number(8))
      guard own.indices.contains(index), dot.count > 0 else { throw .malformed }
      dots[own[index], default: []].insert(dot)
    }
    for _ in 0..<copyCount { copies.append(try reader.identifier()) }
    guard reader.isAtEnd else { throw .malformed }
    self.isPublisher = isPublisher
  }
}

/// One write of a card: the replica that made it, and its number among that replica's writes of the card, from 1.
///
/// This is the dot of a dotted version vector (Preguiça, Baquero, Almeida, Fonte and Gonçalves, 2012).
package struct Dot: Hashable, Sendable {
  package var replica: Identifier
  package var count: UInt64
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
