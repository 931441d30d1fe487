import VaultCrypto
public import VaultInterface
import VaultStore
public import Wire

/// How the tags of a card are written.
public struct SpelledTags: Sendable {
  let tags: [String]
  /// The tags of all cards without their texts.
  let used: UsedTags
  /// The generation of the cards that were read.
  let generation: Int64
}

/// The lists of an open vault: its cards, what a query finds, the tags.
public struct CardLists {
  let vault: OpenVault

  init(_ vault: OpenVault) {
    self.vault = vault
  }
}

extension CardLists {
  /// A page of cards without their values (R15), sorted, or in the order of R16.
  ///
  /// - Parameters:
  ///   - limit: how many items the page holds at the most; it ends before that where they come to ``pageByteLimit``.
  ///   - cursor: where the page before said that this one begins; nil for the first. What was changed in between
  ///     neither repeats nor hides a card that was not.
  /// - Throws: ``VaultError/invalidCursor``.
  public func cards(_ filter: CardFilter, sort: CardSort? = nil, limit: Int, cursor: String?) throws -> Page<
    Card
  > {
    if let sort { return try cards(filter, sortedBy: sort, limit: limit, cursor: cursor) }
    let place = try cursor.map(Self.place)
    if let title = filter.titleHash {
      return try vault.reading { transaction in
        let wanted = try vault.cards(filter, titled: title, in: transaction)
        return try page(of: wanted, after: place, limit: limit) { try vault.summary($0, in: transaction) }
      }
    }
    guard !filter.isEmpty else {
      return try vault.reading { transaction in
        try page(of: nil, after: place, limit: limit) { try vault.summary($0, in: transaction) }
      }
    }
    return try vault.reading({ FilteredCards(filter) }) { filtered, transaction in
      try page(of: filtered.cards, after: place, limit: limit) {
        try vault.summary($0, in: transaction)
      }
    }
  }

  /// A page of the cards that a query finds, each with what was found in it (R7): those that fit best first, and in the order
  /// of R16 among those that fit alike.
  ///
  /// Every card is opened in passing and forgotten; those of the page are opened again for their snippets, and nothing else
  /// of them leaves the buffer that they are opened in.
  ///
  /// - Throws: `QueryError`, ``VaultError/invalidCursor``.
  public func search(_ query: String, limit: Int, cursor: String?) throws -> Page<SearchHit> {
    let query = try SearchQuery(parsing: query)
    guard !query.isEmpty else {
      let place = try cursor.map(Self.place)
      return try vault.reading { transaction in
        try page(of: nil, after: place, limit: limit) {
          SearchHit(card: try vault.summary($0, in: transaction), matches: [])
        }
      }
    }
    let last = try cursor.map(Self.rankedPlace)
    return try vault.reading({ FoundCards(query) }) { found, transaction in
      var buffer = SearchBuffer()
      let ranked = vault.ranked(found.ranks, after: last)
      return try page(
        ranked, total: found.ranks.count, limit: limit,
        cursor: { "\($0.rank.rawValue).\(Self.cursor($0.place))" }
      ) {
        try vault.hit($0.place.id, of: query, using: &buffer, in: transaction)
      }
    }
  }

  /// Returns the cards that a query finds, or all of them, in the order of R16.
  ///
  /// - Throws: `QueryError`.
  public func cardIdentifiers(matching query: String?) throws -> [Identifier] {
    let query = try query.map { try SearchQuery(parsing: $0) }
    guard let query, !query.isEmpty else {
      return try vault.reading { _ in vault.index.cards(after: nil).map(\.id) }
    }
    return try vault.reading({ FoundCards(query) }) { found, _ in
      vault.index.cards(after: nil).map(\.id).filter { found.ranks[$0] != nil }
    }
  }

  /// The first cards whose titles contain all words of a text, without those that have a tag. Values are not searched.
  ///
  /// - Returns: at most `limit` cards without their values, and whether there are others.
  public func cards(titled words: String, without tag: String?, limit: Int) throws -> (
    cards: [Card], hasMore: Bool
  ) {
    let query = SearchQuery(titleWords: words)
    let hidden = tag.map { CardFilter(tag: $0) }
    return try vault.reading({ FoundCards(query) }) { found, transaction in
      var cards: [Card] = []
      for place in vault.ranked(found.ranks, after: nil).lazy.map(\.place) {
        let card = try vault.summary(place.id, in: transaction)
        if hidden?.matches(card) == true { continue }
        if cards.count == limit { return (cards, true) }
        cards.append(card)
      }
      return (cards, false)
    }
  }

  /// Every tag in use with the number of its cards, the most used first (R15).
  public func tags() throws -> [TagCount] {
    try vault.reading({ CountedTags() }) { tags, _ in try tags.counts { try vault.reader.checkpoint.pass($0) }
    }
  }

  /// Returns tags as the oldest card with each writes them (R15).
  func spelled(_ texts: [String]) throws -> SpelledTags {
    try vault.reading({ CountedTags() }) { tags, _ in
      var spelling = try tags.spelling { try vault.reader.checkpoint.pass($0) }
      return SpelledTags(
        tags: spelling.spell(texts), used: try tags.used { try vault.reader.checkpoint.pass($0) },
        generation: vault.generation)
    }
  }

