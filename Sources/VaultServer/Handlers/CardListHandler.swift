import VaultModel
import VaultProtocol

enum CardListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: CardList, _ context: WorkContext) async throws -> Outcome<CardList.Response> {
    let sort = request.sort.map { CardSort($0, descending: request.descending) }
    let page = try await context.read {
      try $0.cards(request.filter, sort: sort, limit: request.page.limit, cursor: request.page.cursor)
    }
    return Outcome(page.map(CardJSON.init(summaryOf:)))
  }
}
