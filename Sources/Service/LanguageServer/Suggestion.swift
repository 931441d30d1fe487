package import Wire

/// A card or a field that can be inserted: its names, and no value.
package struct Suggestion: Sendable, Hashable {
  package let card: Identifier
  /// A field's key or label; nil for the whole card.
  package let field: String?
  /// Such as `公司发票` or `公司发票 · Tax ID`.
  package let label: String
  /// The card's type, in the client's language.
  package let detail: String

  package init(card: Identifier, field: String?, label: String, detail: String) {
    (self.card, self.field, self.label, self.detail) = (card, field, label, detail)
  }

  package func command(at place: EditTarget) -> VaultCommand {
    .insert(VaultCommand.Insertion(place: place, card: card, field: field))
  }
}
