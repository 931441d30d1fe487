import VaultProtocol

enum CardSearchHandler: Handler {
  static func answer(_ request: CardSearch, _ context: SessionContext) throws -> Outcome<CardSearch.Answer> {
    let page = try context.session.search(
      request.query, limit: request.page.limit, cursor: request.page.cursor)
    return Outcome(page.map { CardSearch.Item($0, in: context.language) })
  }
}