  /// A page of a sorted list.
  ///
  /// - Throws: ``VaultError/invalidCursor`` also if the last card of the page before was changed or deleted since.
  private func cards(_ filter: CardFilter, sortedBy sort: CardSort, limit: Int, cursor: String?) throws
    -> Page<Card>
  {
    let last = try cursor.map(Self.sortedPlace)
    return try vault.reading({ SortedCards(filter, sort) }) { visitor, transaction in
      var places = visitor.sorted[...]
      let total = places.count
      if let last {
        guard let index = places.firstIndex(where: { $0.id == last.id && $0.revision == last.revision })
        else {
          throw VaultError.invalidCursor
        }
        places = places[(index + 1)...]
      }
      return try page(places, total: total, limit: limit, cursor: { "\($0.id).\($0.revision)" }) {
        try vault.summary($0.id, in: transaction)
      }
    }
  }

  /// The bytes of text, in UTF-8, after which a page ends: 8 MiB.
  private static let pageByteLimit = 8 << 20

  /// The page of these cards that begins behind a place, in the order of R16.
  private func page<Item: PageItem>(
    of wanted: Set<Identifier>?, after place: CardOrder?, limit: Int,
    _ item: (Identifier) throws -> Item
  ) throws -> Page<Item> {
    let places = vault.index.cards(after: place).lazy.filter { wanted?.contains($0.id) ?? true }
    return try page(places, total: wanted?.count, limit: limit, cursor: Self.cursor) { try item($0.id) }
  }

  /// The page of the first of these cards. A card that turns out not to open is passed over.
  ///
  /// - Parameter total: the number of cards in the list; nil if they are all cards of the vault.
  private func page<Place, Item: PageItem>(
    _ places: some Sequence<Place>, total: Int?, limit: Int, cursor: (Place) -> String,
    _ item: (Place) throws -> Item
  ) throws -> Page<Item> {
    var items: [Item] = []
    var (last, hasMore, passedOver): (Place?, Bool, Int) = (nil, false, 0)
    var byteCount = 0
    for place in places {
      guard items.count < limit, byteCount < Self.pageByteLimit else {
        hasMore = true
        break
      }
      do {
        let item = try item(place)
        try vault.reader.checkpoint.pass(item.byteCount)
        byteCount += item.byteCount
        items.append(item)
        last = place
      } catch VaultError.damaged {
        passedOver += 1
      }
    }
    return Page(
      items: items, total: total.map { $0 - passedOver } ?? vault.index.count,
      nextCursor: hasMore ? last.map(cursor) : nil)
  }

  /// The cursor of the page that begins behind a card: its place in the list, which holds whatever becomes of it.
  private static func cursor(_ order: CardOrder) -> String {
    "\(order.pinned ? 1 : 0).\(order.modifiedAt.milliseconds).\(order.id)"
  }

  private static func place(_ cursor: String) throws(VaultError) -> CardOrder {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "0" || parts[0] == "1", let time = Int64(parts[1]),
      let id = Identifier(parts[2])
    else { throw .invalidCursor }
    return CardOrder(pinned: parts[0] == "1", modifiedAt: Timestamp(milliseconds: time), id: id)
  }

  private static func rankedPlace(_ cursor: String) throws(VaultError) -> (
    rank: SearchRank, place: CardOrder
  ) {
    let parts = cursor.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let rank = Int(parts[0]).flatMap(SearchRank.init) else { throw .invalidCursor }
    return (rank, try place(parts[1]))
  }

  private static func sortedPlace(_ cursor: String) throws(VaultError) -> (id: Identifier, revision: Int64) {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let id = Identifier(parts[0]), let revision = Int64(parts[1]) else {
      throw .invalidCursor
    }
    return (id, revision)
  }
}

extension OpenVault {
  /// Returns cards in the order of their ranks, and of R16 within each.
  fileprivate func ranked(
    _ ranks: [Identifier: SearchRank], after last: (rank: SearchRank, place: CardOrder)?
  ) -> some Sequence<(rank: SearchRank, place: CardOrder)> {
    var places: [[CardOrder]] = Array(repeating: [], count: SearchRank.allCases.count)
    for place in index.cards(after: nil) where !ranks.isEmpty {
      guard let rank = ranks[place.id], rank >= last?.rank ?? rank else { continue }
      if let last, rank == last.rank, place <= last.place { continue }
      places[rank.rawValue].append(place)
    }
    return SearchRank.allCases.lazy.flatMap { rank in places[rank.rawValue].lazy.map { (rank, $0) } }
  }

  /// Opens a card as far as a search shows it: of its values, what the query finds and what stands around that.
  func hit(
    _ id: Identifier, of query: SearchQuery, using buffer: inout SearchBuffer,
    in transaction: borrowing ReadTransaction
  ) throws -> SearchHit {
    try withCard(id, in: transaction) { (record, revision) in
      SearchHit(
        card: try CardRecord.summary(record, id: id, revision: revision),
        matches: try query.highlights(in: record, using: &buffer) { try reader.checkpoint.pass($0) })
    }
  }
}

/// What a page has for each card.
private protocol PageItem: Sendable {
  /// About how many bytes its texts have.
  var byteCount: Int { get }
}

extension Card: PageItem {
  fileprivate var byteCount: Int {
    256 + title.utf8.count + tags.reduce(0) { $0 + $1.utf8.count + 4 }
      + attachments.reduce(0) { $0 + $1.name.utf8.count + 256 + ($1.watermark?.text.utf8.count ?? 0) }
  }
}

extension SearchHit: PageItem {
  fileprivate var byteCount: Int {
    card.byteCount
      + matches.reduce(0) {
        $0 + $1.snippet.utf8.count + $1.label.english.utf8.count * 2 + 16 * $1.ranges.count + 64
      }
  }
}
