package import JSON
package import VaultModel

/// `card/create`: stores a new card (R1).
package struct CardCreate: VaultRequest {
  package static let method = "card/create"
  package typealias Answer = SavedCardAnswer

  package var draft: CardDraft

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let title: String = try parameters.required("title")
      let group: CardGroup = try parameters.required("group")
      let type: CardType = try parameters.required("type")
      let fields: [String: String?]? = try parameters.optional("fields")
      return Self(
        draft: CardDraft(
          title: title, group: group, type: type, fields: (fields ?? [:]).compactMapValues { $0 },
          extraFields: try parameters.optional("extraFields") ?? [],
          tags: try parameters.optional("tags") ?? [], pinned: try parameters.optional("pinned") ?? false))
    },
    write: { request, members in
      let draft = request.draft
      members += [
        .init("title", draft.title.json), .init("group", draft.group.json), .init("type", draft.type.json),
        .init("fields", draft.fields.json),
      ]
      if !draft.extraFields.isEmpty { members.append(.init("extraFields", draft.extraFields.json)) }
      if !draft.tags.isEmpty { members.append(.init("tags", draft.tags.json)) }
      if draft.pinned { members.append(.init("pinned", true)) }
    })
}
