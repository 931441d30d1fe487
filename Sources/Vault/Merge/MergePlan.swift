import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// The changes that make this copy of a vault the union of both copies.
struct MergePlan {
  /// The wanted state of a card's row.
  enum Row {
    /// The row is deleted, or never existed.
    case absent
    /// The row stays as it is.
    case kept
    /// The row of the other copy, byte for byte.
    case verbatim
    /// This card, sealed again. Its attachments are those of the source, with their ids in this card.
    case written(Card, from: Source)
  }

  /// Where a content comes from.
  struct Source {
    /// The card that has it, and on which side.
    let place: Identifier
    let isTheirs: Bool
    /// The mask of the attachments there.
    var mask = AttachmentMask.none
  }

  /// The wanted state of a card.
  struct Change {
    var row: Row
    var history: CardHistory?
  }

  private(set) var changes: [Identifier: Change] = [:]
  private(set) var conflicts: [CardConflict] = []

  let mine: MergeSide
  private let theirs: MergeSide
  private let vault: Identifier
  private let source: MergeSource
  /// The cards of the families that are to be merged.
  let cards: MergeCards
  private let note: (String) -> String

  /// Plans a merge, and ends early if the task is cancelled.
  ///
  /// - Parameters:
  ///   - families: the cards to merge; others stay as they are.
  ///   - note: adds the conflict note to a title.
  init(
    _ mine: MergeSide, _ theirs: MergeSide, of families: Set<Identifier>, _ source: MergeSource,
    _ cards: MergeCards, in vault: Identifier, note: @escaping (String) -> String
  ) throws {
    (self.mine, self.theirs, self.vault, self.note) = (mine, theirs, vault, note)
    (self.cards, self.source) = (cards, source)
    for family in families.sorted() where !mine.isSame(family, as: theirs) {
      try Task.checkCancellation()
      try plan(family)
    }
  }

  // MARK: One card with its copies

  private mutating func plan(_ id: Identifier) throws {
    var (ours, others) = (mine.family(id), theirs.family(id))
    let before = Set(ours.places.values)
    // A side may have a content beside the changed copy of it: a machine published it as the card's, and later, when a
    // merge had made the copy, the changed copy alone.
    for tag in try superseded(ours, of: id, by: mine) { ours.places[tag] = nil }
    for tag in try superseded(others, of: id, by: theirs) { others.places[tag] = nil }
    (ours.superseded, others.superseded) = (
      try superseded(others, of: id, by: mine), try superseded(ours, of: id, by: theirs)
    )
    let (live, known, deletedAt) = ours.merged(with: others)
    let versions = try source.versions(ours, others, live, revision: revision(of: id))
    for place in before where place != id { set(place, Change(row: .absent, history: nil)) }
    try planCards(of: id, try values(live, ours, others), known, deletedAt: deletedAt, versions)
    publishAgain(id, before: before)
  }

  /// Publishes a family again if the published version has other attachments: others would wait for those that are gone.
  private mutating func publishAgain(_ id: Identifier, before: Set<Identifier>) {
    guard let write = source.write, let versions = changes[id]?.history?.versions, versions.isPublisher else {
      return
    }
    let old = before.compactMap { cards.mine[$0] }
    let new = ([id] + versions.copies).compactMap(card(after:))
    guard Set(old.flatMap(\.attachments).map(\.id)) != Set(new.flatMap(\.attachments).map(\.id))
    else { return }
    changes[id]?.history?.versions?.publish(in: write.generation)
  }

  private func card(after id: Identifier) -> Card? {
    switch changes[id]?.row {
    case .written(let card, _)?: card
    case .verbatim?: cards.theirs[id]
    case .kept?: cards.mine[id]
    case .absent?, nil: nil
    }
  }

