package import Identifiers
package import JSON
package import JSONRPC

/// `card/delete`: deletes a card with its fields and attachments (R1).
package struct CardDelete: VaultRequest {
  package static let method = "card/delete"
  package typealias Response = NullResult

  package var id: Identifier
  /// The revision that the client has seen; nil for any.
  package var revision: Int?

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .integer("revision", \.revision, in: 1...Int.max))
}
