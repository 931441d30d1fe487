/// The conditions for the cards of a list (R15). All that are given must hold.
public struct CardFilter: Hashable, Sendable {
  /// The group, or nil for both.
  public let group: CardGroup?
  /// A tag that the card must carry, in whatever case and width.
  public let tag: String?
  /// The type, or nil for all.
  public let type: CardType?
  /// The title that the card must have, in whatever case and width.
  public let title: String?
  private let tagKey, titleKey: [UInt8]?

  public init(group: CardGroup? = nil, tag: String? = nil, type: CardType? = nil, title: String? = nil) {
    (self.group, self.tag, self.type, self.title) = (group, tag, type, title)
    (tagKey, titleKey) = (tag?.trimmed.tagKey, title?.trimmed.tagKey)
  }

  /// Whether the filter lets every card pass.
  public var isEmpty: Bool { group == nil && tag == nil && type == nil && title == nil }

  /// Whether a card passes.
  public func matches(_ card: Card) -> Bool {
    (group == nil || group == card.group) && (type == nil || type == card.type)
      && (titleKey.map { $0 == card.title.tagKey } ?? true)
      && (tagKey.map { wanted in card.tags.contains { $0.tagKey == wanted } } ?? true)
  }

  /// Whether the card of an encoded record passes, read in place.
  /// - Parameter buffer: memory that is used again for the next record; wipe it after the last.
  /// - Throws: ``CardRecordError`` if the part of the record that was read is malformed.
  public func matches(record: RawSpan, using buffer: inout SearchBuffer) throws(CardRecordError) -> Bool {
    let head = try CardRecord.head(of: record)
    if let group, group != head.group { return false }
    if let type, type != head.type { return false }
    guard tagKey != nil || titleKey != nil else { return true }
    var cursor = CardRecord.Cursor()
    while let entry = try cursor.next(in: record) {
      switch entry.role {
      case .title:
        guard let titleKey else { continue }
        guard buffer.holds(titleKey, asFolded: entry, of: record) else { return false }
        if tagKey == nil { return true }
      case .tag:
        if let tagKey, buffer.holds(tagKey, asFolded: entry, of: record) { return true }
      case .field, .extraField, .attachment: continue
      }
    }
    return false
  }

  /// The hash of the title that the card must have, as ``CardRecord/titleHash(of:using:)`` has it; nil if any title will do.
  public var titleHash: Int? {
    titleKey.map { key in unsafe key.withUnsafeBytes { unsafe CardRecord.hash(of: $0) } }
  }
}

extension CardRecord {
  /// The hash of a record's title without its case and width, with this process's random seed.
  /// - Parameter buffer: memory that is used again for the next record; wipe it after the last.
  /// - Throws: ``CardRecordError`` if the title is malformed.
  public static func titleHash(
    of record: RawSpan, using buffer: inout SearchBuffer
  ) throws(CardRecordError) -> Int {
    buffer.removeAll()
    var cursor = Cursor()
    if let title = try cursor.next(in: record) { _ = buffer.addSegment(title, of: record) }
    return buffer.withBytes { folded in
      unsafe hash(of: UnsafeRawBufferPointer(start: folded.start, count: folded.count))
    } ?? 0
  }

  fileprivate static func hash(of bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: bytes)
    return hasher.finalize()
  }
}

extension SearchBuffer {
  /// Whether a text of a record is this one, folded.
  fileprivate mutating func holds(
    _ key: [UInt8], asFolded entry: CardRecord.Entry, of record: RawSpan
  ) -> Bool {
    removeAll()
    _ = addSegment(entry, of: record)
    return holds(key, in: segments[0].text)
  }
}
