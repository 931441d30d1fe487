package import Wire

/// `card/create`: stores a new card (R1).
package struct CardCreate: VaultRequest {
  package static let method = "card/create"
  package typealias Response = SavedCardResponse

  package var draft: CardDraft
  /// Whether no group was given, which is an issue as a missing title is (R21); the draft's group then means nothing.
  package var lacksGroup: Bool

  package init(draft: CardDraft, lacksGroup: Bool = false) {
    (self.draft, self.lacksGroup) = (draft, lacksGroup)
  }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let title: String? = try parameters.optional("title")
      let group: CardGroup? = try parameters.optional("group")
      let type: CardType = try parameters.required("type")
      let fields: [String: String?]? = try parameters.optional("fields")
      return Self(
        draft: CardDraft(
          title: title ?? "", group: group ?? .personal, type: type,
          fields: (fields ?? [:]).compactMapValues { $0 },
          extraFields: try parameters.optional("extraFields") ?? [],
          tags: try parameters.optional("tags") ?? [],
          pinned: try parameters.optional("pinned", default: false)),
        lacksGroup: group == nil)
    },
    write: { request, members in
      let draft = request.draft
      members += [
        .init("title", draft.title.json), .init("type", draft.type.json), .init("fields", draft.fields.json),
      ]
      if !request.lacksGroup { members.append(.init("group", draft.group.json)) }
      if !draft.extraFields.isEmpty { members.append(.init("extraFields", draft.extraFields.json)) }
      if !draft.tags.isEmpty { members.append(.init("tags", draft.tags.json)) }
      if draft.pinned { members.append(.init("pinned", true)) }
    })
}

/// `card/parse`: a draft of a card from what somebody pastes. Works locked and without a vault; nothing is stored.
package struct CardParse: VaultRequest {
  package static let method = "card/parse"

  package var text: String

  package static let coder = ObjectCoder(
    Self.init, .required("text", \.text).limited("text", to: Limits.value))

  package struct Response: ResultObject, Hashable {
    package var draft: Draft

    package init(draft: Draft) { self.draft = draft }

    package static let coder = ObjectCoder(Self.init, .required("draft", \.draft))
  }

  /// What a text says of a card, which may lack required fields.
  package struct Draft: ResultObject, Hashable {
    package var type: CardType
    package var title: String
    package var fields: [String: String]

    package init(type: CardType, title: String, fields: [String: String]) {
      (self.type, self.title, self.fields) = (type, title, fields)
    }

    package init(_ draft: CardDraft) {
      self.init(type: draft.type, title: draft.title, fields: draft.fields)
    }

    package static let coder = ObjectCoder(
      Self.init(type:title:fields:), .required("type", \.type), .required("title", \.title),
      .required("fields", \.fields))
  }
}

/// `card/get`: one card with its values.
package struct CardGet: VaultRequest {
  package static let method = "card/get"
  package typealias Response = CardResponse

  package var id: Identifier

  package init(id: Identifier) { self.id = id }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}

/// `card/update`: changes the given parts of a card (R1).
package struct CardUpdate: VaultRequest {
  package static let method = "card/update"
  package typealias Response = SavedCardResponse

  package var id: Identifier
  /// The revision that the client has seen; nil for any.
  package var revision: Int?
  /// Fields are merged, and one that is null is removed; extra fields and tags are replaced.
  package var change: CardChange

  package init(id: Identifier, revision: Int?, change: CardChange) {
    (self.id, self.revision, self.change) = (id, revision, change)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .integer("revision", \.revision, in: 1...Int.max),
    .members(\.change))
}

/// `card/delete`: deletes a card with its fields and attachments (R1).
package struct CardDelete: VaultRequest {
  package static let method = "card/delete"
  package typealias Response = NullResult

  package var id: Identifier
  /// The revision that the client has seen; nil for any.
  package var revision: Int?

  package init(id: Identifier, revision: Int?) { (self.id, self.revision) = (id, revision) }

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .integer("revision", \.revision, in: 1...Int.max))
}

/// `card/restore`: undoes the deletion of a card, until the vault is locked (R1).
package struct CardRestore: VaultRequest {
  package static let method = "card/restore"
  package typealias Response = CardResponse

  package enum Deleted: JSONObject, Hashable {
    case id(Identifier)
    /// The title, or the beginning of the id, of the card that was deleted last of those.
    case name(String)

    /// Takes exactly one of the two parameters.
    package static let coder = ObjectCoder<Self>(
      read: { parameters throws(ParameterError) in
        let id: Identifier? = try parameters.optional("id")
        let name: String? = try parameters.optional("name")
        switch (id, name) {
        case (let id?, nil): return .id(id)
        case (nil, let name?): return .name(name)
        case (nil, nil): throw ParameterError("id", .presence)
        case (_?, _?): throw ParameterError("name", .absenceWith("id"))
        }
      },
      write: { deleted, members in
        switch deleted {
        case .id(let id): members.append(.init("id", id.json))
        case .name(let name): members.append(.init("name", .string(name)))
        }
      })
  }

  package var card: Deleted

  package init(card: Deleted) { self.card = card }

  package static let coder = ObjectCoder(Self.init, .members(\.card))
}

