public import Wire

/// The cards of an open vault that cannot be read.
public struct UnreadableCards: Sendable {
  /// Those whose records do not open.
  public var damaged: Set<Identifier> = []
  /// The number of those whose records are not there.
  public var missing = 0

  public init() {}
}

extension VaultSession {
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
