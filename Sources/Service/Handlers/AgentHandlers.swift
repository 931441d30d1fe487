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

/// The server of an agent, or a client that may do what such a server does.
struct AgentContext: HandlerContext {
  let work: WorkContext
  private let consent: ConsentContext
  private let service: VaultService
  private let client: ClientConversation

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    (work, consent) = (WorkContext(service, client), ConsentContext(service, client))
    (self.service, self.client) = (service, client)
  }

  var session: VaultSession { work.session }

  /// Asks whether the agent may know which cards there are.
  func requireSearch() async throws {
    try await requireConsent(.find) {
      [AgentPermissions.Use(agent: $0, kind: nil, target: "", card: nil, field: nil)]
    }
  }

  /// Waits for a person's consent.
  ///
  /// - Throws: as ``ConsentContext/requestConsent()``.
  func requireConsent(
    _ question: AgentQuestion, to uses: @escaping @Sendable (ProcessIdentity) -> [AgentPermissions.Use]
  ) async throws {
    guard client.origin?.agentServer != nil else { return }
    try await consent.waiting { try await $0.requireConsent(of: $1, to: uses, question) }
  }

  /// Finds the values that an agent names, of cards without a tag.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/cardAmbiguous(_:total:)``, ``VaultError/fieldNotFound(_:)``.
  func find(_ names: [AgentUse.Value], hiding tag: String?) async throws -> [AgentGrant.Value] {
    let hidden = tag.map { CardFilter(tag: $0) }
    var values: [AgentGrant.Value] = []
    for name in names {
      var (name, card) = (name, try await card(named: name.card, hidden))
      if card == nil, name.field == nil, let (title, field) = Placeholder.parts(of: name.card) {
        (name, card) = (AgentUse.Value(card: title, field: field), try await self.card(named: title, hidden))
      }
      guard let card else { throw VaultError.cardNotFound(nil) }
      let field = try name.field.map { wanted in
        guard let field = try session.names(of: card.id).field(wanted) else {
          throw VaultError.fieldNotFound(wanted)
        }
        return field
      }
      values.append(AgentGrant.Value(name: name, card: card, field: field))
    }
    return values
  }

  private func card(named name: String, _ hidden: CardFilter?) async throws -> Card? {
    do {
      let card = try await work.read { try $0.card(named: name, guesses: false) }.card
      return hidden?.matches(card) == true ? nil : card
    } catch VaultError.cardNotFound {
      return nil
    } catch VaultError.cardAmbiguous(let cards, let total) {
      let shown = cards.filter { hidden?.matches($0) != true }
      guard total == cards.count, shown.count < 2 else { throw VaultError.cardAmbiguous(shown, total: total) }
      return shown.first
    }
  }

  func grant(_ values: [AgentGrant.Value], for use: AgentUse.Kind) async {
    await service.grant(values, for: use, to: client.identifier)
  }

  func recordSave() async { await service.recordSave(by: client.identifier) }
}
