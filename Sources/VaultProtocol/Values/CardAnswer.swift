package import JSON
package import VaultModel

/// The answer with one card.
package struct CardAnswer: ResultObject, Hashable {
  package var card: CardJSON

  package static let coder = ObjectCoder(Self.init, .required("card", \.card))
}

extension CardAnswer {
  package init(_ card: Card, language: Language) {
    self.init(card: CardJSON(card, in: language))
  }
}

/// A card that was stored, and what may be wrong with it (R3).
package struct SavedCardAnswer: ResultObject, Hashable {
  package var card: CardJSON
  package var warnings: [IssueJSON]

  package static let coder = ObjectCoder(
    Self.init, .required("card", \.card), .required("warnings", \.warnings))
}

extension SavedCardAnswer {
  package init(_ card: Card, warnings: [Issue], language: Language) {
    self.init(
      card: CardJSON(card, in: language), warnings: warnings.map { IssueJSON($0, in: language) })
  }
}
