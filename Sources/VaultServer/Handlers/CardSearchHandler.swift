import VaultProtocol

enum CardSearchHandler: Handler {
  static func answer(
    _ request: CardSearch, _ context: SessionContext
  ) async throws -> Outcome<CardSearch.Answer> {
    let page = try await context.session.search(
      request.query, limit: request.page.limit, cursor: request.page.cursor)
    return Outcome(
      CardSearch.Answer(
        items: page.items.map { CardSearch.Hit(card: $0.card, matches: $0.matches) }, total: page.total,
        nextCursor: page.nextCursor, language: context.language))
  }
}
