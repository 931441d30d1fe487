public import Identifiers
import VaultCrypto
public import VaultModel
import VaultStore

extension VaultSession {
  /// One card, whole.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func card(_ id: Identifier) throws -> Card {
    let vault = try unlocked()
    return try vault.reading { try vault.card(id, in: $0) }
  }

  /// Stores a new card (R1).
  ///
  /// - Returns: the card, and what may be wrong with it all the same.
  /// - Throws: `InvalidValues` with everything that is wrong (R21), ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func createCard(_ draft: CardDraft) throws -> (card: Card, warnings: [Issue]) {
    let vault = try unlocked()
    let (draft, warnings) = try draft.checked()
    while true {
      let id = try Identifier.random()
      do {
        let card = try vault.change { transaction, change in
          let card = Card(draft, id: id, at: vault.timeOfChange(clock))
          try vault.insert(card, transaction, &change)
          return card
        }
        return (card, warnings)
      } catch StoreError.rowIDCollision {
        continue
      }
    }
  }

  /// Changes what is given of a card and keeps the rest (R1).
  ///
  /// - Parameters:
  ///   - revision: the one that the caller has seen; nil to change whatever is there.
  /// - Returns: the card as it is now, and what may be wrong with it all the same.
  /// - Throws: ``VaultError/conflict(_:)`` with the card as it is; `InvalidValues`; ``VaultError/cardNotFound(_:)``.
  public func updateCard(
    _ id: Identifier, revision: Int?, _ change: CardChange
  ) throws -> (card: Card, warnings: [Issue]) {
    let vault = try unlocked()
    return try vault.change { transaction, vaultChange in
      let card = try vault.card(id, at: revision, in: transaction.read)
      guard card.revision < .max else { throw VaultError.failed }
      let (changed, warnings) = try change.applied(to: card, at: vault.timeOfChange(clock))
      try vault.replace(card, with: changed, transaction, &vaultChange)
      return (changed, warnings)
    }
  }

  /// Removes a card with its fields and attachments for good (R1).
  ///
  /// - Parameter revision: the one that the caller has seen; nil to delete whatever is there.
  /// - Returns: the card as it was.
  /// - Throws: ``VaultError/conflict(_:)`` with the card as it is; ``VaultError/cardNotFound(_:)``.
  @discardableResult public func deleteCard(_ id: Identifier, revision: Int?) throws -> Card {
    let vault = try unlocked()
    return try vault.change { transaction, change in
      let card = try vault.card(id, at: revision, in: transaction.read)
      guard let row = try transaction.read.card(id) else { throw VaultError.cardNotFound(id) }
      try transaction.deleteCard(id, expected: row.revision)
      try vault.noteGivingWay(of: row, to: clock.wall, transaction, &change)
      try change.head.remove(vault.element(.card, id, row.revision, row.sealed), kind: .card)
      for attachment in card.attachments {
        try vault.removeContent(of: AttachmentPlace(attachment), transaction, &change)
      }
      change.attachments.append((id, []))
      change.note(id)
      change.removed.append(card.order)
      return card
    }
  }
}

// MARK: Records of cards

extension OpenVault {
  /// Opens a card.
  ///
  /// - Parameter revision: the one that the caller has seen; nil for any.
  func card(
    _ id: Identifier, at revision: Int? = nil, in transaction: borrowing ReadTransaction
  ) throws -> Card {
    guard let row = try row(of: id, in: transaction) else { throw VaultError.cardNotFound(id) }
    do {
      try openRecord(.card, id, row.revision, row.sealed)
      defer { buffer.wipe() }
      let card = try buffer.withContent { try CardRecord.decode($0, id: id, revision: row.revision) }
      if let revision, Int64(revision) != row.revision { throw VaultError.conflict(card) }
      return card
    } catch let error where error is CryptoError || error is CardRecordError {
      noteDamage(of: id)
      throw VaultError.damaged(id)
    }
  }

  /// A card's row. In a file whose tree is broken, one that cannot be looked up is found among all.
  func row(of id: Identifier, in transaction: borrowing ReadTransaction) throws -> CardRow? {
    let id = id
    if let row = try transaction.card(id) { return row }
    guard index.contains(id) else { return nil }
    isComplete = false
    var row: CardRow?
    try transaction.forEachCard { number, found, revision, sealed in
      guard found == id, number == id.number else { return }
      let bytes = unsafe sealed.withUnsafeBytes { unsafe [UInt8]($0) }
      row = CardRow(id: id, revision: revision, sealed: bytes)
    }
    return row
  }

  /// Writes a new card.
  func insert(_ card: Card, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange) throws {
    let id = card.id
    let sealed = try sealRecord(.card, id, card.revision, CardRecord.encode(card))
    try transaction.insertCard(CardRow(id: id, revision: card.revision, sealed: sealed))
    try change.head.add(element(.card, id, card.revision, sealed), kind: .card)
    change.note(id)
    change.indexed.append(card.order)
  }

  /// Writes a card in the place of what it was.
  func replace(
    _ card: Card, with changed: Card, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let id = card.id
    guard let row = try transaction.read.card(id) else { throw VaultError.cardNotFound(card.id) }
    let sealed = try sealRecord(.card, id, changed.revision, CardRecord.encode(changed))
    let newRow = CardRow(id: id, revision: changed.revision, sealed: sealed)
    try transaction.updateCard(newRow, expected: card.revision)
    try noteGivingWay(of: row, to: nil, transaction, &change)
    change.head.replace(
      try element(.card, id, row.revision, row.sealed), with: try element(.card, id, changed.revision, sealed)
    )
    change.note(id)
    change.removed.append(card.order)
    change.indexed.append(changed.order)
    change.attachments.append((card.id, changed.attachments.map(AttachmentPlace.init)))
  }
}

extension VaultChange {
  /// Notes that other processes have to read a card anew.
  mutating func note(_ card: Identifier) {
    head.noteChange(of: card, at: UInt64(clamping: generation))
  }
}
