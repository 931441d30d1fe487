package import JSON
package import JSONRPC

/// `vault/delete`: deletes the vault, after the password and the name of its file as confirmation.
package struct VaultDelete: VaultRequest {
  package static let method = "vault/delete"
  package typealias Response = NullResult

  package var password: String
  /// The name of the vault's file, without its directory.
  package var confirmation: String

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password), .required("confirm", \.confirmation))
}
