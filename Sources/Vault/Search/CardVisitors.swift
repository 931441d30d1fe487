import VaultInterface
import VaultStore
import Wire

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
