import Identifiers
import VaultCrypto
import VaultModel
import VaultSession
import VaultStore

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
    /// This card, sealed again.
    case written(Card)
  }

  /// The wanted state of a card.
  struct Change {
    var row: Row
    var history: CardHistory?
  }

  private(set) var changes: [Identifier: Change] = [:]
  private(set) var conflicts: [Merge.Conflict] = []

  let mine: MergeSide
  private let theirs: MergeSide
  private let vault: Identifier
  private let source: MergeSource
  /// The cards of the families that are to be merged.
  let cards: MergeCards
  private let note: (String) -> String
  /// Returns the attachments of a card of this copy or of the other.
  let attachments: (_ id: Identifier, _ isTheirs: Bool) -> [IndexedAttachment]

  /// Plans a merge, and ends early if the task is cancelled.
  ///
  /// - Parameters:
  ///   - families: the cards to merge; others stay as they are.
  ///   - note: adds the conflict note to a title.
  ///   - attachments: returns the attachments of a card.
  init(
    _ mine: MergeSide, _ theirs: MergeSide, of families: Set<Identifier>, _ source: MergeSource,
    _ cards: MergeCards, in vault: Identifier, note: @escaping (String) -> String,
    attachments: @escaping (_ id: Identifier, _ isTheirs: Bool) -> [IndexedAttachment]
  ) throws {
    (self.mine, self.theirs, self.vault, self.note) = (mine, theirs, vault, note)
    (self.attachments, self.cards, self.source) = (attachments, cards, source)
    for family in families.sorted() where !mine.isSame(family, as: theirs) {
      try Task.checkCancellation()
      try plan(family)
    }
  }

  // MARK: One card with its copies

  /// A content with its tags; several, where both sides have equal contents.
  private struct Value {
    var tags: [UInt64]
    let card: Card
    /// The encoded card; empty if there is only one content.
    let bytes: [UInt8]
    /// The same without its attachments, which depend on what it lost to others.
    let bareBytes: [UInt8]
    let place: Identifier
    let isTheirs: Bool
    /// Whether the card has attachments of both sides, so that it is on neither.
    let isCombined: Bool

    /// The encoded card without its time of modification.
    var content: [UInt8] { Array(bytes[..<16]) + Array(bytes[24...]) }

    /// Returns whether another content wins: the newer one; for equal times, the one whose bytes sort last, or whose least tag is
    /// the higher.
    func loses(to other: Value) -> Bool {
      if card.modifiedAt != other.card.modifiedAt { return card.modifiedAt < other.card.modifiedAt }
      if bareBytes != other.bareBytes { return bareBytes.lexicographicallyPrecedes(other.bareBytes) }
      return (tags.min() ?? 0) < (other.tags.min() ?? 0)
    }
  }

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
    let copies = try planCards(
      of: id, try values(live, ours, others), known, deletedAt: deletedAt, versions)
    if isToPublish(id, copies, before: before, ours, others, live) { publish(id) }
  }

  /// Plans a card and its conflict copies.
  ///
  /// - Returns: the conflict copies, in the order in which the card itself would be theirs.
  private mutating func planCards(
    of id: Identifier, _ contents: [Value], _ known: [UInt64], deletedAt: Int64?, _ versions: CardVersions?
  ) throws -> [Identifier] {
    var values = contents
    guard let winner = values.indices.max(by: { values[$0].loses(to: values[$1]) }) else {
      // If a changed conflict copy is now an independent card, there is nothing to delete.
      guard !known.isEmpty else { return [] }
      let history = CardHistory(
        replaced: CardHistory.limited(known), deletedAt: deletedAt, versions: versions?.of([]))
      set(id, Change(row: .absent, history: history))
      return []
    }
    let best = values.remove(at: winner)
    try planBase(id, best, known, versions)
    // An attachment's content belongs to one card: to this one, or to the newest copy that has it.
    var claimed = Set(best.card.attachments.map(\.id))
    var copies: [Identifier] = []
    // So it is where one of them was the card in an earlier merge.
    for value in values.sorted(by: { $1.loses(to: $0) }) {
      copies += try planCopy(of: id, value, versions, without: claimed).map { [$0] } ?? []
      claimed.formUnion(value.card.attachments.map(\.id))
    }
    changes[id]?.history?.versions?.copies = copies.sorted()
    return copies
  }

  private mutating func publish(_ id: Identifier) {
    guard let write = source.write else { return }
    changes[id]?.history?.versions?.publish(in: write.generation)
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
      if copies.contains(where: { side.hasReplaced(tag, family.dots[tag], at: $0) }) {
        superseded.insert(tag)
      }
    }
    return superseded
  }

  /// Returns the contents that stay; equal ones are combined.
  private func values(
    _ live: Set<UInt64>, _ ours: MergeSide.Family, _ others: MergeSide.Family
  ) throws -> [Value] {
    var values: [Value] = []
    for tag in live.sorted() {
      guard let (place, isTheirs) = moreComplete(ours.places[tag], others.places[tag]) else { continue }
      if let known = values.firstIndex(where: { $0.place == place && $0.isTheirs == isTheirs }) {
        values[known].tags.append(tag)
        continue
      }
      guard var card = isTheirs ? cards.theirs[place] : cards.mine[place] else {
        throw VaultError.failed(.recordMissing)
      }
      if let origin = (isTheirs ? theirs : mine).histories[place]?.origin {
        card.title = String(decoding: card.title.utf8.prefix(origin.titleByteCount), as: UTF8.self)
      }
      let more =
        isTheirs
        ? ours.places[tag].flatMap { cards.mine[$0] } : others.places[tag].flatMap { cards.theirs[$0] }
      let isCombined = card.addAttachments(of: more)
      let value = Value(
        tags: [tag], card: card, bytes: live.count > 1 ? try CardRecord.encode(card) : [],
        bareBytes: live.count > 1 ? try CardRecord.encode(card.withoutAttachments) : [], place: place,
        isTheirs: isTheirs, isCombined: isCombined)
      guard let duplicate = values.firstIndex(where: { $0.content == value.content }) else {
        values.append(value)
        continue
      }
      let tags = values[duplicate].tags + [tag]
      if values[duplicate].loses(to: value) { values[duplicate] = value }
      values[duplicate].tags = tags
    }
    return values
  }

  /// Returns the side from which to take a content: if both have it, the one with
  /// more attachments, because the other lost some to another content.
  private func moreComplete(_ ours: Identifier?, _ others: Identifier?) -> (
    place: Identifier, isTheirs: Bool
  )? {
    guard let ours else { return others.map { ($0, true) } }
    guard let others, attachments(others, true).count > attachments(ours, false).count else {
      return (ours, false)
    }
    return (others, true)
  }

  /// Returns whether this copy has the content already, with these attachments.
  private func hasContent(_ value: Value, with left: [Attachment], at id: Identifier, asCopy isCopy: Bool)
    -> Bool
  {
    mine.hasCard(id, with: value.tags, asCopy: isCopy)
      && Set(attachments(id, false).map(\.id)) == Set(left.map(\.id))
  }

  /// Returns the higher revision of both sides; 0 if the card is on neither.
  private func revision(of id: Identifier) -> Int64 {
    max(mine.rows[id]?.revision ?? 0, theirs.rows[id]?.revision ?? 0)
  }

  private mutating func planBase(
    _ id: Identifier, _ value: Value, _ known: [UInt64], _ versions: CardVersions?
  ) throws {
    var history = CardHistory(
      own: value.tags.sorted(), replaced: CardHistory.limited(known.filter { !value.tags.contains($0) }),
      versions: versions?.of(value.tags))
    let present = mine.rows[id]?.revision ?? 0
    let wanted = versions?.revision
    let isKept = wanted == nil || wanted == present
    if isKept, hasContent(value, with: value.card.attachments, at: id, asCopy: false) {
      return set(id, Change(row: .kept, history: history))
    }
    if value.place == id, !value.isCombined {
      if isKept, !value.isTheirs { return set(id, Change(row: .kept, history: history)) }
      let theirs = theirs.rows[id]?.revision ?? 0
      if value.isTheirs, theirs > present, wanted == nil || wanted == theirs {
        return set(id, Change(row: .verbatim, history: history))
      }
    }
    // The same wherever the same writes are known, even if the card only loses an attachment to another.
    let revision = try wanted.map { max($0, present) } ?? self.revision(of: id).incremented()
    if let versions { history.versions?.base = revision - versions.context.total }
    set(id, Change(row: .written(value.card.as(id, revision: revision)), history: history))
  }

  /// - Returns: the copy's identifier.
  private mutating func planCopy(
    of id: Identifier, _ value: Value, _ versions: CardVersions?, without claimed: Set<Identifier>
  ) throws -> Identifier? {
    guard let first = value.tags.min() else { return nil }
    let copy = try copyIDs(of: id, first).free
    let origin = CardHistory.Origin(card: id, titleByteCount: value.card.title.utf8.count)
    let history = CardHistory(
      own: value.tags.sorted(), origin: origin, versions: versions?.ofCopy(value.tags))
    let left = value.card.attachments.filter { !claimed.contains($0.id) }
    if hasContent(value, with: left, at: copy, asCopy: true) {
      set(copy, Change(row: .kept, history: history))
      return copy
    }
    // The same wherever it is made: what another merge changes in it, such as its attachments, does not count.
    var card = value.card.as(copy, revision: mine.rows[copy]?.revision ?? 1)
    card.title = note(card.title)
    card.attachments = left
    set(copy, Change(row: .written(card), history: history))
    if mine.rows[copy] == nil {
      conflicts.append(Merge.Conflict(card: id, copy: copy, title: value.card.title))
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
}

extension Card {
  /// Returns the same content with another identifier or revision.
  func `as`(_ id: Identifier, revision: Int64) -> Card {
    Card(
      draft, id: id, revision: revision, createdAt: createdAt, modifiedAt: modifiedAt,
      attachments: attachments)
  }
}
