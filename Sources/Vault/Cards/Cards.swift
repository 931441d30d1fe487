import VaultCrypto
public import VaultInterface
import VaultStore
public import Wire

extension VaultSession {
  /// Returns a card with all of its values.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func card(_ id: Identifier) throws -> Card {
    let vault = try unlocked()
    return try vault.reading { try vault.card(id, at: nil, in: $0) }
  }

  /// Stores a new card (R1).
  ///
  /// - Parameter lacksGroup: whether no group was given, which is an issue.
  /// - Returns: the card, and warnings about its values.
  /// - Throws: `InvalidValues` with everything that is wrong (R21), ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func createCard(
    _ draft: CardDraft, lacksGroup: Bool = false
  ) throws -> (card: Card, warnings: [Issue]) {
    let vault = try unlocked()
    let checked = try draft.checked(lacksGroup: lacksGroup)
    return try insertCard(into: vault) { _, _ in checked }
  }

  /// Stores a new card under a random id.
  ///
  /// - Parameter contents: returns the checked contents and warnings, and makes other changes of the same transaction.
  func insertCard(
    into vault: OpenVault,
    _ contents: (borrowing WriteTransaction, inout VaultChange) throws -> (
      draft: CardDraft, warnings: [Issue]
    )
  ) throws -> (card: Card, warnings: [Issue]) {
    while true {
      let id = try Identifier.random()
      do {
        return try vault.change { transaction, change in
          let (draft, warnings) = try contents(transaction, &change)
          let card = Card(draft, id: id, at: vault.timeOfChange(clock))
          try vault.insert(card, transaction, &change)
          return (card, warnings)
        }
      } catch StoreError.rowIDCollision {
        continue
      }
    }
  }

  /// Changes the given parts of a card (R1).
  ///
  /// - Parameters:
  ///   - revision: the revision that the caller has seen; nil for any.
  /// - Returns: the changed card, and warnings about its values.
  /// - Throws: ``VaultError/conflict(_:)`` with the card as it is; `InvalidValues`; ``VaultError/cardNotFound(_:)``.
  public func updateCard(
    _ id: Identifier, revision: Int?, _ change: CardChange
  ) throws -> (card: Card, warnings: [Issue]) {
    let vault = try unlocked()
    return try vault.change { transaction, vaultChange in
      try vault.replaceCard(id, at: revision, transaction, &vaultChange) { card in
        try change.applied(to: card, at: vault.timeOfChange(clock))
      }
    }
  }

  /// Deletes a card with its attachments and earlier versions (R1), or moves it to the trash if the settings keep deleted cards.
  /// ``restoreCard(_:)`` undoes it: until the vault is locked, or as long as the card is in the trash.
  ///
  /// - Parameter revision: the revision that the caller has seen; nil for any.
  /// - Returns: the card as it was.
  /// - Throws: ``VaultError/conflict(_:)`` with the card as it is; ``VaultError/cardNotFound(_:)``.
  @discardableResult public func deleteCard(_ id: Identifier, revision: Int?) throws -> Card {
    let vault = try unlocked()
    guard vault.settings.number(.keepDeletedDays) == 0 else {
      let card = try vault.setInTrash(true, id, at: revision, clock).before
      if !card.attachments.isEmpty { try vault.limitTrash(to: Limits.trashedBytes, clock) }
      return card
    }
    let (card, deleted) = try vault.change { transaction, change in
      let card = try vault.card(id, at: revision, in: transaction.read)
      guard let row = try transaction.read.card(id) else { throw VaultError.cardNotFound(id) }
      let deleted = try vault.deletedCard(card, row, in: transaction.read)
      try vault.delete(card, clock, transaction, &change)
      return (card, deleted)
    }
    if let deleted { vault.deletedCards.add(deleted) }
    return card
  }

  /// Restores a card that is in the trash, or that this process deleted since the vault was unlocked, with its attachments.
  ///
  /// - Returns: the card, as its next revision.
  /// - Throws: ``VaultError/cardNotFound(_:)`` if it cannot be restored; ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func restoreCard(_ id: Identifier) throws -> Card {
    let vault = try unlocked()
    if vault.index.trash[id] != nil { return try vault.setInTrash(false, id, at: nil, clock).after }
    guard let deleted = vault.deletedCards[id] else { throw VaultError.cardNotFound(id) }
    let card = try vault.change { transaction, change in
      // A merge may have brought it back.
      if try transaction.read.card(id) != nil { return try vault.card(id, at: nil, in: transaction.read) }
      return try vault.restore(deleted, transaction, &change)
    }
    vault.deletedCards.remove(id)
    return card
  }

  /// Restores the card that was deleted last of those with a title, in whatever case and width, or with an id that begins so.
  ///
  /// - Throws: as ``restoreCard(_:)``.
  public func restoreCard(named name: String) throws -> Card {
    let vault = try unlocked()
    guard let id = try vault.deletedCard(named: name) ?? vault.cardInTrash(named: name) else {
      throw VaultError.cardNotFound(nil)
    }
    return try restoreCard(id)
  }

  /// Returns the cards that cannot be read.
  ///
  /// - Throws: ``VaultError/locked``.
  public func unreadableCards() throws -> UnreadableCards {
    let vault = try unlocked()
    var cards = UnreadableCards()
    cards.damaged = vault.damagedCards
    cards.missing = max(0, Int(clamping: vault.head.cardCount) - vault.cardCount - vault.index.trash.count)
    return cards
  }
}

extension OpenVault {
  /// Replaces a card by its next revision.
  ///
  /// - Parameter changed: returns the next revision, and warnings about its values.
  func replaceCard(
    _ id: Identifier, at revision: Int?, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange, _ changed: (Card) throws -> (card: Card, warnings: [Issue])
  ) throws -> (card: Card, warnings: [Issue]) {
    let card = try card(id, at: revision, in: transaction.read)
    guard card.revision < .max else { throw VaultError.failed(.counterExhausted) }
    let next = try changed(card)
    try replace(card, with: next.card, transaction, &change)
    return next
  }
}

/// The cards of an open vault that cannot be read.
public struct UnreadableCards: Sendable {
  /// Those whose records do not open.
  public var damaged: Set<Identifier> = []
  /// The number of those whose records are not there.
  public var missing = 0

  public init() {}
}

/// The note at the end of a conflict copy's title.
enum ConflictNote {
  private static let suffix = Localized(" (conflict copy)", "（冲突副本）")

  /// Returns the title with the note in the vault's language or, for nil, in the title's own. It may become longer than a title that
  /// somebody enters: without the note, the copy would look like the card.
  static func added(to title: String, _ language: Language?) -> String {
    let language = language ?? (title.unicodeScalars.contains(where: isHan) ? .simplifiedChinese : .english)
    return title + suffix[language]
  }

  /// Returns the title without the note; nil if it has none.
  static func removed(from title: String) -> String? {
    let note = [suffix.english, suffix.simplifiedChinese].first { title.hasSuffix($0) && title != $0 }
    return note.map { String(title.dropLast($0.count)) }
  }

  private static func isHan(_ scalar: Unicode.Scalar) -> Bool {
    (0x3400...0x9FFF).contains(scalar.value) || (0x20000...0x323AF).contains(scalar.value)
  }
}
