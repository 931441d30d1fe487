import VaultProtocol

enum CardListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: CardList, _ context: WorkContext) async throws -> Outcome<CardList.Answer> {
    let page = try await context.read {
      try $0.cards(request.filter, limit: request.page.limit, cursor: request.page.cursor)
    }
    return Outcome(page.map(CardJSON.init(summaryOf:)))
  }
}
