package import VaultInterface
import VaultStore
package import Wire

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

/// Counts the cards of every tag.
package struct CountedTags: CardVisitor {
  /// The cards with one spelling of a tag.
  private struct Use {
    var count: Int
    /// When the oldest of the cards was created.
    var firstCreated: Timestamp
    /// The oldest of the cards.
    var oldest: Identifier
  }

  /// By spelling, in UTF-8.
  private var uses: [[UInt8]: Use] = [:]

  package init() {}

  /// The tags, the most used first.
  var counts: [TagCount] {
    var spelling = spelling
    var counts: [String: Int] = [:]
    for (tag, use) in uses {
      counts[spelling.spell(String(decoding: tag, as: UTF8.self).trimmed), default: 0] += use.count
    }
    return counts.map { TagCount(tag: $0.key, count: $0.value) }.sorted()
  }

  /// Every tag as the oldest card with it writes it.
  package var spelling: TagSpelling {
    TagSpelling(oldestFirst.map(\.tag))
  }

  /// The tags without their texts.
  var used: UsedTags {
    UsedTags(oldestFirst.map { (text: $0.tag, card: $0.use.oldest, count: $0.use.count) })
  }

  private var oldestFirst: [(tag: String, use: Use)] {
    uses.map { (tag: String(decoding: $0.key, as: UTF8.self), use: $0.value) }
      .sorted { ($0.use.firstCreated, $0.tag) < ($1.use.firstCreated, $1.tag) }
  }

  package mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record else { return }
    let created = try CardRecord.head(of: record).createdAt
    for tag in try CardRecord.tags(of: record) {
      add(Use(count: 1, firstCreated: created, oldest: id), of: Array(tag.utf8))
    }
  }

  package mutating func merge(_ other: CountedTags) {
    for (tag, use) in other.uses { add(use, of: tag) }
  }

  private mutating func add(_ use: Use, of tag: [UInt8]) {
    guard let known = uses[tag] else {
      uses[tag] = use
      return
    }
    uses[tag] = use.firstCreated < known.firstCreated ? use : known
    uses[tag]?.count = known.count + use.count
  }
}
