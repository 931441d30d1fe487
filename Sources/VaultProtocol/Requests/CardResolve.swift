package import JSON

/// `card/resolve`: the card that a person names.
package struct CardResolve: VaultRequest {
  package static let method = "card/resolve"

  package var name: String
  /// Whether a part of an id or title, or a search, will do.
  package var guesses: Bool

  package static let coder = ObjectCoder(
    Self.init, .required("name", \.name), .member("guess", \.guesses, default: false))

  package struct Response: ResultObject, Hashable {
    package var card: CardJSON
    /// Whether the name is the card's id or whole title.
    package var isExact: Bool

    package init(card: CardJSON, isExact: Bool) {
      (self.card, self.isExact) = (card, isExact)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("card", \.card), .required("exact", \.isExact))
  }
}
