package import JSON
package import JSONRPC

/// `client/revoke`: a program may not use the unlocked vault any more until it is admitted again (U).
package struct ClientRevoke: VaultRequest {
  package static let method = "client/revoke"
  package typealias Response = NullResult

  /// The id of `client/list`.
  package var id: Int

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
