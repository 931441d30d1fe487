package import Wire

/// The answer with one card.
package struct CardResponse: ResultObject, Hashable {
  package var card: CardJSON

  package static let coder = ObjectCoder(Self.init, .required("card", \.card))
}

extension CardResponse {
  package init(_ card: Card, language: Language) {
    self.init(card: CardJSON(card, in: language))
  }
}

/// A card that was stored, and what may be wrong with it (R3).
package struct SavedCardResponse: ResultObject, Hashable {
  package var card: CardJSON
  package var warnings: [IssueJSON]

  package static let coder = ObjectCoder(
    Self.init, .required("card", \.card), .required("warnings", \.warnings))
}

extension SavedCardResponse {
  package init(_ card: Card, warnings: [Issue], language: Language) {
    self.init(
      card: CardJSON(card, in: language), warnings: warnings.map { IssueJSON($0, in: language) })
  }
}
