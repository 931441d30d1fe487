package import JSON
package import JSONRPC
package import VaultModel

/// `draft/discard`: deletes the unsaved text of a form, because it was saved or is not wanted (R12).
package struct DraftDiscard: VaultRequest {
  package static let method = "draft/discard"
  package typealias Response = NullResult

  package var form: FormDraft.Form

  package static let coder = ObjectCoder(Self.init, .members(\.form))
}
