public import JSON
public import JSONRPC
public import VaultModel

/// One card, as every method that gives one gives it.
public struct CardAnswer: JSONConvertible {
  /// The card.
  public var card: Card
  /// The language of the labels.
  public var language: Language

  /// An answer of the given card.
  public init(_ card: Card, language: Language) {
    self.card = card
    self.language = language
  }

  /// The answer on the wire.
  public var json: JSON {
    ["card": card.json(in: language)]
  }
}

/// A card that was stored, and what may be wrong with it all the same (R3).
public struct SavedCardAnswer: JSONConvertible {
  /// The card.
  public var card: Card
  /// What a person may want to look at again.
  public var warnings: [Issue]
  /// The language of labels and messages.
  public var language: Language

  /// An answer of the given parts.
  public init(_ card: Card, warnings: [Issue], language: Language) {
    self.card = card
    self.warnings = warnings
    self.language = language
  }

  /// The answer on the wire.
  public var json: JSON {
    ["card": card.json(in: language), "warnings": .array(warnings.map { $0.json(in: language) })]
  }
}
