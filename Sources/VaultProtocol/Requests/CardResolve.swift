package import JSON

/// `card/resolve`: the card that a person names.
package struct CardResolve: VaultRequest {
  package static let method = "card/resolve"

  package var name: String
  /// Whether a part of an id or title, or a search, will do.
  package var guesses: Bool
  /// The key or label of a field of the card; nil for none.
  package var field: String?

  package static let coder = ObjectCoder(
    Self.init, .required("name", \.name), .member("guess", \.guesses, default: false),
    .optional("field", \.field))

  package struct Response: ResultObject, Hashable {
    package var card: CardJSON
    /// Whether the name is the card's id or whole title.
    package var isExact: Bool
    package var field: Field?

    package init(card: CardJSON, isExact: Bool, field: Field?) {
      (self.card, self.isExact, self.field) = (card, isExact, field)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("card", \.card), .required("exact", \.isExact), .optional("field", \.field))
  }

  /// A field of the card, without its value.
  package struct Field: ResultObject, Hashable {
    /// What other methods take for it.
    package var name: String
    package var label: String
    package var isConcealed: Bool

    package init(name: String, label: String, isConcealed: Bool) {
      (self.name, self.label, self.isConcealed) = (name, label, isConcealed)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("name", \.name), .required("label", \.label),
      .required("concealed", \.isConcealed))
  }
}
