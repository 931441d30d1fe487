import VaultCrypto
package import VaultInterface
package import VaultStore
package import Wire

/// Whole families of a synchronised vault, as one replica publishes them and another merges them: cards with their conflict
/// copies, and what is known of deleted cards. A family that is not among them is unknown, not deleted.
package struct CardFamilies: Hashable, Sendable {
  /// The sealed rows of the cards that are there.
  package var rows: [Identifier: CardRow] = [:]
  /// The histories of these cards and of deleted ones, without what belongs to one replica only.
  package var histories: [Identifier: CardHistory] = [:]

  package init() {}

  package var isEmpty: Bool { histories.isEmpty }

  /// What a merge compares.
  var side: MergeSide {
    MergeSide(rows.mapValues(MergeSide.Row.init), histories)
  }
}

extension CardFamilies {
  /// The length of the records and histories, in bytes.
  package var byteCount: Int {
    rows.values.reduce(0) { $0 + $1.sealed.count + 64 } + histories.count * 256
  }

  /// Opens the cards.
  ///
  /// - Throws: `CryptoError` or `CardRecordError` for a record that does not open or is malformed, or a conflict copy whose title is
  ///   shorter than its history says.
  package func opened(by reader: RecordReader) throws -> [Identifier: Card] {
    var cards: [Identifier: Card] = [:]
    for (id, row) in rows {
      let card = try reader.card(row)
      if let count = histories[id]?.origin?.titleByteCount {
        let own = card.title.utf8.prefix(count)
        guard own.count == count, String(validating: own, as: UTF8.self) != nil else {
          throw CryptoError.malformed
        }
      }
      cards[id] = card
    }
    return cards
  }

  /// Each card with its conflict copies.
  package var grouped: [(id: Identifier, family: CardFamilies)] {
    var groups: [Identifier: CardFamilies] = [:]
    for (member, history) in histories {
      let id = history.origin?.card ?? member
      groups[id, default: CardFamilies()].histories[member] = history
      groups[id]?.rows[member] = rows[member]
    }
    return groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns whether there are no contents but those with these tags.
  fileprivate func hasOnly(_ tags: Set<UInt64>) -> Bool {
    histories.values.allSatisfy { tags.isSuperset(of: $0.own) }
  }

  /// Returns whether a card's history lists one of these contents as replaced, and no card here has it. Its context does not tell
  /// that of a conflict copy if the machine that resolved it was restored from a backup and has used the number before.
  fileprivate func hasReplaced(_ tags: Set<UInt64>, of id: Identifier) -> Bool {
    let present = Set(histories.values.flatMap(\.own))
    return histories[id]?.replaced.contains { tags.contains($0) && !present.contains($0) } ?? false
  }

  /// Returns whether a card is a conflict copy in one of both and not in the other, or of another card.
  package func hasOtherRoles(than other: CardFamilies) -> Bool {
    other.histories.contains { id, history in
      histories[id].map { $0.origin?.card != history.origin?.card } ?? false
    }
  }

  package mutating func add(_ other: CardFamilies) {
    rows.merge(other.rows) { $1 }
    histories.merge(other.histories) { $1 }
  }

  /// Adds families in place of those with the same identifiers.
  package mutating func replaceFamilies(with other: CardFamilies) {
    let replaced = Set(other.histories.filter { $0.value.origin == nil }.keys)
    let old = histories.filter {
      replaced.contains($0.key) || $0.value.origin.map { replaced.contains($0.card) } == true
    }
    for id in old.keys { (histories[id], rows[id]) = (nil, nil) }
    add(other)
  }
}

/// What a vault learns from a family of another replica.
package enum FamilyUpdate {
  /// Something that it did not know.
  case content
  /// Another replica publishes all of the family, so this one need not.
  case publisher
}

extension OpenVault {
  /// Returns what a family has that this vault does not know, or that decides who publishes it; nil for nothing.
  func news(
    of id: Identifier, in family: CardFamilies, _ transaction: borrowing ReadTransaction
  ) throws -> FamilyUpdate? {
    guard let theirs = family.histories[id]?.versions?.context else { return .content }
    guard let history = try history(of: id, in: transaction), let mine = history.versions else {
      return .content
    }
    guard mine.isPublisher, theirs.covers(mine.context) else {
      guard mine.context.covers(theirs) else { return .content }
      let contents = Set(try contents(of: id, history, transaction).keys)
      let hasOnlyKnown = !history.hasEveryTag || family.hasOnly(contents.union(history.replaced))
      return hasOnlyKnown && !family.hasReplaced(contents, of: id) ? nil : .content
    }
    // Of two that know the same, the merge chooses one.
    return theirs == mine.context ? .content : .publisher
  }

