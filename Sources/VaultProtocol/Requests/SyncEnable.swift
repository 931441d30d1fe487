package import JSON
import VaultModel

/// `sync/enable`: begins to synchronise the vault over a folder (S).
package struct SyncEnable: VaultRequest {
  package static let method = "sync/enable"
  package typealias Response = SyncResponse

  /// The folder's path. It is made if it is missing.
  package var folder: String
  /// The name by which other machines show this one, of at most ``Limits/deviceName`` code points; nil for the host's.
  package var machine: String?
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("folder", \.folder),
    .optional("machine", \.machine).limited("machine", to: Limits.deviceName),
    .optional("progressToken", \.progressToken))
}