/// `card/setPinned`: pins a card to the top of every list, or unpins it.
package struct CardSetPinned: VaultRequest {
  package static let method = "card/setPinned"
  package typealias Response = CardResponse

  package var id: Identifier
  package var isPinned: Bool

  package init(id: Identifier, isPinned: Bool) { (self.id, self.isPinned) = (id, isPinned) }

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("pinned", \.isPinned))
}

/// `card/copy`: a card, or one field of it, as text for the clipboard (R18).
package struct CardCopy: VaultRequest {
  package static let method = "card/copy"

  package var id: Identifier
  package var form: CopyForm
  /// Whether the whole card is copied with its concealed fields.
  package var includesConcealed: Bool

  package init(id: Identifier, form: CopyForm, includesConcealed: Bool) {
    (self.id, self.form, self.includesConcealed) = (id, form, includesConcealed)
  }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let id: Identifier = try parameters.required("id")
      let field: String? = try parameters.optional("field")
      let style: CopyStyle? = try parameters.optional("style")
      let template: String? = try parameters.optional("template")
      let concealed: Bool? = try parameters.optional("concealed")
      if field != nil, concealed != nil { throw ParameterError("concealed", .absenceWith("field")) }
      if field != nil, style != nil { throw ParameterError("style", .absenceWith("field")) }
      if field != nil, template != nil { throw ParameterError("template", .absenceWith("field")) }
      if template != nil, let style, style != .template {
        throw ParameterError("style", .oneOf(["template"]))
      }
      return Self(
        id: id,
        form: field.map(CopyForm.field) ?? template.map(CopyForm.template) ?? .style(style),
        includesConcealed: concealed ?? false)
    },
    write: { request, members in
      members.append(.init("id", request.id.json))
      switch request.form {
      case .field(let name): members.append(.init("field", .string(name)))
      case .style(let style?): members.append(.init("style", style.json))
      case .style(nil): break
      case .template(let template):
        members += [.init("style", "template"), .init("template", .string(template))]
      }
      if request.includesConcealed { members.append(.init("concealed", true)) }
    })

  package struct Response: ResultObject, Hashable {
    package var text: String
    /// The fields of the card that the text does not have.
    package var leftOut: [OmittedField]
    /// The time after which to clear the clipboard, in seconds; nil for never.
    package var clearAfterSeconds: Int?
    /// For how long a one-time code is valid; nil for any other text.
    package var secondsLeft: Int?

    package init(_ copied: CopiedCard) {
      (text, leftOut) = (copied.text, copied.leftOut)
      (clearAfterSeconds, secondsLeft) = (copied.clearAfterSeconds, copied.secondsLeft)
    }

    package static let coder = ObjectCoder<Self>(
      { Self(CopiedCard(text: $0, leftOut: $1, clearAfterSeconds: $2, secondsLeft: $3)) },
      .required("text", \.text), .member("leftOut", \.leftOut, default: []),
      .nullable("clearAfterSeconds", \.clearAfterSeconds), .optional("secondsLeft", \.secondsLeft))
  }
}

/// `field/code`: the one-time code of a card at this moment.
package struct FieldCode: VaultRequest {
  package static let method = "field/code"

  package var id: Identifier
  /// The field with the key; nil for the first one that has one.
  package var field: String?

  package init(id: Identifier, field: String? = nil) { (self.id, self.field) = (id, field) }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id), .optional("field", \.field))

  package struct Response: ResultObject, Hashable {
    package var code: String
    /// Nil for a code of a counter, which is valid until it is used.
    package var secondsLeft: Int?

    package init(code: String, secondsLeft: Int?) { (self.code, self.secondsLeft) = (code, secondsLeft) }

    package static let coder = ObjectCoder(
      Self.init, .required("code", \.code), .nullable("secondsLeft", \.secondsLeft))
  }
}

/// `card/conflicts`: every conflict copy with its card.
package struct CardConflicts: ParameterlessRequest {
  package static let method = "card/conflicts"

  package init() {}

  package struct Response: ResultObject, Hashable {
    package var conflicts: [CardConflict]
    /// The number of further conflicts; nil for none.
    package var leftOut: Int?

    package init(conflicts: [CardConflict], leftOut: Int?) {
      (self.conflicts, self.leftOut) = (conflicts, leftOut)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("conflicts", \.conflicts), .optional("conflictsLeftOut", \.leftOut))
  }
}

extension CardConflict: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .optional("id", \.card), .required("copyId", \.copy), .required("title", \.title))
}
