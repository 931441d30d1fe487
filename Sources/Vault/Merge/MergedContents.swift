import VaultCrypto
package import VaultInterface
import VaultStore
import Wire

/// The contents of attachments in a merge: those of cards that are written are added first, then those that no card has any more are
/// removed.
package struct MergedContents {
  /// Calls `body` with the content of an attachment of the other copy, as it is and sealed, and returns whether it is there.
  package typealias Source = (
    _ attachment: Attachment, _ body: (_ content: PrivateBytes, _ sealed: RawSpan) throws -> Void
  ) throws -> Bool

  private let vault: OpenVault
  private let cards: MergeCards
  /// The cards that were written or removed.
  private var changed: Set<Identifier> = []
  /// Their attachments before and after.
  private var old: [Identifier: IndexedAttachment] = [:]
  private var new: [Identifier: IndexedAttachment] = [:]

  init(_ vault: OpenVault, _ plan: MergePlan) {
    (self.vault, cards) = (vault, plan.cards)
  }

  /// Adds the contents of a card's attachments that are not here yet.
  ///
  /// - Returns: the card with the seals of its contents.
  /// - Throws: `VaultError.failed` if one is missing; `VaultError.damaged` for one of this copy that does not open; what `content`
  ///   throws.
  @discardableResult mutating func add(
    _ card: Card, from source: MergePlan.Source, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange, _ content: Source
  ) throws -> Card {
    noteOld(of: card.id)
    let originals = cards[source]?.attachments ?? []
    var card = card
    for (index, original) in originals.enumerated() where card.attachments.indices.contains(index) {
      try Task.checkCancellation()
      let id = card.attachments[index].id
      let place =
        try vault.attachments.place(of: id) ?? new[id]
        ?? insert(id, from: original, source.mask, transaction, &change, content)
      card.attachments[index] = card.attachments[index].copy(id: id, seal: place.seal)
      new[id] = place
    }
    change.attachments.append((card.id, card.attachments.map(IndexedAttachment.init)))
    return card
  }

  /// Notes that a card is removed.
  mutating func remove(_ card: Identifier, _ change: inout VaultChange) {
    noteOld(of: card)
    change.attachments.append((card, []))
  }

  /// Removes the contents that no card has any more, and all renditions of the others: two cards may have different watermarks at the
  /// same revision.
  func removeOld(_ transaction: borrowing WriteTransaction, _ change: inout VaultChange) throws {
    for place in old.values {
      try transaction.deleteRenditions(of: place.id)
      if new[place.id] == nil { try vault.removeContent(of: place, transaction, &change) }
    }
    let owners = Set(new.keys.compactMap { vault.attachments.card(of: $0) }).subtracting(changed)
    for owner in owners.sorted() { try copyTaken(from: owner, transaction, &change) }
  }

  /// Gives a card copies of the attachments that another card has now. This is an ordinary change, and the same wherever it is made.
  ///
  /// A conflict copy of version 0.1.0 has the ids of its card, and keeps them when somebody changes it.
  private func copyTaken(
    from owner: Identifier, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let card = try vault.card(owner, at: nil, in: transaction.read, isInTrash: nil)
    let mask = try AttachmentMask(ofCopy: owner, tag: 0, in: vault.reader.vault)
    var copied = card.as(owner, revision: try card.revision.incremented())
    for (index, attachment) in card.attachments.enumerated() where new[attachment.id] != nil {
      let sealed = try vault.reader.seal(
        vault.content(of: attachment, in: transaction.read), of: attachment, with: mask)
      let place = try sealed.withRawSpan { (span) throws in
        try insert(span, as: mask.applied(to: attachment.id), of: attachment, transaction, &change)
      }
      copied.attachments[index] = attachment.copy(id: place.id, seal: place.seal)
      try transaction.deleteRenditions(of: attachment.id)
    }
    try vault.replace(card, with: copied, transaction, &change)
  }

  private mutating func noteOld(of card: Identifier) {
    changed.insert(card)
    for place in vault.attachments.places(of: card) { old[place.id] = place }
  }

  private func insert(
    _ id: Identifier, from original: Attachment, _ mask: AttachmentMask,
    _ transaction: borrowing WriteTransaction, _ change: inout VaultChange, _ content: Source
  ) throws -> IndexedAttachment {
    if vault.attachments.place(of: original.id)?.seal == original.seal {
      let content = try vault.content(of: original, in: transaction.read)
      return try vault.reader.seal(content, of: original, with: mask).withRawSpan { (span) throws in
        try insert(span, as: id, of: original, transaction, &change)
      }
    }
    var place: IndexedAttachment?
    let isThere = try content(original) { content, sealed in
      if id == original.id {
        place = try insert(sealed, as: id, of: original, transaction, &change)
      } else {
        try vault.reader.seal(content, of: original, with: mask).withRawSpan { (span) throws in
          place = try insert(span, as: id, of: original, transaction, &change)
        }
      }
    }
    guard isThere, let place else { throw VaultError.failed(.recordMissing) }
    return place
  }

  private func insert(
    _ sealed: RawSpan, as id: Identifier, of original: Attachment, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws -> IndexedAttachment {
    let place = IndexedAttachment(original.copy(id: id, seal: try ContentSeal(of: sealed)))
    try transaction.insertContent(id, sealed)
    try change.head.add(vault.reader.element(of: place), kind: .attachment)
    return place
  }
}

/// A content, or several that differ in nothing but their time.
struct MergeValue {
  /// When the content of each tag was modified.
  var times: [UInt64: Int64]
  /// The newest content, as the card itself has it: its title has no note, its attachments have no mask.
  var card: Card
  var source: MergePlan.Source
  /// The encoded card without what is not compared: its time, and the seals of its attachments; empty if there is only one content.
  let compared: [UInt8]

  var tags: [UInt64] { times.keys.sorted() }

  /// The times to keep in a history.
  var differentTimes: [UInt64: Int64] { Set(times.values).count > 1 ? times : [:] }

  /// Returns whether another content wins: the newer one; for equal times, the one whose bytes sort last.
  func loses(to other: MergeValue) -> Bool {
    if card.modifiedAt != other.card.modifiedAt { return card.modifiedAt < other.card.modifiedAt }
    return compared.lexicographicallyPrecedes(other.compared)
  }

  /// Returns whether another content differs in nothing but its time. A card has at most 64 tags.
  func canBeOne(with other: MergeValue) -> Bool {
    compared == other.compared && times.count < CardHistory.limit
  }

  mutating func add(_ other: MergeValue) {
    if card.modifiedAt < other.card.modifiedAt { (card, source) = (other.card, other.source) }
    times.merge(other.times) { $1 }
  }
}

extension Attachment {
  /// Returns the attachment with the id that it has in another card. Its seal is the one in the card that it comes from.
  func copy(with mask: AttachmentMask) -> Attachment { copy(id: mask.applied(to: id), seal: seal) }
}

extension Card {
  /// The content that a merge compares.
  var withoutTimeAndSeals: Card {
    var card = self
    card.modifiedAt = Timestamp(milliseconds: 0)
    card.attachments = attachments.map { $0.copy(id: $0.id, seal: .zero) }
    return card
  }

  /// Returns the same content with another identifier or revision.
  func `as`(_ id: Identifier, revision: Int64) -> Card {
    var card = Card(
      draft, id: id, revision: revision, createdAt: createdAt, modifiedAt: modifiedAt,
      attachments: attachments)
    card.isInTrash = isInTrash
    return card
  }
}

extension OpenVault {
  /// Notes that this replica is to publish every card.
  ///
  /// - Throws: also `CancellationError`.
  func publishAll(_ transaction: borrowing WriteTransaction, _ change: inout VaultChange) throws {
    var rows: [HistoryRow] = []
    try transaction.read.forEachHistory { _, row in rows.append(row) }
    for row in rows {
      try Task.checkCancellation()
      var history = try reader.history(row)
      guard history.origin == nil, history.versions?.isPublisher == false else { continue }
      history.versions?.publish(in: change.generation)
      try put(history, of: row.id, transaction, &change)
    }
  }

  /// Gives every card that has none its first version, as written by this replica, when a vault begins to be synchronised.
  ///
  /// - Throws: also `CancellationError`.
  func addFirstVersions(
    by replica: Identifier, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let side = try MergeSide(self, transaction.read)
    let source = MergeSource(write: ReplicaWrite(replica: replica, generation: change.generation))
    for id in side.families.sorted() where side.histories[id]?.versions == nil {
      try Task.checkCancellation()
      let family = side.family(id)
      let revision = side.rows[id]?.revision ?? 0
      guard var versions = try source.versions(family, MergeSide.Family(), family.live, revision: revision)
      else { continue }
      versions.base = revision - versions.context.total
      let copies = Set(family.places.values).subtracting([id]).sorted()
      versions.copies = copies
      for place in [id] + copies {
        var history = side.histories[place] ?? CardHistory()
        let tags = side.rows[place] == nil ? [] : side.tags(place)
        history.own = tags
        history.versions = place == id ? versions.of(tags) : versions.ofCopy(tags)
        try put(history, of: place, transaction, &change)
      }
    }
  }
}
