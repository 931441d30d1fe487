package import Identifiers
package import JSON
package import JSONRPC

/// `attachment/delete`: deletes an attachment (R5).
package struct AttachmentDelete: VaultRequest {
  package static let method = "attachment/delete"
  package typealias Response = NullResult

  package var id: Identifier

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
