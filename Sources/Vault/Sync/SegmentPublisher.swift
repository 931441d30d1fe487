import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// Publishes what this replica wrote as segments of its own stream.
struct SegmentPublisher {
  let vault: OpenVault
  let folder: SyncFolder
  /// Milliseconds since 1970 UTC.
  let now: Int64

  /// Publishes everything that was written since the last time, or a new snapshot if it is time for one.
  ///
  /// Files are written first, then the document that names them. A process that ends in between publishes the same again. All of it
  /// is one transaction, so that no other process of this user publishes at the same time.
  ///
  /// - Throws: ``FileError`` for the folder; `CancellationError`.
  func publish() throws {
    guard let need = try vault.reading({ try need($0) }) else { return }
    try resolve(need.conflicts)
    let own = try vault.change { transaction, change in
      guard var document = try vault.syncDocument(transaction.read) else { return nil as OwnPosition? }
      document.own = try OwnStream(vault, folder, document).adopted()
      let stream = OwnStream(vault, folder, document)
      // Those that a snapshot replaced are removed with its contents, below.
      for sequence in try stream.unreferencedSegments() where sequence > document.own.sequence {
        try folder.removeSegment(sequence, of: document.replica)
      }
      let isKnown = need.own == document.own
      let isSnapshot =
        try isSnapshotDue(document.own)
        || (isKnown ? need.isIncomplete : isIncomplete(stream, transaction.read))
      let cards = isKnown && need.generation == vault.generation ? need.cards : nil
      document.own =
        isSnapshot
        ? try publishSnapshot(document, transaction.read)
        : try publishChanges(cards, document, transaction.read)
      try vault.write(document, transaction, &change)
      return document.own
    }
    if let own { try removeOldFiles(own) }
  }

  /// Merges each family that has conflict copies with itself before it is published, so that this replica chooses the
  /// same content for the card as the replicas that will merge it.
  private func resolve(_ conflicts: CardFamilies) throws {
    guard !conflicts.isEmpty else { return }
    let cards = try conflicts.opened(by: vault.reader)
    try vault.change { transaction, change in
      _ = try vault.merge(conflicts, cards, publishedBy: nil, transaction, &change) { _, _ in false }
    }
  }

  /// What is to be published, and why.
  private struct Need {
    let own: OwnPosition
    let isIncomplete: Bool
    /// That of the vault in which this was found.
    let generation: Int64
    /// The cards to publish with their families, in ascending order.
    let cards: [Identifier]
    /// Those of the families that have conflict copies.
    let conflicts: CardFamilies
  }

  /// - Returns: nil if there is nothing to publish.
  private func need(_ transaction: borrowing ReadTransaction) throws -> Need? {
    guard let document = try vault.syncDocument(transaction) else { return nil }
    let own = document.own
    let stream = OwnStream(vault, folder, document)
    var (cards, conflicts) = ([Identifier](), CardFamilies())
    let recent = vault.cardsChanged(after: own.generation)
    for id in try recent ?? allCards(transaction) {
      try Task.checkCancellation()
      guard let family = try vault.family(toPublish: id, after: own.generation, in: transaction) else {
        continue
      }
      cards.append(id)
      if family.rows.keys.contains(where: { $0 != id }) { conflicts.add(family) }
    }
    let need = Need(
      own: own, isIncomplete: try isIncomplete(stream, transaction), generation: vault.generation,
      cards: cards, conflicts: conflicts)
    if try need.isIncomplete || isSnapshotDue(own) || !stream.unreferencedSegments().isEmpty { return need }
    if try SegmentWriter.settingsHash(vault) != own.settings { return need }
    // Where every card was looked at, the position is written, so that the next time few are.
    return cards.isEmpty && recent != nil ? nil : need
  }

  // MARK: When

  /// Whether there is no snapshot yet, or a new one would be smaller than two thirds of what is there: what came after the old one
  /// has replaced some of it, and what other replicas publish by now is left out.
  private func isSnapshotDue(_ own: OwnPosition) -> Bool {
    own.sequence == 0
      || own.tailSize + own.staleSize / 2 * 3 > max(Self.minimumTailSize, own.snapshotSize / 2)
  }

  /// The size of the segments after a snapshot, in bytes, below which no new snapshot is written.
  private static let minimumTailSize: Int64 = 64 << 10

