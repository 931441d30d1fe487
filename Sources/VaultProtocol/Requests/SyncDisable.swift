package import JSON

/// `sync/disable`: stops synchronising the vault; published files stay in the folder (S).
package struct SyncDisable: VaultRequest {
  package static let method = "sync/disable"
  package typealias Response = SyncResponse

  package static let coder = ObjectCoder(Self.init)
}
