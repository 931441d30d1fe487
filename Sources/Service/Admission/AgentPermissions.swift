import Vault
import VaultInterface
import Wire

/// What persons have said about agents: what one may do until the vault is locked, and the cards that one may never use.
struct AgentPermissions: Sendable {
  /// One way to use one thing. Another file, command or field is another use.
  struct Use: Sendable, Hashable {
    let agent: ProcessIdentity
    /// Nil for ``what`` of a search.
    let kind: AgentUse.Kind?
    let target: String
    let card: Identifier?
    let field: String?

    fileprivate var refusal: Refusal { Refusal(agent: agent, card: card, target: card == nil ? target : "") }
  }

  /// A refusal, which holds over locks, as long as the agent's process lives.
  struct Refusal: JSONObject, Hashable {
    let agent: ProcessIdentity
    /// Nil for the list of cards, and for making one.
    let card: Identifier?
    let target: String

    static let coder = ObjectCoder(
      Self.init(agent:card:target:), .required("agent", \.agent), .optional("card", \.card),
      .required("target", \.target))
  }

  private(set) var allowed: Set<Use> = []
  var refused: Set<Refusal> = []

  /// The uses that a person has to be asked about.
  ///
  /// - Throws: ``AdmissionError/refused`` if one of them was refused.
  func open(_ uses: [Use]) throws(AdmissionError) -> [Use] {
    guard refused.isDisjoint(with: uses.map(\.refusal)) else { throw .refused }
    // To read a value and to make a card is asked each time.
    return uses.filter { $0.kind == .reveal || $0.kind == nil && !$0.target.isEmpty || !allowed.contains($0) }
  }

  mutating func note(_ answer: Consent.Answer, to uses: [Use]) {
    switch answer {
    case .once: break
    case .untilLock: allowed.formUnion(uses)
    case .refused:
      refused = refused.filter(\.agent.isAlive).union(uses.map(\.refusal))
    }
  }
}

/// What the next program of an agent's server may take, once.
struct AgentGrant: Sendable {
  /// A value under the name that the agent gave it.
  struct Value: Sendable {
    let name: AgentUse.Value
    let card: Card
    /// Nil for the whole card.
    let field: FieldName?
  }

  /// How long the program may take to connect, in milliseconds.
  static let duration: Int64 = 60_000

  /// None for a program that takes nothing, or that comes too late.
  var values: [Value] = []
  var time: Int64 = 0

  /// Returns the request for a value with the card's id, or nil if it is none for these values.
  func granted(_ request: IncomingRequest) -> IncomingRequest? {
    switch request.method {
    case CardResolve.method:
      guard let asked = try? CardResolve.read(request.parameters), !asked.guesses,
        let value = values.first(where: {
          [$0.name.card, $0.card.id.description].contains(asked.name)
            && [nil, $0.name.field].contains(asked.field)
        })
      else { return nil }
      let exact = CardResolve(name: value.card.id.description, guesses: false, field: asked.field)
      return IncomingRequest(id: request.id, method: request.method, parameters: exact.json)
    case CardCopy.method:
      guard let asked = try? CardCopy.read(request.parameters) else { return nil }
      let isGranted = values.contains { value in
        guard value.card.id == asked.id else { return false }
        switch (asked.form, value.field) {
        case (.style(nil), nil): return true
        case (.field(let name), let field?): return [field.name, value.name.field].contains(name)
        default: return false
        }
      }
      return isGranted ? request : nil
    default: return Self.openMethods.contains(request.method) ? request : nil
    }
  }

  static let openMethods: Set = [Initialize.method, VaultStatus.method, "shutdown"]
}
