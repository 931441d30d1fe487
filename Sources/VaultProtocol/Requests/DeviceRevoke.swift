package import Identifiers
package import JSON
package import JSONRPC

/// `device/revoke`: removes the binding of any device (T).
package struct DeviceRevoke: VaultRequest {
  package static let method = "device/revoke"
  package typealias Response = NullResult

  package var id: Identifier

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
