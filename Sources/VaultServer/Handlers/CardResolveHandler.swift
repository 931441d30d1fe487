import VaultProtocol
import VaultSession

enum CardResolveHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: CardResolve, _ context: WorkContext
  ) async throws -> Outcome<CardResolve.Response> {
    let named = try await context.read { try $0.card(named: request.name, guesses: request.guesses) }
    let field = try request.field.map { name in
      guard let field = try context.session.names(of: named.card.id).field(name) else {
        throw VaultError.fieldNotFound(name)
      }
      return CardResolve.Field(
        name: field.name, label: field.label[context.language], isConcealed: field.isConcealed)
    }
    return Outcome(
      CardResolve.Response(card: CardJSON(summaryOf: named.card), isExact: named.isExact, field: field))
  }
}
