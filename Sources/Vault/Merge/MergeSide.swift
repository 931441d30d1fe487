import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// The cards and histories of one of the two copies in a merge.
struct MergeSide {
  /// The parts of a card's row that a merge compares.
  struct Row: Hashable {
    let revision: Int64
    /// The salt and the authentication tag identify a sealed record.
    let salt: [UInt8]
    let seal: [UInt8]
    var tag: UInt64 { salt.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    init(revision: Int64, sealed: RawSpan) {
      let bytes = { (span: RawSpan) in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
      self.revision = revision
      (salt, seal) = (bytes(sealed.extracting(first: 16)), bytes(sealed.extracting(last: 16)))
    }

    init(_ row: CardRow) {
      self = row.sealed.withRawSpan { Row(revision: row.revision, sealed: $0) }
    }

    /// Returns what the row of a card adds to the record hash.
    func element(of card: Identifier, _ reader: RecordReader) throws -> RecordHash.Element {
      try reader.element(.card, card, revision, salt + seal)
    }
  }

  /// A card and its conflict copies: the place of each present content, and the tags of all known ones, newest first.
  struct Family: Hashable {
    var places: [UInt64: Identifier] = [:]
    var known: [UInt64] = []
    var deletedAt: Int64?
    /// Former contents that the histories of former conflict copies list.
    var superseded: Set<UInt64> = []
    /// The dots of the present contents, in a synchronised vault.
    var dots: [UInt64: Set<Dot>] = [:]
    /// What is known of all writes of the card, in a synchronised vault; nil in others.
    var versions: CardVersions?
    /// Whether the known tags have one of every known write.
    var hasEveryTag = true

    /// The tags of the present contents.
    var live: Set<UInt64> { Set(places.keys) }

    /// Returns whether a content of another copy was seen here, or is here.
    ///
    /// Where every tag is known, only they count: a machine that was restored from a backup may give a dot to two writes.
    func knows(_ tag: UInt64, _ dots: Set<Dot>?) -> Bool {
      if known.contains(tag) || superseded.contains(tag) { return true }
      guard !hasEveryTag, let versions, let dots else { return false }
      return dots.contains(where: versions.context.covers)
    }
  }

  private(set) var rows: [Identifier: Row] = [:]
  private(set) var histories: [Identifier: CardHistory] = [:]
  /// The unchanged conflict copies, by their original card.
  private var copies: [Identifier: [Identifier]] = [:]

  /// Reads an intact vault.
  ///
  /// - Throws: also `CancellationError`.
  init(_ vault: OpenVault, _ transaction: borrowing ReadTransaction) throws {
    var rows: [Identifier: Row] = [:]
    try transaction.forEachCard { _, id, revision, sealed in
      try Task.checkCancellation()
      rows[id] = Row(revision: revision, sealed: sealed)
    }
    var histories: [Identifier: CardHistory] = [:]
    try transaction.forEachHistory { _, row in
      try Task.checkCancellation()
      histories[row.id] = try vault.reader.history(row)
    }
    self.init(rows, histories)
  }

  /// - Parameters:
  ///   - rows: the cards that are there.
  ///   - histories: the histories of these cards, and of deleted ones.
  init(_ rows: [Identifier: Row], _ histories: [Identifier: CardHistory]) {
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
      family.hasEveryTag = history.hasEveryTag
      family.versions = history.versions
      family.dots = history.versions?.dots ?? [:]
    }
    for copy in (copies[id] ?? []).sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      for tag in tags(copy) { family.places[tag] = copy }
      family.known += tags(copy)
      family.dots.merge(histories[copy]?.versions?.dots ?? [:]) { $0.union($1) }
    }
    return family
  }

  /// Returns whether a card, present or deleted, is not a conflict copy.
  func isIndependent(_ id: Identifier) -> Bool {
    (rows[id] != nil || histories[id] != nil) && histories[id]?.origin == nil
  }

