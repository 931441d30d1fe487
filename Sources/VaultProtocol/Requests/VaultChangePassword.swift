package import JSON
package import JSONRPC
package import VaultModel

/// `vault/changePassword`: replaces the master password (R11).
package struct VaultChangePassword: VaultRequest {
  package static let method = "vault/changePassword"
  package typealias Response = NullResult

  package var oldPassword: String
  /// At least 8 characters.
  package var newPassword: String
  /// Nil to derive the key as before.
  package var keyDerivation: KeyDerivationRequest?
  /// Whether bound devices lose their key slots.
  package var dropsDevices: Bool

  package static let coder = ObjectCoder(
    Self.init, .required("oldPassword", \.oldPassword), .required("newPassword", \.newPassword),
    .optional("kdf", \.keyDerivation), .member("dropDevices", \.dropsDevices, default: false))
}
