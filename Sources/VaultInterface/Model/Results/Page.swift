/// A page of a longer list.
public struct Page<Item: Sendable>: Sendable {
  public var items: [Item]
  /// The number of items on all pages.
  public var total: Int
  /// The cursor of the next page; nil on the last.
  public var nextCursor: String?

  public init(items: [Item], total: Int, nextCursor: String?) {
    (self.items, self.total, self.nextCursor) = (items, total, nextCursor)
  }

  /// Returns the same page with its items transformed.
  public func map<Other>(_ transform: (Item) -> Other) -> Page<Other> {
    Page<Other>(items: items.map(transform), total: total, nextCursor: nextCursor)
  }
}

/// A search result: a card without its values, and the matches in it.
public struct SearchHit: Sendable, Hashable {
  public var card: Card
  public var matches: [FieldMatch]

  public init(card: Card, matches: [FieldMatch]) { (self.card, self.matches) = (card, matches) }
}
