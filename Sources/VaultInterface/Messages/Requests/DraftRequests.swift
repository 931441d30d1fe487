package import Wire

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
