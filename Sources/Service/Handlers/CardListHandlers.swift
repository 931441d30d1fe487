import Vault
import VaultInterface

extension Registry {
  @MethodList static var lists: [Method] {
    Method(.reading, isOpenToAll: true) {
      (request: TemplateList, context: NoContext) -> Outcome<TemplateList.Response> in
      Outcome(TemplateList.Response(templates: CardTemplate.all))
    }

    Method(.reading) { (request: TagList, context: WorkContext) async throws -> Outcome<TagList.Response> in
      Outcome(
        try await context.read { lists in
          let tags = try lists.tags()
          let leftOut = tags.count - TagList.Response.limit
          return TagList.Response(
            tags: Array(tags.prefix(TagList.Response.limit)), leftOut: leftOut > 0 ? leftOut : nil)
        })
    }

    Method(.reading) { (request: CardList, context: WorkContext) async throws -> Outcome<CardList.Response> in
      let sort = request.sort.map { CardSort($0, descending: request.descending) }
      let page = try await context.read {
        try $0.cards(request.filter, sort: sort, limit: request.page.limit, cursor: request.page.cursor)
      }
      return Outcome(page.map(CardJSON.init(summaryOf:)))
    }

    Method(.reading) {
      (request: CardResolve, context: WorkContext) async throws -> Outcome<CardResolve.Response> in
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

    Method(.reading) {
      (request: CardSearch, context: WorkContext) async throws -> Outcome<CardSearch.Response> in
      let page = try await context.read {
        try $0.search(request.query, limit: request.page.limit, cursor: request.page.cursor)
      }
      return Outcome(page.map { CardSearch.Item($0, in: context.language) })
    }
  }
}
