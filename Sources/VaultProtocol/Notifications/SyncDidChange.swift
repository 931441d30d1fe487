package import JSON

/// `sync/didChange`: the vault was synchronised, or could not be, and `sync/status` answers otherwise than before (S).
package struct SyncDidChange: VaultNotification, Hashable {
  package static let method = "sync/didChange"

  package var status: SyncAnswer

  package init(_ status: SyncAnswer) {
    self.status = status
  }

  package static let coder = ObjectCoder(Self.init(_:), .members(\.status))
}
