/// Which cards a list shows (R15). Every condition that is given must hold.
public struct CardFilter: Hashable, Sendable {
  /// The group, or nil for both.
  public var group: CardGroup?
  /// A tag that the card must carry, compared code point by code point.
  public var tag: String?
  /// The type, or nil for all.
  public var type: CardType?

  public init(group: CardGroup? = nil, tag: String? = nil, type: CardType? = nil) {
    (self.group, self.tag, self.type) = (group, tag, type)
  }

  /// Whether the filter lets every card pass.
  public var isEmpty: Bool { group == nil && tag == nil && type == nil }

  /// Whether a card passes.
  public func matches(_ card: Card) -> Bool {
    (group == nil || group == card.group) && (type == nil || type == card.type)
      && (tag.map { wanted in card.tags.contains { $0.utf8.elementsEqual(wanted.utf8) } } ?? true)
  }

  /// Whether the card of an encoded record passes, read in place.
  /// - Throws: ``CardRecordError`` if the part of the record that was read is malformed.
  public func matches(record: RawSpan) throws(CardRecordError) -> Bool {
    let head = try CardRecord.head(of: record)
    if let group, group != head.group { return false }
    if let type, type != head.type { return false }
    guard let tag else { return true }
    var cursor = CardRecord.Cursor()
    while let entry = try cursor.next(in: record) {
      if entry.role == .tag && CardRecord.bytes(entry.value, of: record, equal: tag.utf8) { return true }
    }
    return false
  }
}
