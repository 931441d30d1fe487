package import JSON
package import JSONRPC

/// `session/lock`: locks the vault.
package struct SessionLock: VaultRequest {
  package static let method = "session/lock"
  package typealias Answer = NullResult

  package static let coder = ObjectCoder(Self.init)
}
