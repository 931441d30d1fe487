package import JSON
package import JSONRPC

/// `vault/acceptOlder`: allows changes to an older copy of the vault.
package struct VaultAcceptOlder: VaultRequest {
  package static let method = "vault/acceptOlder"
  package typealias Response = NullResult

  package static let coder = ObjectCoder(Self.init)
}
