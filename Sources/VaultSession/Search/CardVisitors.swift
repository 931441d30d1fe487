import Identifiers
import VaultModel
import VaultStore

/// Collects the cards that pass a filter.
struct FilteredCards: CardVisitor {
  let filter: CardFilter
  var cards: Set<Identifier> = []

  init(_ filter: CardFilter) {
    self.filter = filter
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    if let record, try filter.matches(record: record) { cards.insert(id) }
  }

  mutating func merge(_ other: FilteredCards) {
    cards.formUnion(other.cards)
  }
}

/// Collects the cards that match a query.
struct FoundCards: CardVisitor {
  /// Memory for folding text, used by the visitor's thread alone.
  private final class Scratch: @unchecked Sendable {
    var buffer = SearchBuffer()
  }

  let query: SearchQuery
  var cards: Set<Identifier> = []
  private let scratch = Scratch()

  init(_ query: SearchQuery) {
    self.query = query
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record else { return }
    let hasAttachment = try query.asksForAttachment && CardRecord.hasAttachment(record)
    guard
      try query.matches(
        record: record, hasAttachment: hasAttachment, using: &scratch.buffer,
        pass: { try reader.checkpoint.pass($0) })
    else { return }
    cards.insert(id)
  }

  mutating func merge(_ other: FoundCards) {
    cards.formUnion(other.cards)
  }
}

/// Counts the cards of every tag. Tags are compared byte by byte in UTF-8, as in a filter.
struct CountedTags: CardVisitor {
  private var counted: [[UInt8]: Int] = [:]

  /// The tags, the most used first.
  var counts: [TagCount] {
    counted.map { TagCount(tag: String(decoding: $0.key, as: UTF8.self), count: $0.value) }.sorted()
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record else { return }
    for tag in try CardRecord.tags(of: record) { counted[Array(tag.utf8), default: 0] += 1 }
  }

  mutating func merge(_ other: CountedTags) {
    counted.merge(other.counted, uniquingKeysWith: +)
  }
}
