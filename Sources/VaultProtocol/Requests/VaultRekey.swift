package import JSON

/// `vault/rekey`: seals the vault under a new key and a new password, so that a machine that is lost reads nothing that is written
/// from then on (S).
package struct VaultRekey: VaultRequest {
  package static let method = "vault/rekey"
  package typealias Response = SyncResponse

  package var oldPassword: String
  /// At least 8 characters, and another than the old one.
  package var newPassword: String
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("oldPassword", \.oldPassword), .required("newPassword", \.newPassword),
    .optional("progressToken", \.progressToken))
}
