package import JSON

/// `sync/status`: how the vault is synchronised (S).
package struct SyncStatusRequest: VaultRequest {
  package static let method = "sync/status"
  package typealias Response = SyncResponse

  package static let coder = ObjectCoder(Self.init)
}
