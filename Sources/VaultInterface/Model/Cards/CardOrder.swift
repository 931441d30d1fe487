public import Wire

/// The position of a card in every list (R16): pinned ones first, in each part the most recently modified
/// first, and by identifier among those of one moment. Smaller is earlier in the list.
public struct CardOrder: Hashable, Comparable, Sendable {
  public let pinned: Bool
  /// When the card was last modified.
  public let modifiedAt: Timestamp
  public let id: Identifier
  /// Whether the card is in no list, since it was deleted and can be restored.
  public let isInTrash: Bool

  /// The place of a card with these properties.
  public init(pinned: Bool, modifiedAt: Timestamp, id: Identifier, isInTrash: Bool = false) {
    (self.pinned, self.modifiedAt, self.id, self.isInTrash) = (pinned, modifiedAt, id, isInTrash)
  }

  /// Whether the left card is listed before the right one.
  public static func < (left: Self, right: Self) -> Bool {
    if left.pinned != right.pinned { return left.pinned }
    if left.modifiedAt != right.modifiedAt { return left.modifiedAt > right.modifiedAt }
    return left.id < right.id
  }
}

/// A tag with the number of cards that carry it. Smaller is earlier in the list: most used first, then by text.
public struct TagCount: Hashable, Comparable, Sendable {
  public let tag: String
  /// The number of cards with it.
  public let count: Int

  public init(tag: String, count: Int) {
    self.tag = tag
    self.count = count
  }

  /// Whether the left tag is listed before the right one.
  public static func < (left: Self, right: Self) -> Bool {
    left.count != right.count ? left.count > right.count : left.tag < right.tag
  }
}