  /// Plans a card and its conflict copies.
  private mutating func planCards(
    of id: Identifier, _ contents: [MergeValue], _ known: [UInt64], deletedAt: Int64?,
    _ versions: CardVersions?
  ) throws {
    var values = contents
    guard let winner = values.indices.max(by: { values[$0].loses(to: values[$1]) }) else {
      // If a changed conflict copy is now an independent card, there is nothing to delete.
      guard !known.isEmpty else { return }
      let history = CardHistory(
        replaced: CardHistory.limited(known), deletedAt: deletedAt, versions: versions?.of([]))
      return set(id, Change(row: .absent, history: history))
    }
    let best = values.remove(at: winner)
    try planBase(id, best, known, versions)
    let copies = try values.map { try planCopy(of: id, $0, versions) }
    changes[id]?.history?.versions?.copies = copies.sorted()
  }

  // MARK: Copies that were changed

  /// Returns the IDs of a content's conflict copy that independent cards have, such as a copy that somebody
  /// changed, and the first free one.
  private func copyIDs(of id: Identifier, _ tag: UInt64) throws -> (taken: [Identifier], free: Identifier) {
    var taken: [Identifier] = []
    var next = id
    repeat {
      next = try Identifier(copyOf: next, tag: tag, in: vault)
      guard mine.isIndependent(next) || theirs.isIndependent(next) else { break }
      taken.append(next)
    } while true
    return (taken, next)
  }

  /// Returns the contents of a family that a conflict copy on the given side had before it was changed or deleted: the
  /// copy's history keeps them longer than the card's.
  private func superseded(
    _ family: MergeSide.Family, of id: Identifier, by side: MergeSide
  ) throws -> Set<UInt64> {
    var superseded: Set<UInt64> = []
    for (tag, place) in family.places {
      let copies = try copyIDs(of: id, tag).taken + (place == id ? [] : [place])
      if copies.contains(where: { side.hasReplaced(tag, at: $0) }) { superseded.insert(tag) }
    }
    return superseded
  }

  /// Returns the contents that stay; those that differ in their time only are combined.
  private func values(
    _ live: Set<UInt64>, _ ours: MergeSide.Family, _ others: MergeSide.Family
  ) throws -> [MergeValue] {
    var values: [MergeValue] = []
    for tag in live.sorted() {
      // A content that both sides have is the same on both, unless a program of version 0.1.0 took attachments from it.
      let mine = ours.places[tag].map { Source(place: $0, isTheirs: false) }
      let theirs = others.places[tag].map { Source(place: $0, isTheirs: true) }
      let hasLess = mine.map(attachmentCount) ?? -1 < theirs.map(attachmentCount) ?? 0
      guard let source = hasLess ? theirs : mine else { continue }
      let value = try value(of: tag, source, isOnly: live.count == 1)
      if let known = values.firstIndex(where: { $0.canBeOne(with: value) }) {
        values[known].add(value)
      } else {
        values.append(value)
      }
    }
    return values
  }

  private func attachmentCount(_ source: Source) -> Int { cards[source]?.attachments.count ?? 0 }

  /// Reads a content, and takes away what a conflict copy added to it.
  private func value(of tag: UInt64, _ source: Source, isOnly: Bool) throws -> MergeValue {
    guard var card = cards[source] else { throw VaultError.failed(.recordMissing) }
    let side = source.isTheirs ? theirs : mine
    var source = source
    let history = side.histories[source.place]
    if let origin = history?.origin {
      card.title = String(decoding: card.title.utf8.prefix(origin.titleByteCount), as: UTF8.self)
      if origin.copiesAttachments { source.mask = try mask(ofCopy: source.place, side.tags(source.place)) }
      card.attachments = card.attachments.map { $0.copy(with: source.mask) }
    }
    if let time = history?.times[tag] { card.modifiedAt = Timestamp(milliseconds: time) }
    return MergeValue(
      times: [tag: card.modifiedAt.milliseconds], card: card, source: source,
      compared: isOnly ? [] : try CardRecord.encode(card.withoutTimeAndSeals))
  }

