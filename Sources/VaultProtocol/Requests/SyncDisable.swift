package import JSON

/// `sync/disable`: stops to synchronise the vault; what was published stays in the folder (S).
package struct SyncDisable: VaultRequest {
  package static let method = "sync/disable"
  package typealias Answer = SyncAnswer

  package static let coder = ObjectCoder(Self.init)
}
