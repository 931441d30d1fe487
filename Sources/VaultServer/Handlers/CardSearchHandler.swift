import VaultProtocol

enum CardSearchHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: CardSearch, _ context: WorkContext
  ) async throws -> Outcome<CardSearch.Response> {
    let page = try await context.read {
      try $0.search(request.query, limit: request.page.limit, cursor: request.page.cursor)
    }
    return Outcome(page.map { CardSearch.Item($0, in: context.language) })
  }
}
