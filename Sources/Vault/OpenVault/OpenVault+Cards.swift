import VaultCrypto
package import VaultInterface
import VaultStore
package import Wire

extension OpenVault {
  /// The number of cards, damaged ones included.
  var cardCount: Int { index.count + damagedCards.count }

  /// Seals a new card.
  ///
  /// - Throws: `CryptoError`; `CardRecordError`.
  func seal(_ card: Card) throws -> SealedCard {
    let sealed = try reader.seal(.card, card.id, card.revision, CardRecord.encode(card))
    return SealedCard(
      row: CardRow(id: card.id, revision: card.revision, sealed: sealed),
      element: try reader.element(.card, card.id, card.revision, sealed), order: card.order, tags: card.tags)
  }

  /// Writes a new card.
  func insert(
    _ card: Card, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try insert(seal(card), transaction, &change)
  }

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

  /// Returns the card that an attachment belongs to.
  func owner(of attachment: Identifier) throws -> Identifier {
    guard let card = attachments.card(of: attachment) else { throw VaultError.attachmentNotFound(attachment) }
    return card
  }

  func attachment(_ id: Identifier, in transaction: borrowing ReadTransaction) throws -> Attachment {
    let card = try summary(owner(of: id), in: transaction)
    guard let attachment = card.attachments.first(where: { $0.id == id }) else {
      throw VaultError.attachmentNotFound(id)
    }
    return attachment
  }

  /// Changes the attachments of a card as a new revision of it.
  ///
  /// - Returns: the card as it is now, and what `body` returns.
  func changeAttachments<Value>(
    of id: Identifier, _ clock: any Clock,
    _ body: (inout Card, borrowing WriteTransaction, inout VaultChange) throws -> Value
  ) throws -> (card: Card, Value) {
    try change { transaction, change in
      let card = try card(id, at: nil, in: transaction.read)
      var changed = card
      changed.revision = try card.revision.incremented()
      changed.modifiedAt = timeOfChange(clock)
      let value = try body(&changed, transaction, &change)
      try replace(card, with: changed, transaction, &change)
      return (changed, value)
    }
  }

  /// Changes the metadata of one attachment.
  func changeAttachment(
    _ id: Identifier, _ clock: any Clock,
    _ body: (inout Attachment, borrowing WriteTransaction) throws -> Void
  ) throws -> (card: Card, attachment: Attachment) {
    try changeAttachments(of: owner(of: id), clock) { card, transaction, _ in
      guard let position = card.attachments.firstIndex(where: { $0.id == id }) else {
        throw VaultError.attachmentNotFound(id)
      }
      try body(&card.attachments[position], transaction)
      return card.attachments[position]
    }
  }

  /// Opens the content of an attachment.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if it is missing, does not open, or is not the one that its card names.
  func content(
    of attachment: Attachment, in transaction: borrowing ReadTransaction
  ) throws -> PrivateBytes {
    do {
      let content = try transaction.content(attachment.id) { sealed in
        try reader.content(of: attachment, sealed)
      }
      guard let content else { throw CryptoError.malformed }
      return content
    } catch is CryptoError {
      damaged.insert(attachment.id)
      throw VaultError.damaged(attachment.id)
    }
  }

  /// Removes the content of an attachment and its renditions.
  func removeContent(
    of attachment: IndexedAttachment, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try transaction.deleteContent(attachment.id)
    try change.head.remove(reader.element(of: attachment), kind: .attachment)
  }

  /// Returns whether the file has a content of the right size for each of these attachments, and no other. Reads none.
  func hasEveryContent(
    of attachments: AttachmentIndex, _ transaction: borrowing ReadTransaction
  ) throws -> Bool {
    var (found, isRight) = (0, true)
    try transaction.forEachContent { number, id, count in
      let place = attachments.place(of: id)
      guard number == id.number, let place, Int64(place.size + RecordSealer.overhead) == count else {
        isRight = false
        return
      }
      found += 1
    }
    return isRight && found == attachments.count
  }

  /// Returns whether every content opens; remembers those that do not.
  func opensEveryContent() throws -> Bool {
    for id in attachments.all {
      try Task.checkCancellation()
      do {
        _ = try reading { try content(of: attachment(id, in: $0), in: $0) }
      } catch VaultError.damaged {
        return false
      }
    }
    return true
  }
}

/// The attachments and their cards: ids, sizes and seals only.
package struct AttachmentIndex {
  private var places: [Identifier: (card: Identifier, place: IndexedAttachment)] = [:]
  private var identifiers: [Identifier: [Identifier]] = [:]

  package var count: Int { places.count }

  init() {}

  package init(_ attachments: [(card: Identifier, places: [IndexedAttachment])]) {
    for (card, places) in attachments { set(places, of: card) }
  }

  package var all: [Identifier] { Array(places.keys) }

  /// The salts and tags of all contents.
  package var seals: Set<ContentSeal> { Set(places.values.map(\.place.seal)) }

  /// The card that an attachment belongs to; nil if there is no such attachment.
  package func card(of attachment: Identifier) -> Identifier? { places[attachment]?.card }

  /// The entry of an attachment; nil if there is none.
  package func place(of attachment: Identifier) -> IndexedAttachment? { places[attachment]?.place }

  /// The entries of a card's attachments.
  package func places(of card: Identifier) -> [IndexedAttachment] {
    (identifiers[card] ?? []).compactMap { places[$0]?.place }
  }

  /// Replaces the attachments of a card.
  mutating func set(_ new: [IndexedAttachment], of card: Identifier) {
    // An attachment that moved to another card belongs to that card already.
    for id in identifiers.removeValue(forKey: card) ?? [] where places[id]?.card == card { places[id] = nil }
    for place in new { places[place.id] = (card, place) }
    if !new.isEmpty { identifiers[card] = new.map(\.id) }
  }
}
