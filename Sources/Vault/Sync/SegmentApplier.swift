import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// Applies the segments of one other replica.
struct SegmentApplier {
  let vault: OpenVault
  let folder: SyncFolder
  let replica: Identifier

  /// The bytes of segments that one transaction applies, beyond the first.
  private static let batchSize = 1 << 20

  /// The result of one transaction.
  struct Step {
    var problem: SyncProblem?
    /// Whether there may be more to apply.
    var hasMore = false
    /// The number of the last segment that was read again; nil if new ones were read.
    var again: Int64?
    /// What was merged; nil if nothing was written.
    var merge: Merge?
    /// Whether much was read that is not applied.
    var hasReadLong = false
    /// The newest segment of this replica that the other has seen, if this one's stream ends before it; nil if it does not.
    var seenLater: Int64?
  }

  /// Applies the next segments, if there are any, in one transaction.
  ///
  /// - Parameter again: the number of the last segment that was read again in this turn; nil if none was.
  /// - Throws: ``FileError`` for the folder; `StoreError`; `CancellationError`.
  func applyNext(_ position: ReplicaPosition, again: Int64? = nil) throws -> Step {
    try applyNext(position, again, upTo: Self.batchSize, but: [])
  }

  /// - Parameters:
  ///   - limit: the bytes after which no other segment is added.
  ///   - rejected: the numbers of segments that the vault cannot take.
  private func applyNext(
    _ position: ReplicaPosition, _ again: Int64?, upTo limit: Int, but rejected: Set<Int64>
  ) throws -> Step {
    var batch = SegmentBatch(vault.reader, folder, replica, position, rejected: rejected)
    try batch.read(upTo: limit, again: again)
    do {
      return try apply(batch, position)
    } catch let error where Self.isOfSegment(error) {
      // What no vault can store, nobody but a holder of the key can make. The segments before it are applied.
      guard batch.count > 0 else { throw error }
      guard batch.count == 1 else { return try applyNext(position, again, upTo: 1, but: rejected) }
      return try applyNext(position, again, upTo: limit, but: rejected.union([batch.last]))
    }
  }

  private static func isOfSegment(_ error: any Error) -> Bool {
    switch error {
    case is CardRecordError, StoreError.tooLarge, StoreError.rowIDCollision, StoreError.recordExists: true
    case let error as CryptoError: error.isOfContent
    default: false
    }
  }

  private func apply(_ found: SegmentBatch, _ position: ReplicaPosition) throws -> Step {
    var step = Step(problem: found.problem, hasMore: found.hasMore)
    step.hasReadLong = found.unreadableSize > Self.batchSize || found.isSearching
    if found.isAgain { step.again = found.last }
    guard found.position != position || position.merged < position.sequence else { return step }
    let updates = try vault.reading { try selectUpdates(found.families, $0) }
    if step.problem == nil { step.problem = found.number(of: updates.waiting).map { .contentMissing($0) } }
    guard
      found.position != position || !updates.families.isEmpty
        || updates.merged(found, position) > position.merged
    else { return step }
    step.seenLater = try vault.replica.flatMap { found.seen[$0] }.flatMap { try isBeyondOwn($0) ? $0 : nil }
    step.merge = try vault.change { transaction, change in
      let isPublished = try vault.hasPublishedEverything(transaction.read)
      let merged = try merge(updates, transaction, &change)
      if let settings = found.settings { try takeSettings(settings, transaction, &change) }
      try note(found, updates, isPublished: isPublished && !change.hasUnpublished, transaction, &change)
      return merged
    }
    return step
  }

  /// Whether this replica's stream ends before one of its segments.
  private func isBeyondOwn(_ sequence: Int64) throws -> Bool {
    guard let document = try vault.reading({ try vault.syncDocument($0) }), sequence > document.own.sequence
    else { return false }
    return try OwnStream(vault, folder, document).adopted().sequence < sequence
  }

