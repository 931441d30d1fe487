package import JSON

/// `sync/now`: applies what other machines have published, and publishes what this one changed (S).
package struct SyncNow: VaultRequest {
  package static let method = "sync/now"
  package typealias Answer = SyncAnswer

  /// Whether to wait until the folder was carried to the server of the account and back, for half a minute at most.
  package var waitsForServer: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .member("waitsForServer", \.waitsForServer, default: false),
    .optional("progressToken", \.progressToken))
}
