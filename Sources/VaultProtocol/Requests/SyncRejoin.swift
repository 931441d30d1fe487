package import JSON

/// `sync/rejoin`: switches to the key that another machine made with `vault/rekey` (S).
package struct SyncRejoin: VaultRequest {
  package static let method = "sync/rejoin"
  package typealias Response = SyncResponse

  /// The password that was chosen there.
  package var password: String
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password), .optional("progressToken", \.progressToken))
}