  /// Returns whether a card that is not a conflict copy once had a content of another family that was replaced. Only tags tell: the
  /// dots of that content number the writes of another card.
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
    let mine = live.filter { other.live.contains($0) || !other.knows($0, dots[$0]) }
    let stay = mine.union(other.live.filter { !live.contains($0) && !knows($0, other.dots[$0]) })
    var all: [UInt64] = []
    for index in 0..<max(known.count, other.known.count) {
      let next = [known, other.known].compactMap { $0.count > index ? $0[index] : nil }
      all += next.sorted()
    }
    let deleted = [deletedAt, other.deletedAt].compactMap { $0 }.max()
    return (stay, all, stay.isEmpty ? deleted ?? 0 : nil)
  }

  /// Returns what both sides know of all writes of the card, without dots; nil if neither is of a synchronised vault.
  func joinedVersions(with other: MergeSide.Family) -> CardVersions? {
    guard versions != nil || other.versions != nil else { return nil }
    var joined = CardVersions()
    joined.context = versions?.context ?? VersionVector()
    joined.context.join(other.versions?.context ?? VersionVector())
    joined.base = max(versions?.base ?? .min, other.versions?.base ?? .min)
    return joined
  }

  /// Returns the dots of a content on both sides.
  func joinedDots(of tag: UInt64, with other: MergeSide.Family) -> Set<Dot> {
    (dots[tag] ?? []).union(other.dots[tag] ?? [])
  }
}

/// Whose cards are merged, and what that means for the versions of synchronised vaults.
struct MergeSource {
  /// The replica that published the cards; nil for another copy of the whole file.
  var publisher: Identifier?
  /// The write of this replica that the merge is; nil in a vault that is not synchronised.
  var write: ReplicaWrite?

  /// Returns the versions of a card after a merge, with the dots of all its contents; nil if it has none.
  ///
  /// Contents without dots, which come from a file of before the vault was synchronised, count as written by this replica.
  ///
  /// - Parameters:
  ///   - live: the tags of the contents that stay.
  ///   - revision: the higher revision of both sides.
  func versions(
    _ mine: MergeSide.Family, _ theirs: MergeSide.Family, _ live: Set<UInt64>, revision: Int64
  ) throws -> CardVersions? {
    let joined = mine.joinedVersions(with: theirs)
    guard var versions = joined ?? write.map({ _ in CardVersions() }) else { return nil }
    for tag in live { versions.dots[tag] = mine.joinedDots(of: tag, with: theirs) }
    let isNew = write != nil && versions.dots.values.contains(where: \.isEmpty)
    if let write, isNew {
      let dot = try versions.context.next(of: write.replica)
      for tag in live where versions.dots[tag]?.isEmpty == true { versions.dots[tag] = [dot] }
    }
    if joined == nil { versions.base = revision + 1 - versions.context.total }
    versions.isPublisher = isPublisher(mine, theirs, isNew: isNew)
    let isChanged = versions.isPublisher && (isNew || mine.versions?.isPublisher != true)
    versions.changedAt = isChanged ? write?.generation ?? 0 : mine.versions?.changedAt ?? 0
    return versions
  }

  /// Returns whether this replica is to publish a card after a merge.
  private func isPublisher(_ mine: MergeSide.Family, _ theirs: MergeSide.Family, isNew: Bool) -> Bool {
    guard let write else { return false }
    guard let publisher, !isNew else { return true }
    let known = mine.versions?.context ?? VersionVector()
    let published = theirs.versions?.context ?? VersionVector()
    let wasPublisher = mine.versions?.isPublisher ?? false
    let unknown = mine.live.filter { !theirs.knows($0, mine.dots[$0]) }
    // A dot was given to two contents: who published this one publishes the other now, so nobody has this one but who saw it.
    if unknown.contains(where: { mine.dots[$0]?.allSatisfy(published.covers) == true }) { return true }
    guard unknown.isEmpty, published.covers(known) else { return wasPublisher }
    // Both published the same: one of them is enough.
    return wasPublisher && known.covers(published) && write.replica < publisher
  }
}

extension CardVersions {
  /// Returns the versions of a card that has the contents with these tags.
  func of(_ tags: [UInt64]) -> CardVersions {
    var versions = self
    versions.dots = dots.filter { tags.contains($0.key) && !$0.value.isEmpty }
    return versions
  }

  /// Returns the versions of a conflict copy that has the contents with these tags.
  func ofCopy(_ tags: [UInt64]) -> CardVersions {
    var versions = CardVersions()
    versions.dots = of(tags).dots
    return versions
  }
}
