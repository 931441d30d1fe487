package import JSON

/// `sync/now`: applies what other machines have published, and publishes what this one changed (S).
package struct SyncNow: VaultRequest {
  package static let method = "sync/now"
  package typealias Answer = SyncAnswer

  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(Self.init, .optional("progressToken", \.progressToken))
}
