import Vault
import VaultInterface

/// What a typed word can stand for.
enum Suggestions {
  /// The most cards that are suggested.
  static let cardLimit = 50
  /// The cards whose fields are suggested too, where there are few.
  private static let cardsWithFields = 3

  /// Finds the cards and fields for what was typed: `gsfp` the cards, and the fields of the first ones if few match;
  /// `gsfp.tax` the fields of those cards whose name contains `tax`.
  static func find(_ word: TypedWord, _ context: WorkContext) async throws -> [Suggestion] {
    let exact = try await cards(word.word, context)
    if !exact.isEmpty {
      let labels = CardLabels(of: exact, in: context.language)
      let fields = exact.count <= cardsWithFields && !word.word.isEmpty
      return try exact.flatMap { card in
        [suggestion(card, nil, labels, context)]
          + (fields ? try self.fields(of: card, "", labels, context) : [])
      }
    }
    guard let part = word.parts.field else { return [] }
    let found = try await cards(word.parts.query, context)
    let labels = CardLabels(of: found, in: context.language)
    return try found.prefix(cardsWithFields).flatMap { try fields(of: $0, part, labels, context) }
  }

  private static func cards(_ query: String, _ context: WorkContext) async throws -> [Card] {
    guard !query.isEmpty else {
      return try await context.read { try $0.cards(CardFilter(), limit: cardLimit, cursor: nil) }.items
    }
    return try await context.read { try $0.search(query, limit: cardLimit, cursor: nil) }.items.map(\.card)
  }

  private static func fields(
    of card: Card, _ part: String, _ labels: CardLabels, _ context: WorkContext
  ) throws -> [Suggestion] {
    let wanted = part.foldedName
    return try context.session.names(of: card.id).fields.filter { field in
      field.spellings.contains { Substring($0).range(ofFirst: wanted) != nil }
    }.map { suggestion(card, $0, labels, context) }
  }

  private static func suggestion(
    _ card: Card, _ field: FieldName?, _ labels: CardLabels, _ context: WorkContext
  ) -> Suggestion {
    let type = CardTemplate.all.first { $0.type == card.type }?.label[context.language] ?? ""
    let title = labels[card]
    return Suggestion(
      card: card.id, field: field?.name,
      label: field.map { "\(title) · \($0.label[context.language].oneLine)" } ?? title, detail: type)
  }
}
