package import Wire

/// `form/open`: a card, or a new one, as text to edit, and its drafts (R1, R12).
package struct FormOpen: VaultRequest {
  package static let method = "form/open"

  /// What the form is of.
  package enum Subject: JSONObject, Hashable {
    /// A card, or an earlier version of it.
    case card(Identifier, version: String? = nil)
    case new(CardType, group: CardGroup, tags: [String])
    /// A new card, as ``CardDraft/init(pasted:)`` reads a text.
    case pasted(String)

    package static let coder = ObjectCoder<Self>(
      read: { parameters throws(ParameterError) in
        let card: Identifier? = try parameters.optional("card")
        let type: CardType? = try parameters.optional("type")
        let pasted: String? = try parameters.optional("pasted")
        let given = [("card", card != nil), ("type", type != nil), ("pasted", pasted != nil)].filter(\.1)
        if given.count > 1 { throw ParameterError(given[1].0, .absenceWith(given[0].0)) }
        if let card { return .card(card, version: try parameters.optional("version")) }
        if let pasted {
          guard !pasted.isLonger(than: Limits.value) else {
            throw ParameterError("pasted", .atMost(Limits.value))
          }
          return .pasted(pasted)
        }
        guard let type else { throw ParameterError("card", .presence) }
        return .new(
          type, group: try parameters.optional("group", default: CardGroup.personal),
          tags: try parameters.optional("tags") ?? [])
      },
      write: { subject, members in
        switch subject {
        case .card(let card, let version):
          members.append(.init("card", card.json))
          if let version { members.append(.init("version", .string(version))) }
        case .new(let type, let group, let tags):
          members += [.init("type", type.json), .init("group", group.json)]
          if !tags.isEmpty { members.append(.init("tags", tags.json)) }
        case .pasted(let text): members.append(.init("pasted", .string(text)))
        }
      })
  }

  /// The client whose drafts are wanted.
  package var client: String
  package var subject: Subject
  package var revealed: RevealedFields?

  package init(client: String, subject: Subject, revealed: RevealedFields? = nil) {
    (self.client, self.subject, self.revealed) = (client, subject, revealed)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("client", \.client).limited("client", to: Limits.clientName), .members(\.subject),
    .optional("reveal", \.revealed))

  package struct Response: ResultObject, Hashable {
    package var type: CardType
    /// Nil for a new card, as is ``revision``.
    package var card: Identifier?
    package var revision: Int?
    package var text: String
    /// The drafts of the client for the same card, or for a new one of the same type, newest first.
    package var drafts: [FormDraft]

    package init(type: CardType, card: Identifier?, revision: Int?, text: String, drafts: [FormDraft]) {
      (self.type, self.card, self.revision) = (type, card, revision)
      (self.text, self.drafts) = (text, drafts)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("type", \.type), .optional("card", \.card), .optional("revision", \.revision),
      .required("text", \.text), .required("drafts", \.drafts))
  }
}

extension RevealedFields: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> RevealedFields {
    if case .bool(let isAll) = value { return isAll ? .all : .none }
    return .named(try [String].read(value, at: path))
  }

  package var json: JSON {
    switch self {
    case .all: true
    case .named(let names): names.json
    }
  }
}

/// `form/save`: stores a card as the text of its form says, and deletes the form's draft (R1, R12).
package struct FormSave: VaultRequest {
  package static let method = "form/save"
  package typealias Response = SavedCardResponse

  /// The form, with the card that it is of; without one, it makes a new card.
  package var form: FormDraft.Form
  /// The revision that the client has seen; nil for any.
  package var revision: Int?
  package var text: String
  /// Whether the text becomes a new card, although the form is of another.
  package var makesNewCard: Bool

  package init(form: FormDraft.Form, revision: Int?, text: String, makesNewCard: Bool = false) {
    (self.form, self.revision, self.text, self.makesNewCard) = (form, revision, text, makesNewCard)
  }

  package static let coder = ObjectCoder(
    Self.init, .members(\.form), .integer("revision", \.revision, in: 1...Int.max),
    .required("text", \.text).limited("text", to: Limits.formText),
    .member("asNew", \.makesNewCard, default: false))
}

/// `draft/put`: keeps the unsaved text of a form over a lock (R12).
package struct DraftPut: VaultRequest {
  package static let method = "draft/put"
  package typealias Response = NullResult

  package var form: FormDraft.Form
  /// The revision of the card that the user saw; nil for a new card.
  package var revision: Int?
  package var text: String

  package init(form: FormDraft.Form, revision: Int?, text: String) {
    (self.form, self.revision, self.text) = (form, revision, text)
  }

  package static let coder = ObjectCoder(
    Self.init, .members(\.form), .integer("revision", \.revision, in: 1...Int.max),
    .required("text", \.text).limited("text", to: Limits.draftText))
}

/// `draft/get`: the unsaved texts of a client's forms, newest first (R12).
package struct DraftGet: VaultRequest {
  package static let method = "draft/get"
  package typealias Response = ItemsResponse<FormDraft>

  package var client: String

  package init(client: String) { self.client = client }

  package static let coder = ObjectCoder(
    Self.init,
    .required("client", \.client).limited("client", to: Limits.clientName))
}

extension FormDraft: ResultObject {
  /// The title that the text has; empty for none.
  package var title: String { FormText.title(of: text) }

  package static let coder = ObjectCoder<Self>(
    { form, revision, savedAt, title, text in
      FormDraft(form: form, revision: revision, savedAt: savedAt, text: text)
    },
    .members(\.form), .optional("revision", \.revision), .required("savedAt", \.savedAt),
    .always("title", \.title, default: ""), .required("text", \.text))
}

/// `draft/discard`: deletes the unsaved text of a form, because it was saved or is not wanted (R12).
package struct DraftDiscard: VaultRequest {
  package static let method = "draft/discard"
  package typealias Response = NullResult

  package var form: FormDraft.Form

  package init(form: FormDraft.Form) { self.form = form }

  package static let coder = ObjectCoder(Self.init, .members(\.form))
}
