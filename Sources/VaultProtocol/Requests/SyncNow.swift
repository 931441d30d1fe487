package import JSON

/// `sync/now`: applies what other machines have published, and publishes what this one changed (S).
package struct SyncNow: VaultRequest {
  package static let method = "sync/now"
  package typealias Response = SyncResponse

  /// Whether to wait up to 30 seconds until a pass has mirrored the folder to the account's server and fetched what is new there.
  package var waitsForServer: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .member("waitsForServer", \.waitsForServer, default: false),
    .optional("progressToken", \.progressToken))
}
