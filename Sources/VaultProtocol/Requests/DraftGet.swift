package import JSON
package import VaultModel

/// `draft/get`: the unsaved texts of a client's forms, newest first (R12).
package struct DraftGet: VaultRequest {
  package static let method = "draft/get"
  package typealias Response = ItemsResponse<Item>

  package var client: String

  package static let coder = ObjectCoder(
    Self.init,
    .required("client", \.client).limited("client", to: Limits.clientName))

  package struct Item: ResultObject, Hashable {
    package var form: FormDraft.Form
    package var revision: Int?
    package var savedAt: Timestamp
    package var text: String

    package static let coder = ObjectCoder(
      Self.init, .members(\.form), .optional("revision", \.revision), .required("savedAt", \.savedAt),
      .required("text", \.text))
  }
}

extension DraftGet.Item {
  package init(_ draft: FormDraft) {
    self.init(form: draft.form, revision: draft.revision, savedAt: draft.savedAt, text: draft.text)
  }
}
