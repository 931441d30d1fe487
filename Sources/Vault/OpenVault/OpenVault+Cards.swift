import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// The cards that do not open.
  var damagedCards: Set<Identifier> { damaged.filter { attachments.place(of: $0) == nil } }

  /// Opens a card.
  ///
  /// - Parameters:
  ///   - revision: the revision that the caller knows; nil for any.
  ///   - isInTrash: whether it has to be in the trash; nil for any.
  func card(
    _ id: Identifier, at revision: Int?, in transaction: borrowing ReadTransaction, isInTrash: Bool? = false
  ) throws -> Card {
    let card = try withCard(id, in: transaction, isInTrash: isInTrash) {
      try CardRecord.decode($0, id: id, revision: $1)
    }
    if let revision, Int64(revision) != card.revision { throw VaultError.conflict(card) }
    return card
  }

  /// Opens a card without its values, as a list shows it.
  func summary(
    _ id: Identifier, in transaction: borrowing ReadTransaction, isInTrash: Bool? = false
  ) throws -> Card {
    try withCard(id, in: transaction, isInTrash: isInTrash) {
      try CardRecord.summary($0, id: id, revision: $1)
    }
  }

  /// Calls `body` with the decrypted record of a card and its revision.
  ///
  /// A card that does not open is remembered as damaged. Passes the reader's checkpoint.
  func withCard<Value>(
    _ id: Identifier, in transaction: borrowing ReadTransaction, isInTrash: Bool? = false,
    _ body: (RawSpan, Int64) throws -> Value
  ) throws -> Value {
    if let isInTrash, (index.trash[id] != nil) != isInTrash { throw VaultError.cardNotFound(id) }
    guard let row = try row(of: id, in: transaction) else { throw VaultError.cardNotFound(id) }
    try reader.checkpoint.pass(2 * row.sealed.count)
    do {
      return try reader.withRecord(.card, id, row.revision, row.sealed) { try body($0, row.revision) }
    } catch let error where error is CryptoError || error is CardRecordError {
      markDamaged(id)
      throw VaultError.damaged(id)
    }
  }

  /// Returns a card's row. Where the file's tree is broken, looks through all rows.
  private func row(of id: Identifier, in transaction: borrowing ReadTransaction) throws -> CardRow? {
    if let row = try transaction.card(id) { return row }
    guard index.contains(id) else { return nil }
    isComplete = false
    var row: CardRow?
    try transaction.forEachCard { number, found, revision, sealed in
      guard found == id, number == id.number else { return }
      row = CardRow(
        id: id, revision: revision, sealed: unsafe sealed.withUnsafeBytes { unsafe [UInt8]($0) })
    }
    return row
  }

  /// Writes a new card.
  func insert(
    _ card: SealedCard, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try transaction.insertCard(card.row)
    if replica != nil { try recordCreation(of: card.row, transaction, &change) }
    try change.head.add(card.element, kind: .card)
    change.markChanged(card.row.id, tags: [], to: card.tags)
    change.indexed.append(card.order)
  }

  /// Replaces a card by its next revision.
  func replace(
    _ card: Card, with changed: Card, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let id = card.id
    guard let row = try transaction.read.card(id) else { throw VaultError.cardNotFound(card.id) }
    let sealed = try reader.seal(.card, id, changed.revision, CardRecord.encode(changed))
    let newRow = CardRow(id: id, revision: changed.revision, sealed: sealed)
    try transaction.updateCard(newRow, expected: card.revision)
    var repinned = card.draft
    repinned.pinned = changed.pinned
    let edited = repinned == changed.draft ? nil : card
    try recordReplacement(of: row, by: newRow, edited: edited, deletedAt: nil, transaction, &change)
    change.head.replace(
      try reader.element(.card, id, row.revision, row.sealed),
      with: try reader.element(.card, id, changed.revision, sealed))
    change.markChanged(id, tags: card.tags, to: changed.tags)
    change.removed.append(card.order)
    change.indexed.append(changed.order)
    change.attachments.append((card.id, changed.attachments.map(IndexedAttachment.init)))
  }

  /// Returns a card's entry for the index; nil if the card does not open.
  func order(
    of id: Identifier, _ revision: Int64, _ sealed: RawSpan
  ) -> (order: CardOrder, places: [IndexedAttachment])? {
    guard (try? reader.open(.card, id, revision, sealed)) != nil else { return nil }
    return try? buffer.withContent { record in
      let head = try CardRecord.head(of: record)
      let order = CardOrder(
        pinned: head.pinned, modifiedAt: head.modifiedAt, id: id, isInTrash: head.isInTrash)
      return (order, try CardRecord.attachments(of: record))
    }
  }
}
