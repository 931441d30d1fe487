package import VaultInterface
import VaultStore
package import Wire

/// Counts the cards of every tag.
package struct CountedTags: CardVisitor {
  /// The cards with one spelling of a tag.
  fileprivate struct Use {
    var count: Int
    /// When the oldest of the cards was created.
    var firstCreated: Timestamp
    /// The oldest of the cards.
    var oldest: Identifier

    mutating func add(_ card: Identifier, _ created: Timestamp) {
      count += 1
      if created < firstCreated { (firstCreated, oldest) = (created, card) }
    }
  }

  /// What each thread of a scan collected, by spelling, in UTF-8.
  private var parts: [[[UInt8]: Use]] = [[:]]

  package init() {}

  package mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record else { return }
    let created = try CardRecord.head(of: record).createdAt
    for tag in try CardRecord.tags(of: record) {
      try reader.checkpoint.pass(Self.comparison)
      parts[0][Array(tag.utf8), default: Use(count: 0, firstCreated: created, oldest: id)].add(id, created)
    }
  }

  /// Takes over what the other collected as it is: a vault can have so many tags that a lock would wait for more.
  package mutating func merge(_ other: CountedTags) {
    parts += other.parts
  }

  /// Returns the tags, the most used first.
  ///
  /// - Parameter pass: is given the work, as ``CancellationPoint/pass(_:)`` is, and can end it.
  func counts(_ pass: (Int) throws -> Void) throws -> [TagCount] {
    var counts: [TagCount] = []
    for tag in try tags(by: \.trimmed.tagKey, pass).values {
      try pass(Self.work)
      counts.append(TagCount(tag: tag.text.trimmed, count: tag.count))
    }
    try counts.sort { left, right in
      try pass(Self.comparison)
      return left < right
    }
    return counts
  }

  /// Returns every tag as the oldest card with it writes it.
  ///
  /// - Parameter pass: as for ``counts(_:)``.
  package func spelling(_ pass: (Int) throws -> Void = { _ in }) throws -> TagSpelling {
    var spelling = TagSpelling()
    for tag in try tags(by: \.tagKey, pass).values {
      try pass(Self.work)
      _ = spelling.spell(tag.text)
    }
    return spelling
  }

  /// Returns the tags without their texts.
  ///
  /// - Parameter pass: as for ``counts(_:)``.
  func used(_ pass: (Int) throws -> Void) throws -> UsedTags {
    var used = UsedTags()
    for tag in try tags(by: \.tagKey, pass).values {
      try pass(Self.work)
      used.add(tag.text, of: tag.oldest, count: tag.count, isUniform: tag.isUniform)
    }
    return used
  }

  /// Texts that differ only in case or width.
  private struct Tag {
    /// The text of the oldest card.
    var text: String
    var firstCreated: Timestamp
    var oldest: Identifier
    var count: Int
    /// Whether all cards have the same text.
    var isUniform = true

    mutating func add(_ use: Use, _ other: String) {
      count += use.count
      if !text.utf8.elementsEqual(other.utf8) { isUniform = false }
      guard (use.firstCreated, other) < (firstCreated, text) else { return }
      (text, firstCreated, oldest) = (other, use.firstCreated, use.oldest)
    }
  }

  private func tags(
    by key: (String) -> [UInt8], _ pass: (Int) throws -> Void
  ) throws -> [[UInt8]: Tag] {
    var tags: [[UInt8]: Tag] = [:]
    for part in parts {
      for (bytes, use) in part {
        try pass(Self.work)
        let text = String(decoding: bytes, as: UTF8.self)
        let key = key(text)
        if tags[key] == nil {
          tags[key] = Tag(
            text: text, firstCreated: use.firstCreated, oldest: use.oldest, count: use.count)
        } else {
          tags[key]?.add(use, text)
        }
      }
    }
    return tags
  }

  /// The work for one tag, and for comparing two, in the units of ``CancellationPoint``.
  private static let (work, comparison) = (2_000, 400)
}

/// Collects the cards that pass a filter.
struct FilteredCards: CardVisitor {
  let filter: CardFilter
  var cards: Set<Identifier> = []
  private let scratch = Scratch()

  init(_ filter: CardFilter) {
    self.filter = filter
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    if let record, try filter.matches(record: record, using: &scratch.buffer) { cards.insert(id) }
  }

  mutating func merge(_ other: FilteredCards) {
    cards.formUnion(other.cards)
  }
}

/// Collects the cards that pass a filter, with what they are sorted by.
struct SortedCards: CardVisitor {
  /// A card's place in a sorted list.
  struct Place: Sendable {
    let key: [UInt8]
    let id: Identifier
    let revision: Int64
  }

  let filter: CardFilter
  let sort: CardSort
  private var places: [Place] = []
  private let scratch = Scratch()

  init(_ filter: CardFilter, _ sort: CardSort) {
    (self.filter, self.sort) = (filter, sort)
  }

  /// The cards in order.
  var sorted: [Place] {
    places.sorted { left, right in
      let isBefore =
        left.key == right.key ? left.id < right.id : left.key.lexicographicallyPrecedes(right.key)
      return isBefore != sort.descending
    }
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record, try filter.isEmpty || filter.matches(record: record, using: &scratch.buffer) else {
      return
    }
    let card = try CardRecord.summary(record, id: id, revision: revision)
    places.append(Place(key: sort.key(of: card), id: id, revision: revision))
  }

  mutating func merge(_ other: SortedCards) {
    places += other.places
  }
}

/// Collects the cards that match a query, with how well they do.
struct FoundCards: CardVisitor {
  let query: SearchQuery
  var ranks: [Identifier: SearchRank] = [:]
  private let scratch = Scratch()

  init(_ query: SearchQuery) {
    self.query = query
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record else { return }
    let hasAttachment = try query.asksForAttachment && CardRecord.hasAttachment(record)
    let rank = try query.rank(
      record: record, hasAttachment: hasAttachment, using: &scratch.buffer,
      pass: { try reader.checkpoint.pass($0) })
    if let rank { ranks[id] = rank }
  }

  mutating func merge(_ other: FoundCards) {
    ranks.merge(other.ranks) { $1 }
  }
}
