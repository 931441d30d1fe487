/// Which cards a list shows (R15). Every condition that is given must hold.
public struct CardFilter: Hashable, Sendable {
  /// The group, or nil for both.
  public let group: CardGroup?
  /// A tag that the card must carry, in whatever case and width.
  public let tag: String?
  /// The type, or nil for all.
  public let type: CardType?
  private let tagKey: [UInt8]?

  public init(group: CardGroup? = nil, tag: String? = nil, type: CardType? = nil) {
    (self.group, self.tag, self.type) = (group, tag, type)
    tagKey = tag?.trimmed.tagKey
  }

  /// Whether the filter lets every card pass.
  public var isEmpty: Bool { group == nil && tag == nil && type == nil }

  /// Whether a card passes.
  public func matches(_ card: Card) -> Bool {
    (group == nil || group == card.group) && (type == nil || type == card.type)
      && (tagKey.map { wanted in card.tags.contains { $0.tagKey == wanted } } ?? true)
  }

  /// Whether the card of an encoded record passes, read in place.
  /// - Parameter buffer: memory that is used again for the next record; wipe it after the last.
  /// - Throws: ``CardRecordError`` if the part of the record that was read is malformed.
  public func matches(record: RawSpan, using buffer: inout SearchBuffer) throws(CardRecordError) -> Bool {
    let head = try CardRecord.head(of: record)
    if let group, group != head.group { return false }
    if let type, type != head.type { return false }
    guard let tagKey else { return true }
    var cursor = CardRecord.Cursor()
    while let entry = try cursor.next(in: record) {
      guard entry.role == .tag else { continue }
      buffer.removeAll()
      _ = buffer.addSegment(entry, of: record)
      if buffer.withBytes({ $0.count == tagKey.count && $0.contains(tagKey, in: 0..<$0.count) }) == true {
        return true
      }
    }
    return false
  }
}