  private func mask(ofCopy copy: Identifier, _ tags: [UInt64]) throws -> AttachmentMask {
    try tags.min().map { try AttachmentMask(ofCopy: copy, tag: $0, in: vault) } ?? .none
  }

  /// Returns the higher revision of both sides; 0 if the card is on neither.
  private func revision(of id: Identifier) -> Int64 {
    max(mine.rows[id]?.revision ?? 0, theirs.rows[id]?.revision ?? 0)
  }

  private mutating func planBase(
    _ id: Identifier, _ value: MergeValue, _ known: [UInt64], _ versions: CardVersions?
  ) throws {
    let tags = value.tags
    var history = CardHistory(
      own: tags, times: value.differentTimes,
      replaced: CardHistory.limited(known.filter { value.times[$0] == nil }), versions: versions?.of(tags))
    history.earlier = (mine.histories[id]?.earlier ?? EarlierContents())
      .merged(with: theirs.histories[id]?.earlier ?? EarlierContents())
    let present = mine.rows[id]?.revision ?? 0
    let wanted = versions?.revision
    let isStored = isStored(value, as: id)
    if wanted == nil || wanted == present, !value.source.isTheirs,
      isStored || mine.hasCard(id, with: tags, asCopy: false)
    {
      return set(id, Change(row: .kept, history: history))
    }
    let theirs = theirs.rows[id]?.revision ?? 0
    if isStored, value.source.isTheirs, theirs > present, wanted == nil || wanted == theirs {
      return set(id, Change(row: .verbatim, history: history))
    }
    // The same wherever the same writes are known.
    let revision = try wanted.map { max($0, present) } ?? self.revision(of: id).incremented()
    if let versions { history.versions?.base = revision - versions.context.total }
    let card = value.card.as(id, revision: revision)
    set(id, Change(row: .written(card, from: value.source), history: history))
  }

  /// Returns whether the record of a value's source is that of the card itself.
  private func isStored(_ value: MergeValue, as id: Identifier) -> Bool {
    value.source.place == id && cards[value.source]?.modifiedAt == value.card.modifiedAt
  }

  /// - Returns: the copy's identifier.
  private mutating func planCopy(
    of id: Identifier, _ value: MergeValue, _ versions: CardVersions?
  ) throws -> Identifier {
    let tags = value.tags
    let copy = try copyIDs(of: id, tags[0]).free
    let origin = CardHistory.Origin(card: id, titleByteCount: value.card.title.utf8.count)
    let history = CardHistory(
      own: tags, times: value.differentTimes, origin: origin, versions: versions?.ofCopy(tags))
    if !value.source.isTheirs, mine.hasCard(copy, with: tags, asCopy: true),
      mine.histories[copy]?.origin?.copiesAttachments == true
    {
      set(copy, Change(row: .kept, history: history))
      return copy
    }
    // The same wherever it is made: what another merge changes in it does not count.
    var card = value.card.as(copy, revision: mine.rows[copy]?.revision ?? 1)
    card.title = note(card.title)
    let mask = try mask(ofCopy: copy, tags)
    card.attachments = card.attachments.map { $0.copy(with: mask) }
    var source = value.source
    source.mask = source.mask.combined(with: mask)
    set(copy, Change(row: .written(card, from: source), history: history))
    if mine.rows[copy] == nil {
      conflicts.append(CardConflict(card: id, copy: copy, title: value.card.title))
    }
    return copy
  }

  /// Sets the wanted state of a card; a row that one family needs is not deleted for another.
  private mutating func set(_ id: Identifier, _ change: Change) {
    if case .absent = change.row, change.history == nil, changes[id] != nil { return }
    changes[id] = change
  }
}

/// The cards that a merge compares.
struct MergeCards {
  var mine: [Identifier: Card] = [:]
  var theirs: [Identifier: Card] = [:]

  subscript(source: MergePlan.Source) -> Card? { (source.isTheirs ? theirs : mine)[source.place] }
}