  /// Whether somebody removed or changed files of this replica. A snapshot stands for them all.
  private func isIncomplete(_ stream: OwnStream, _ transaction: borrowing ReadTransaction) throws -> Bool {
    if try stream.isIncomplete() { return true }
    var limit = Self.checkedSize
    let places = vault.attachments.all.compactMap { vault.attachments.place(of: $0) }
    for place in try folder.uncheckedContents(among: places) {
      try Task.checkCancellation()
      guard let card = vault.attachments.card(of: place.id) else { continue }
      // That of a conflict copy is published with its card.
      let family = try vault.history(of: card, in: transaction)?.origin?.card ?? card
      // What was not published yet is not missing.
      guard let versions = try vault.history(of: family, in: transaction)?.versions, versions.isPublisher,
        versions.changedAt <= stream.own.generation
      else { continue }
      if try !folder.hasContent(of: place, with: vault.reader, reading: &limit) { return true }
    }
    return false
  }

  /// The bytes of contents that one pass reads to see whether they are intact. The next pass reads on.
  private static let checkedSize = 4 << 20

  // MARK: What

  /// - Parameter cards: nil if they have to be found.
  private func publishChanges(
    _ cards: [Identifier]?, _ document: SyncDocument, _ transaction: borrowing ReadTransaction
  ) throws -> OwnPosition {
    let before = document.own.generation
    var writer = SegmentWriter(self, document, own: document.own)
    try add(cards ?? changedCards(after: before, transaction), after: before, to: &writer, transaction)
    var after = try writer.finished(generation: vault.generation)
    after.generation = vault.generation
    return after
  }

  private func publishSnapshot(
    _ document: SyncDocument, _ transaction: borrowing ReadTransaction
  ) throws -> OwnPosition {
    var own = document.own
    own.settings = ""
    (own.first, own.snapshotSize, own.tailSize, own.staleSize) = (own.sequence + 1, 0, 0, 0)
    var writer = SegmentWriter(self, document, own: own, isSnapshot: true)
    // A replica that has published nothing had nothing to publish up to its position, such as one that has just joined.
    let before = own.sequence == 0 ? own.generation : -1
    try add(changedCards(after: before, transaction), after: before, to: &writer, transaction)
    return try writer.finished(generation: vault.generation)
  }

  private func add(
    _ ids: [Identifier], after generation: Int64, to writer: inout SegmentWriter,
    _ transaction: borrowing ReadTransaction
  ) throws {
    for id in ids {
      try Task.checkCancellation()
      guard let family = try vault.family(toPublish: id, after: generation, in: transaction) else { continue }
      for card in family.rows.keys { try writeContents(of: card, writer.replica, transaction) }
      try writer.add(family)
    }
  }

  private func writeContents(
    of card: Identifier, _ replica: Identifier, _ transaction: borrowing ReadTransaction
  ) throws {
    for place in vault.attachments.places(of: card) {
      var limit = Self.checkedSize
      if try folder.hasContent(of: place, with: vault.reader, reading: &limit) { continue }
      let sealed = try transaction.content(place.id) { span in
        unsafe span.withUnsafeBytes { unsafe [UInt8]($0) }
      }
      guard let sealed else { throw VaultError.failed(.recordMissing) }
      try folder.write(sealed, as: place, of: replica)
    }
  }

  /// Returns the cards that may have changed after a generation, in ascending order; all for -1.
  private func changedCards(
    after generation: Int64, _ transaction: borrowing ReadTransaction
  ) throws -> [Identifier] {
    try vault.cardsChanged(after: generation) ?? allCards(transaction)
  }

  /// - Returns: the cards that there are or were, in ascending order.
  private func allCards(_ transaction: borrowing ReadTransaction) throws -> [Identifier] {
    var ids: [Identifier] = []
    try transaction.forEachHistory { _, row in ids.append(row.id) }
    return ids.sorted()
  }

  /// Removes the files that a snapshot replaced, and the contents of attachments that are gone.
  private func removeOldFiles(_ own: OwnPosition) throws {
    guard let document = try vault.reading({ try vault.syncDocument($0) }) else { return }
    let old = try folder.segments(of: document.replica).filter { $0 < own.first }
    guard !old.isEmpty else { return }
    for sequence in old { try folder.removeSegment(sequence, of: document.replica) }
    try folder.removeContents(of: document.replica, but: vault.attachments.seals)
  }
}

extension OpenVault {
  /// Returns the cards that may have changed after a generation, in ascending order; nil if every card may have.
  fileprivate func cardsChanged(after generation: Int64) -> [Identifier]? {
    UInt64(exactly: generation).flatMap { head.cardsChanged(after: $0) }?.sorted()
  }

  /// Returns whether this replica has published all that it is to publish; false if only every card would show that.
  func hasPublishedEverything(_ transaction: borrowing ReadTransaction) throws -> Bool {
    guard let before = try syncDocument(transaction)?.own.generation,
      let changed = cardsChanged(after: before)
    else { return false }
    return try !changed.contains { try family(toPublish: $0, after: before, in: transaction) != nil }
  }
}
