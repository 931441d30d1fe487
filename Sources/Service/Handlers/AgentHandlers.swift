import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var agents: [Method] {
    Method(.reading, countsAsActivity: false) {
      (request: AgentFind, context: AgentContext) async throws -> Outcome<AgentFind.Response> in
      let hidden = try context.session.settings().text(.agentHiddenTag)
      try await context.requireSearch()
      let found = try await context.work.read {
        try $0.cards(titled: request.query, without: hidden, limit: AgentFind.limit)
      }
      let cards = try found.cards.map { card in
        AgentFind.Card(
          id: card.id, title: card.title, type: card.type, group: card.group,
          fields: try context.session.names(of: card.id).fields.map(\.name))
      }
      return Outcome(AgentFind.Response(cards: cards, hasMore: found.hasMore))
    }

    Method(.reading, countsAsActivity: false) {
      (request: AgentUse, context: AgentContext) async throws -> Outcome<AgentUse.Response> in
      let settings = try context.session.settings()
      if let setting = request.kind.setting, settings.text(setting) != "ask" { throw AdmissionError.refused }
      let values: [AgentGrant.Value]
      do {
        values = try await context.find(request.values, hiding: settings.text(.agentHiddenTag))
      } catch let error as VaultError {
        // Which cards there are is not known to everybody.
        try await context.requireSearch()
        throw error
      }
      try await context.requireConsent(.use(request, values)) { agent in
        values.map {
          AgentPermissions.Use(
            agent: agent, kind: request.kind, target: request.target, card: $0.card.id, field: $0.field?.name)
        }
      }
      await context.grant(values, for: request.kind)
      return Outcome(AgentUse.Response(cards: values.map(\.card.id)))
    }

    Method(countsAsActivity: false) {
      (request: AgentSave, context: AgentContext) async throws -> Outcome<AgentSave.Response> in
      _ = try context.session.settings()
      let draft = try CardDraft(pasted: request.text).checked().draft
      try await context.requireConsent(.save(title: draft.title)) { agent in
        [AgentPermissions.Use(agent: agent, kind: nil, target: "save", card: nil, field: nil)]
      }
      // What is odd about the values may be told of by other cards, so the warnings stay here.
      let card = try context.session.createCard(draft).card
      await context.recordSave()
      return Outcome(AgentSave.Response(id: card.id, type: card.type))
    }
  }
}
