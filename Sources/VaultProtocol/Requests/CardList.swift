package import JSON
package import VaultModel

/// `card/list`: a page of cards, pinned ones first, then the most recently modified (R15, R16).
package struct CardList: VaultRequest {
  package static let method = "card/list"
  package typealias Answer = Page<CardJSON>

  package var filter: CardFilter
  package var page: PageParameters

  package static let coder = ObjectCoder(Self.init, .members(\.filter), .members(\.page))
}
