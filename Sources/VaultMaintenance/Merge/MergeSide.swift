import Identifiers
import VaultCrypto
import VaultModel
import VaultSession
import VaultStore

/// The cards and histories of one of the two copies in a merge.
struct MergeSide {
  /// The parts of a card's row that a merge compares.
  struct Row: Hashable {
    let revision: Int64
    /// The salt and the authentication tag identify a sealed record.
    let salt: [UInt8]
    let seal: [UInt8]
    var tag: UInt64 { salt.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
  }

  /// A card and its conflict copies: the place of each present content, and the tags of all known ones, newest first.
  struct Family: Hashable {
    var places: [UInt64: Identifier] = [:]
    var known: [UInt64] = []
    var deletedAt: Int64?
    /// Former contents that only the histories of former conflict copies list.
    var superseded: Set<UInt64> = []

    /// The tags of the present contents.
    var live: Set<UInt64> { Set(places.keys) }
  }

  private(set) var rows: [Identifier: Row] = [:]
  private(set) var histories: [Identifier: CardHistory] = [:]
  /// The unchanged conflict copies, by their original card.
  private var copies: [Identifier: [Identifier]] = [:]

  /// Reads an intact vault.
  ///
  /// - Throws: also `CancellationError`.
  init(_ vault: any VaultAccess, _ transaction: borrowing ReadTransaction) throws {
    var rows: [Identifier: Row] = [:]
    try transaction.forEachCard { _, id, revision, sealed in
      try Task.checkCancellation()
      let bytes = { (span: RawSpan) in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
      rows[id] = Row(
        revision: revision, salt: bytes(sealed.extracting(first: 16)),
        seal: bytes(sealed.extracting(last: 16)))
    }
    var histories: [Identifier: CardHistory] = [:]
    try transaction.forEachHistory { _, row in
      try Task.checkCancellation()
      histories[row.id] = try vault.reader.history(row)
    }
    (self.rows, self.histories) = (rows, histories)
    for (id, history) in histories {
      if let origin = history.origin, rows[id] != nil {
        copies[origin.card, default: []].append(id)
      }
    }
  }

  /// The cards, present or deleted, without conflict copies.
  var families: Set<Identifier> {
    Set(rows.keys.filter { histories[$0]?.origin == nil }).union(
      histories.filter { $0.value.origin == nil }.keys
    ).union(copies.keys)
  }

  /// Returns the tags of a card's present content.
  func tags(_ id: Identifier) -> [UInt64] {
    if let own = histories[id]?.own, !own.isEmpty { return own }
    return rows[id].map { [$0.tag] } ?? []
  }

  /// Returns whether a card with this content exists as a conflict copy, or as none.
  func hasCard(_ id: Identifier, with tags: [UInt64], asCopy isCopy: Bool) -> Bool {
    rows[id] != nil && (histories[id]?.origin != nil) == isCopy && Set(self.tags(id)) == Set(tags)
  }

  /// Returns a card with its conflict copies.
  func family(_ id: Identifier) -> Family {
    var family = Family()
    let isCopy = histories[id]?.origin != nil
    if rows[id] != nil, !isCopy {
      for tag in tags(id) { family.places[tag] = id }
      family.known = tags(id)
    }
    if !isCopy, let history = histories[id] {
      family.known += history.replaced
      family.deletedAt = history.deletedAt
    }
    for copy in (copies[id] ?? []).sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      for tag in tags(copy) { family.places[tag] = copy }
      family.known += tags(copy)
    }
    return family
  }

  /// Returns whether a card, present or deleted, is not a conflict copy.
  func isIndependent(_ id: Identifier) -> Bool {
    (rows[id] != nil || histories[id] != nil) && histories[id]?.origin == nil
  }

  /// Returns whether a card that is not a conflict copy once had a content that was replaced.
  func hasReplaced(_ tag: UInt64, at id: Identifier) -> Bool {
    isIndependent(id) && histories[id]?.replaced.contains(tag) == true
  }

  /// Returns whether a card and its conflict copies are identical on both sides.
  func isSame(_ id: Identifier, as other: MergeSide) -> Bool {
    let (mine, theirs) = (copies[id] ?? [], other.copies[id] ?? [])
    guard rows[id] == other.rows[id], histories[id] == other.histories[id], Set(mine) == Set(theirs) else {
      return false
    }
    return mine.allSatisfy { rows[$0] == other.rows[$0] && histories[$0] == other.histories[$0] }
  }
}

extension MergeSide.Family {
  /// Merges both sides: a content stays unless one side has replaced it.
  ///
  /// This is a multi-value register with the set of all tags ever seen as its context: merging is commutative, associative
  /// and idempotent, whatever is merged in which order.
  func merged(with other: MergeSide.Family) -> (live: Set<UInt64>, known: [UInt64], deletedAt: Int64?) {
    let (mine, theirs) = (superseded.union(known), other.superseded.union(other.known))
    let both = live.intersection(other.live)
    let stay = both.union(live.subtracting(theirs)).union(other.live.subtracting(mine))
    var all: [UInt64] = []
    for index in 0..<max(known.count, other.known.count) {
      let next = [known, other.known].compactMap { $0.count > index ? $0[index] : nil }
      all += next.sorted()
    }
    let deleted = [deletedAt, other.deletedAt].compactMap { $0 }.max()
    return (stay, all, stay.isEmpty ? deleted ?? 0 : nil)
  }
}
