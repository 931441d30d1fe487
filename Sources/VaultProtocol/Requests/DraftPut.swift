package import JSON
package import JSONRPC
package import VaultModel

/// `draft/put`: keeps the unsaved text of a form over a lock (R12).
package struct DraftPut: VaultRequest {
  package static let method = "draft/put"
  package typealias Response = NullResult

  package var form: FormDraft.Form
  /// The revision of the card that the user saw; nil for a new card.
  package var revision: Int?
  package var text: String

  package static let coder = ObjectCoder(
    Self.init, .members(\.form), .integer("revision", \.revision, in: 1...Int.max),
    .required("text", \.text).limited("text", to: Limits.draftText))
}
