import VaultProtocol

enum CardResolveHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: CardResolve, _ context: WorkContext
  ) async throws -> Outcome<CardResolve.Response> {
    let named = try await context.read { try $0.card(named: request.name, guesses: request.guesses) }
    return Outcome(CardResolve.Response(card: CardJSON(summaryOf: named.card), isExact: named.isExact))
  }
}
