package import JSON
import VaultModel

/// `sync/join`: makes the vault from a folder that another machine synchronises over, and opens it (S).
package struct SyncJoin: VaultRequest {
  package static let method = "sync/join"
  package typealias Response = SyncResponse

  package var folder: String
  /// The vault's password.
  package var password: String
  /// The name by which other machines show this one, of at most ``Limits/deviceName`` code points; nil for the host's.
  package var machine: String?
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("folder", \.folder), .required("password", \.password),
    .optional("machine", \.machine).limited("machine", to: Limits.deviceName),
    .optional("progressToken", \.progressToken))
}
