package import JSON
package import JSONRPC

/// `session/lock`: locks the vault.
package struct SessionLock: VaultRequest {
  package static let method = "session/lock"
  package typealias Response = NullResult

  package static let coder = ObjectCoder(Self.init)
}