  /// Notes how far the stream was followed, and what it says of others.
  ///
  /// - Parameter isPublished: whether this replica has nothing to publish now, so that it need not look for that in every card.
  private func note(
    _ batch: SegmentBatch, _ updates: Updates, isPublished: Bool, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    guard var document = try vault.syncDocument(transaction.read) else { return }
    var position = batch.position
    let before = document[replica]
    position.announced = max(before.announced, position.sequence)
    position.merged = updates.merged(batch, before)
    document[replica] = position
    document.own.staleSize += updates.staleSize
    if isPublished { document.own.generation = change.generation }
    for (other, sequence) in batch.seen where other != document.replica {
      var known = document[other]
      known.announced = max(known.announced, sequence)
      document[other] = known
    }
    try vault.write(document, transaction, &change)
  }

  /// The families that have something new.
  private struct Updates {
    var families = CardFamilies()
    var cards: [Identifier: Card] = [:]
    /// Those that were left out, because their attachments are not all here.
    var waiting: Set<Identifier> = []
    /// The bytes of families that this replica published and another replica has taken over.
    var staleSize: Int64 = 0

    /// Returns up to which segment everything is merged, once these updates are.
    func merged(_ batch: SegmentBatch, _ before: ReplicaPosition) -> Int64 {
      !waiting.isEmpty || batch.start > before.merged ? before.merged : batch.last
    }
  }

  private func selectUpdates(
    _ families: CardFamilies, _ transaction: borrowing ReadTransaction
  ) throws -> Updates {
    var found: [(id: Identifier, family: CardFamilies, kind: FamilyUpdate)] = []
    var cards: [Identifier: Card] = [:]
    var waiting: Set<Identifier> = []
    for (id, family) in families.grouped {
      try Task.checkCancellation()
      guard let kind = try vault.news(of: id, in: family, transaction) else { continue }
      let opened = try family.opened(by: vault.reader)
      if try hasContents(of: id, in: family, opened, transaction) {
        found.append((id, family, kind))
        cards.merge(opened) { $1 }
      } else {
        waiting.insert(id)
      }
    }
    var updates = Updates(cards: cards, waiting: waiting)
    for (id, family, kind) in found {
      // Its card's history would remove a conflict copy before the changed copy is here.
      let copies = waiting.isEmpty ? [] : try vault.copies(of: id, transaction)
      if !copies.isDisjoint(with: waiting) { continue }
      updates.families.add(family)
      if kind == .publisher { updates.staleSize += Int64(family.byteCount) }
    }
    return updates
  }

  private func merge(
    _ updates: Updates, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws -> Merge {
    guard !updates.families.isEmpty else { return Merge() }
    let isFormer = try vault.syncDocument(transaction.read)?.former == replica
    let publisher = isFormer ? nil : replica
    return try vault.merge(updates.families, updates.cards, publishedBy: publisher, transaction, &change) {
      attachment, body in
      guard let content = try folder.content(of: IndexedAttachment(attachment), with: vault.reader) else {
        return false
      }
      try content.sealed.withRawSpan { (span) throws in try body(content.plain, span) }
      return true
    }
  }

  private func hasContents(
    of id: Identifier, in family: CardFamilies, _ cards: [Identifier: Card],
    _ transaction: borrowing ReadTransaction
  ) throws -> Bool {
    var limit = Int.max
    for attachment in try vault.attachments(neededOf: id, in: family, cards, transaction)
    where vault.attachments.place(of: attachment.id) == nil {
      let place = IndexedAttachment(attachment)
      guard try folder.hasContent(of: place, with: vault.reader, reading: &limit) else { return false }
    }
    return true
  }

  private func takeSettings(
    _ text: String, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    guard let theirs = KeyValueText(text) else { return }
    let merged = vault.settingsValues.merged(with: theirs)
    guard merged != vault.settingsValues else { return }
    try vault.write(Settings(merged), as: merged, transaction, &change)
  }
}
