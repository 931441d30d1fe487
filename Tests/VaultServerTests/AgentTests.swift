import Testing
import VaultInterface
import Wire

@testable import Service

/// What agents may do (M).
@Suite("Agents") struct AgentTests {
  private static let agent = ProcessIdentity(process: 1_000_000_000, startTime: 1)
  private static let card = Card(
    CardDraft(title: "Office", group: .company, type: .invoice),
    id: Identifier(high: 0x4000, low: 1 << 63),
    at: Timestamp(milliseconds: 0))

  private static func use(_ kind: AgentUse.Kind?, _ target: String = "", field: String? = "taxId")
    -> AgentPermissions.Use
  {
    AgentPermissions.Use(agent: agent, kind: kind, target: target, card: card.id, field: field)
  }

  @Test("M An answer counts once, or for the same use; reading a value and making a card are asked each time")
  func answers() throws {
    var permissions = AgentPermissions()
    let (fill, reveal, save) = (Self.use(.fill, "a"), Self.use(.reveal), Self.use(nil, "save"))
    permissions.note(.once, to: [fill])
    #expect(try permissions.open([fill]) == [fill])
    permissions.note(.untilLock, to: [fill, reveal, save])
    #expect(try permissions.open([fill, reveal, save]) == [reveal, save])
    let others = [Self.use(.fill, "b"), Self.use(.run, "a"), Self.use(.fill, "a", field: nil)]
    #expect(try permissions.open(others) == others)
  }

  @Test("M A refusal is for the card and the agent, and is kept over a lock")
  func refusal() throws {
    var state = HandoffState()
    state.vault.agents.refused = [AgentPermissions.Refusal(agent: Self.agent, card: Self.card.id, target: "")]
    let next = try #require(HandoffState(decoding: state.encoded))
    #expect(next.vault.agents.refused == state.vault.agents.refused)
    #expect(throws: AdmissionError.refused) { try next.vault.agents.open([Self.use(.copy)]) }
    let other = AgentPermissions.Use(agent: Self.agent, kind: .copy, target: "", card: nil, field: nil)
    #expect(try next.vault.agents.open([other]) == [other])
  }

  @Test("M A program that the server of an agent has started takes what was allowed, and nothing else")
  func grant() throws {
    let field = try #require(CardType.invoice.template.fields.map(FieldName.init).named("taxId"))
    let grant = AgentGrant(
      values: [.init(name: .init(card: "office", field: "Tax ID"), card: Self.card, field: field)], time: 0)
    let id = Self.card.id.description
    func granted(_ method: String, _ parameters: JSON) -> JSON? {
      grant.granted(IncomingRequest(id: .null, method: method, parameters: parameters))?.parameters
    }
    #expect(
      granted("card/resolve", ["name": "office", "field": "Tax ID"])
        == ["name": .string(id), "field": "Tax ID"])
    #expect(granted("card/resolve", ["name": "office"]) != nil)
    #expect(granted("card/copy", ["id": .string(id), "field": "taxId"]) != nil)
    #expect(granted("card/copy", ["id": .string(id), "field": "Tax ID"]) != nil)
    #expect(granted("vault/status", [:]) != nil)
    for (method, parameters) in [
      ("card/resolve", ["name": "office", "field": "phone"]),
      ("card/resolve", ["name": "office", "guess": true]),
      ("card/resolve", ["name": "other"]), ("card/copy", ["id": .string(id)]),
      ("card/copy", ["id": .string(id), "field": "phone"]),
      ("card/copy", ["id": .string(id), "style": "json"]),
      ("card/copy", ["id": "00000000-0000-0000-0000-000000000002", "field": "taxId"]),
      ("card/get", ["id": .string(id)]),
      ("session/unlock", ["password": "x"]), ("client/requestConsent", [:]), ("card/list", [:]),
      ("card/copy", []),
    ] as [(String, JSON)] {
      #expect(granted(method, parameters) == nil, "\(method) \(parameters.text)")
    }
    #expect(
      AgentGrant().granted(IncomingRequest(id: .null, method: "card/copy", parameters: ["id": .string(id)]))
        == nil)
  }

  @Test("M A question names the agent, the cards, the fields and the file, and nothing in it is hidden")
  func question() throws {
    var card = Self.card
    card.title = "Office\u{202E}\u{200B}\ntwo"
    let field = try #require(CardType.invoice.template.fields.map(FieldName.init).named("taxId"))
    let values = [
      AgentGrant.Value(name: .init(card: "a", field: "b"), card: card, field: field),
      AgentGrant.Value(name: .init(card: "a", field: nil), card: card, field: nil),
    ]
    let question = AgentQuestion.use(AgentUse(kind: .fill, target: "/a\u{1B}b", values: []), values)
    let text = question.text(for: Localized("“cat”", "“猫”"))
    #expect(
      text.english
        == "Allow “cat” to write “Officetwo” (Tax ID, the whole card) into /ab? It may be able to read the file."
    )
    #expect(text.simplifiedChinese.contains("“猫”把“Officetwo”（"))
  }
}
