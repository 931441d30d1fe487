package import Wire

/// `agent/find`: the cards whose titles contain some words, for an agent, without values.
package struct AgentFind: VaultRequest {
  package static let method = "agent/find"
  /// The most cards that are found, and the most characters of the words.
  package static let (limit, queryLimit) = (20, 200)

  /// White space separates the words. Without words, all cards are found.
  package var query: String

  package init(query: String) { self.query = query }

  package static let coder = ObjectCoder(
    Self.init, .required("query", \.query).limited("query", to: queryLimit))

  package struct Response: ResultObject, Hashable {
    package var cards: [Card]
    package var hasMore: Bool

    package init(cards: [Card], hasMore: Bool) { (self.cards, self.hasMore) = (cards, hasMore) }

    package static let coder = ObjectCoder(
      Self.init, .required("cards", \.cards), .required("more", \.hasMore))
  }

  package struct Card: ResultObject, Hashable {
    package var id: Identifier
    package var title: String
    package var type: CardType
    package var group: CardGroup
    /// The keys or labels of the fields that have a value.
    package var fields: [String]

    package init(id: Identifier, title: String, type: CardType, group: CardGroup, fields: [String]) {
      (self.id, self.title, self.type, self.group, self.fields) = (id, title, type, group, fields)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("id", \.id), .required("title", \.title), .required("type", \.type),
      .required("group", \.group), .required("fields", \.fields))
  }
}

/// `agent/use`: has the person decide whether an agent may use values of cards. If so, the next program that the client starts may take
/// these values, and no others, for a minute.
package struct AgentUse: VaultRequest {
  package static let method = "agent/use"
  /// The most values, and the most characters of ``target``.
  package static let (valueLimit, targetLimit) = (50, 4_000)

  package struct Response: ResultObject, Hashable {
    /// The cards of the values, in the order of these.
    package var cards: [Identifier]

    package init(cards: [Identifier]) { self.cards = cards }

    package static let coder = ObjectCoder(Self.init, .required("cards", \.cards))
  }

  package enum Kind: String, CaseIterable, JSONCodable {
    /// They are written into a file.
    case fill
    /// A command gets them in its environment.
    case run
    /// They are put on the clipboard.
    case copy
    /// They are typed into the focused window.
    case type
    /// The agent reads them.
    case reveal

    /// The setting that has to allow it; nil if none does.
    package var setting: Setting? { self == .run ? .agentCommands : self == .reveal ? .agentReveals : nil }
  }

  /// A value as a placeholder names it.
  package struct Value: JSONObject, Hashable {
    /// The whole title or the id; without a field, the title may be followed by a full stop and a field.
    package var card: String
    package var field: String?

    package init(card: String, field: String?) { (self.card, self.field) = (card, field) }

    package static let coder = ObjectCoder(
      Self.init, .required("card", \.card), .optional("field", \.field))
  }

  package var kind: Kind
  /// The file or the command, as the person is shown it; empty for none.
  package var target: String
  package var values: [Value]

  package init(kind: Kind, target: String, values: [Value]) {
    (self.kind, self.target, self.values) = (kind, target, values)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("kind", \.kind),
    .member("target", \.target, default: "").limited("target", to: targetLimit),
    .required("values", \.values).limited("values", to: valueLimit))
}

/// `agent/save`: makes a card of what an agent knows, if the person allows it.
package struct AgentSave: VaultRequest {
  package static let method = "agent/save"

  package var text: String

  package init(text: String) { self.text = text }

  package static let coder = ObjectCoder(
    Self.init, .required("text", \.text).limited("text", to: CardDraft.agentTextLimit))

  package struct Response: ResultObject, Hashable {
    package var id: Identifier
    package var type: CardType

    package init(id: Identifier, type: CardType) { (self.id, self.type) = (id, type) }

    package static let coder = ObjectCoder(Self.init, .required("id", \.id), .required("type", \.type))
  }
}

extension CardDraft {
  /// The most characters of a text that an agent saves.
  package static let agentTextLimit = 10_000
}
