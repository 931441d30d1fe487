package import JSON
package import VaultModel

/// `card/list`: a page of cards, pinned ones first, then the most recently modified (R15, R16).
package struct CardList: VaultRequest {
  package static let method = "card/list"

  package var filter: CardFilter
  package var page: PageParameters

  package static let coder = ObjectCoder(Self.init, .members(\.filter), .members(\.page))

  package struct Answer: ResultObject, Hashable {
    package var items: [CardJSON]
    /// The number of cards on all pages.
    package var total: Int
    /// Nil on the last page.
    package var nextCursor: String?

    package static let coder = ObjectCoder(
      Self.init, .required("items", \.items), .required("total", \.total),
      .optional("nextCursor", \.nextCursor))
  }
}

extension CardList.Answer {
  package init(items: [Card], total: Int, nextCursor: String?) {
    self.init(items: items.map(CardJSON.init(summaryOf:)), total: total, nextCursor: nextCursor)
  }
}