  /// Returns the tags of the contents of a card and of its conflict copies, and which of these cards has each.
  private func contents(
    of id: Identifier, _ history: CardHistory, _ transaction: borrowing ReadTransaction
  ) throws -> [UInt64: Identifier] {
    var contents: [UInt64: Identifier] = [:]
    for tag in history.own { contents[tag] = id }
    for place in history.versions?.copies ?? [] {
      guard let copy = try self.history(of: place, in: transaction), copy.origin?.card == id else { continue }
      for tag in copy.own { contents[tag] = place }
    }
    return contents
  }

  /// Returns the attachments whose contents a merge with a family may read: not those of contents that are here, or were.
  ///
  /// - Parameter cards: the family's.
  func attachments(
    neededOf id: Identifier, in family: CardFamilies, _ cards: [Identifier: Card],
    _ transaction: borrowing ReadTransaction
  ) throws -> [Attachment] {
    let history = try history(of: id, in: transaction)
    let present = try history.map { try contents(of: id, $0, transaction) } ?? [:]
    var needed: [Attachment] = []
    for (card, opened) in cards {
      let found = opened.attachments
      let isKnown = family.histories[card]?.own.allSatisfy { tag in
        if let place = present[tag] { return attachments.places(of: place).count >= found.count }
        return history?.replaced.contains(tag) == true
      }
      if isKnown != true { needed += found }
    }
    return needed
  }

  /// Returns the ids that the conflict copies of a card's contents have, or would have.
  func copies(of id: Identifier, _ transaction: borrowing ReadTransaction) throws -> Set<Identifier> {
    guard let history = try history(of: id, in: transaction) else { return [] }
    let tags = try contents(of: id, history, transaction).keys
    return try Set(tags.map { try Identifier(copyOf: id, tag: $0, in: reader.vault) })
      .union(history.versions?.copies ?? [])
  }

  /// Returns whether this vault has, or had, all contents of a family.
  func knows(
    _ id: Identifier, in family: CardFamilies, _ transaction: borrowing ReadTransaction
  ) throws -> Bool {
    guard let theirs = family.histories[id]?.versions?.context,
      let history = try history(of: id, in: transaction), let mine = history.versions
    else { return false }
    guard mine.context.covers(theirs) else { return false }
    return try family.hasOnly(Set(contents(of: id, history, transaction).keys).union(history.replaced))
  }

  /// Returns a family that this replica is to publish; nil for a conflict copy, and for one that another replica publishes.
  ///
  /// - Parameter generation: the family is returned only if it was written after this one.
  func family(
    toPublish id: Identifier, after generation: Int64, in transaction: borrowing ReadTransaction
  ) throws -> CardFamilies? {
    guard let history = try history(of: id, in: transaction), history.origin == nil,
      let versions = history.versions, versions.isPublisher, versions.changedAt > generation
    else { return nil }
    var families = CardFamilies()
    try add(id, history, to: &families, transaction)
    for copy in versions.copies {
      guard let history = try self.history(of: copy, in: transaction), history.origin?.card == id else {
        continue
      }
      try add(copy, history, to: &families, transaction)
    }
    return families
  }

