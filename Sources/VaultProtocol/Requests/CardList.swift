package import JSON
package import VaultModel

/// `card/list`: a page of cards, sorted, or pinned ones first, then the most recently modified (R15, R16).
package struct CardList: VaultRequest {
  package static let method = "card/list"
  package typealias Response = Page<CardJSON>

  package var filter: CardFilter
  /// The column to sort by; nil for the usual order.
  package var sort: CardSort.Column?
  /// Whether the order of a sorted list is reversed.
  package var descending: Bool
  package var page: PageParameters

  package static let coder = ObjectCoder(
    Self.init, .members(\.filter), .optional("sort", \.sort),
    .member("descending", \.descending, default: false), .members(\.page))
}
