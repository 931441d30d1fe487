package import Wire

/// `sync/didChange`: the result of `sync/status` changed (S).
package struct SyncDidChange: VaultNotification, Hashable {
  package static let method = "sync/didChange"

  package var status: SyncResponse

  package init(_ status: SyncResponse) { self.status = status }

  package static let coder = ObjectCoder(Self.init(_:), .members(\.status))
}
