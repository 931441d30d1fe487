public import Wire

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

/// The order of a list that is sorted by a column (R16). Cards that are alike there are in the order of their titles.
public struct CardSort: Hashable, Sendable {
  /// The columns by which a list can be sorted.
  public enum Column: String, CaseIterable, Hashable, Sendable {
    case title, type, group, tags, modifiedAt, createdAt
  }

  public let column: Column
  /// Whether the order is reversed.
  public let descending: Bool

  public init(_ column: Column, descending: Bool = false) {
    (self.column, self.descending) = (column, descending)
  }

  /// Returns the bytes by which a card is sorted, without regard to ``descending``.
  public func key(of card: Card) -> [UInt8] {
    switch column {
    case .title: Self.key(card.title)
    case .type: Self.key(CardType.allCases.firstIndex(of: card.type) ?? 0) + Self.key(card.title)
    case .group: Self.key(CardGroup.allCases.firstIndex(of: card.group) ?? 0) + Self.key(card.title)
    case .tags: card.tags.flatMap { Self.key($0) + [0] } + [0] + Self.key(card.title)
    case .modifiedAt: Self.key(card.modifiedAt) + Self.key(card.title)
    case .createdAt: Self.key(card.createdAt) + Self.key(card.title)
    }
  }

  /// Folds a text as for searching, and puts the pinyin of each Chinese character before it.
  private static func key(_ text: String) -> [UInt8] {
    FoldedText(text).scalars.flatMap { scalar in
      let readings = Readings.of(scalar.value)
      let letters = readings.count > 0 ? readings[0].letters : 0
      return bytes(ofLetters: letters) + Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private static func bytes(ofLetters letters: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: letters >> (8 * $0)) }.filter { $0 != 0 }
  }

  private static func key(_ index: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: index)] }

  /// The time's bytes, the highest first, with the sign turned so that earlier times come first.
  private static func key(_ time: Timestamp) -> [UInt8] {
    let value = UInt64(bitPattern: time.milliseconds) ^ 1 << 63
    return (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}

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
