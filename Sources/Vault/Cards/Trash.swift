public import VaultInterface
import VaultStore
public import Wire

extension VaultSession {
  /// The cards in the trash without their values, deleted last first (R1). Their ``Card/modifiedAt`` is when they were deleted.
  ///
  /// - Throws: ``VaultError/locked``.
  public func cardsInTrash() throws -> [Card] {
    let vault = try unlocked()
    return try vault.reading { transaction in
      try vault.trashNewestFirst.map { try vault.summary($0, in: transaction, isInTrash: true) }
    }
  }

  /// The size of the attachments of the cards in the trash, in bytes; at most ``Limits/trashedBytes``, but for one card.
  ///
  /// - Throws: ``VaultError/locked``.
  public func attachmentBytesInTrash() throws -> Int {
    let vault = try unlocked()
    return vault.index.trash.keys.reduce(0) { $0 + vault.attachmentBytes(of: $1) }
  }

  /// Deletes a card in the trash for good, or all of them (R1).
  ///
  /// - Returns: how many were deleted.
  /// - Throws: ``VaultError/cardNotFound(_:)`` if the card is not in the trash; ``VaultError/damaged(_:)``.
  @discardableResult public func purge(_ id: Identifier?) throws -> Int {
    let vault = try unlocked()
    if let id, vault.index.trash[id] == nil { throw VaultError.cardNotFound(id) }
    return try vault.purge(id.map { [$0] } ?? Array(vault.index.trash.keys), clock)
  }

  /// Deletes the cards for good that are in the trash for longer than the settings say. A vault that cannot be written keeps them.
  public func purgeExpired() throws {
    let vault = try unlocked()
    guard !vault.index.trash.isEmpty else { return }
    let days = Int64(vault.settings.number(.keepDeletedDays))
    let expired = vault.index.trash.filter { clock.wall - $0.value.milliseconds >= days * 86_400_000 }
    _ = try vault.purge(Array(expired.keys), clock)
  }
}

extension OpenVault {
  /// The cards in the trash, deleted last first.
  fileprivate var trashNewestFirst: [Identifier] {
    index.trash.sorted { $0.value > $1.value }.map(\.key)
  }

  /// Moves a card to the trash, or back out of it, as its next revision.
  func setInTrash(
    _ isInTrash: Bool, _ id: Identifier, at revision: Int?, _ clock: any Clock
  ) throws -> (before: Card, after: Card) {
    try change { transaction, change in
      let card = try card(id, at: revision, in: transaction.read, isInTrash: !isInTrash)
      guard card.revision < .max else { throw VaultError.failed(.counterExhausted) }
      var next = card.replaced(by: card.draft, at: timeOfChange(clock))
      next.isInTrash = isInTrash
      try replace(card, with: next, transaction, &change)
      return (card, next)
    }
  }

  /// Deletes the cards for good that were moved to the trash first, until the attachments there have no more than a number of bytes.
  /// The last card stays.
  func limitTrash(to limit: Int, _ clock: any Clock) throws {
    let newest = trashNewestFirst
    var size = 0
    let excess = newest.drop { id in
      size += attachmentBytes(of: id)
      return size <= limit || id == newest.first
    }
    _ = try purge(Array(excess), clock)
  }

  fileprivate func attachmentBytes(of card: Identifier) -> Int {
    attachments.places(of: card).reduce(0) { $0 + $1.size }
  }

  /// The card that was moved to the trash last of those with a title, or with an id that begins so.
  func cardInTrash(named name: String) throws -> Identifier? {
    let filter = CardFilter(title: name.trimmed)
    let newest = trashNewestFirst
    let titled = try reading { transaction in
      try newest.first { id in
        filter.matches(try card(id, at: nil, in: transaction, isInTrash: true))
      }
    }
    return titled ?? newest.first { $0.begins(with: name.trimmed) }
  }

  fileprivate func purge(_ ids: [Identifier], _ clock: any Clock) throws -> Int {
    guard !ids.isEmpty else { return 0 }
    return try change { transaction, change in
      for id in ids {
        try delete(card(id, at: nil, in: transaction.read, isInTrash: true), clock, transaction, &change)
      }
      return ids.count
    }
  }

  /// Deletes a card with its attachments and its earlier versions.
  func delete(
    _ card: Card, _ clock: any Clock, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    guard let row = try transaction.read.card(card.id) else { throw VaultError.cardNotFound(card.id) }
    try transaction.deleteCard(card.id, expected: row.revision)
    try recordReplacement(of: row, by: nil, deletedAt: clock.wall, transaction, &change)
    try change.head.remove(reader.element(.card, card.id, row.revision, row.sealed), kind: .card)
    for attachment in card.attachments {
      try removeContent(of: IndexedAttachment(attachment), transaction, &change)
    }
    change.attachments.append((card.id, []))
    change.markChanged(card.id, tags: card.tags, to: [])
    change.removed.append(card.order)
  }
}
