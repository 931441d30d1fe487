import VaultProtocol

enum CardListHandler: Handler {
  static func answer(_ request: CardList, _ context: SessionContext) throws -> Outcome<CardList.Answer> {
    let page = try context.session.cards(
      request.filter, limit: request.page.limit, cursor: request.page.cursor)
    return Outcome(page.map(CardJSON.init(summaryOf:)))
  }
}
