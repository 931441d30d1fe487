package import JSON
package import VaultModel

/// `card/create`: stores a new card (R1).
package struct CardCreate: VaultRequest {
  package static let method = "card/create"
  package typealias Response = SavedCardResponse

  package var draft: CardDraft
  /// Whether no group was given, which is an issue as a missing title is (R21); the draft's group then means nothing.
  package var lacksGroup: Bool

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
          tags: try parameters.optional("tags") ?? [], pinned: try parameters.optional("pinned") ?? false),
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