  private func add(
    _ id: Identifier, _ history: CardHistory, to families: inout CardFamilies,
    _ transaction: borrowing ReadTransaction
  ) throws {
    var history = history
    history.versions = history.versions?.published
    families.histories[id] = history
    families.rows[id] = try transaction.card(id)
  }

  /// Merges families that another replica published.
  ///
  /// - Parameters:
  ///   - cards: those of the families.
  ///   - publisher: nil for this replica, which goes on to publish them.
  ///   - content: calls its argument with the content of a new attachment, and returns whether it is there.
  /// - Throws: what `content` throws.
  func merge(
    _ families: CardFamilies, _ cards: [Identifier: Card], publishedBy publisher: Identifier?,
    _ transaction: borrowing WriteTransaction, _ change: inout VaultChange,
    content: MergedContents.Source
  ) throws -> Merge {
    let theirs = families.side
    let (mine, ids) = try mergeSide(beside: theirs, in: transaction.read)
    let write = replica.map { ReplicaWrite(replica: $0, generation: change.generation) }
    // The note is in the title's language: that is the same on every replica.
    let (plan, merge) = try plan(
      mine, theirs, of: ids, MergeSource(publisher: publisher, write: write), language: nil, transaction.read
    ) { id in
      guard let card = cards[id] else { throw VaultError.failed(.recordMissing) }
      return card
    }
    for (id, wanted) in plan.changes {
      let count = wanted.history?.versions?.context.counts.count ?? 0
      let before = mine.histories[id]?.versions?.context.counts.count ?? 0
      guard count <= max(VersionVector.sharedLimit, before) else { throw StoreError(.tooLarge) }
    }
    try apply(plan, transaction, &change, row: { families.rows[$0] }, content: content)
    contentFamilies.note(
      plan.changes.compactMapValues(\.history), after: generation, in: change.generation)
    return merge
  }

  /// Reads as much of this vault as a merge with some families looks at.
  ///
  /// - Returns: also the families to merge: those, and the ones whose conflict copies are cards of their own there, now or before
  ///   somebody changed them.
  private func mergeSide(
    beside theirs: MergeSide, in transaction: borrowing ReadTransaction
  ) throws -> (mine: MergeSide, families: Set<Identifier>) {
    var part = VaultPart()
    var families = theirs.families
    for id in Set(theirs.rows.keys).union(theirs.histories.keys) {
      try load(id, into: &part, transaction)
      if let origin = part.histories[id]?.origin { families.insert(origin.card) }
      guard part.histories[id] == nil, let tags = theirs.histories[id]?.tagsOfCopy else { continue }
      families.formUnion(try contentFamilies.families(with: tags, in: generation, reader, transaction))
    }
    for id in families {
      try load(id, into: &part, transaction)
      for copy in part.histories[id]?.versions?.copies ?? [] { try load(copy, into: &part, transaction) }
    }
    let known = MergeSide(part.rows, part.histories)
    for id in families {
      for tag in Set(known.family(id).places.keys).union(theirs.family(id).places.keys) {
        var next = id
        repeat {
          next = try Identifier(copyOf: next, tag: tag, in: reader.vault)
          if try transaction.hasCardOrHistory(next) { try load(next, into: &part, transaction) }
        } while part.isIndependent(next) || theirs.isIndependent(next)
      }
    }
    return (MergeSide(part.rows, part.histories), families)
  }

  private func load(
    _ id: Identifier, into part: inout VaultPart, _ transaction: borrowing ReadTransaction
  ) throws {
    guard part.loaded.insert(id).inserted else { return }
    part.histories[id] = try history(of: id, in: transaction)
    part.rows[id] = try transaction.card(id).map(MergeSide.Row.init)
  }
}

/// The cards and histories that were read so far.
private struct VaultPart {
  var loaded: Set<Identifier> = []
  var rows: [Identifier: MergeSide.Row] = [:]
  var histories: [Identifier: CardHistory] = [:]

  func isIndependent(_ id: Identifier) -> Bool {
    (rows[id] != nil || histories[id] != nil) && histories[id]?.origin == nil
  }
}
