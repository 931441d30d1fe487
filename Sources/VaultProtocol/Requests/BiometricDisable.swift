package import JSON
package import JSONRPC

/// `biometric/disable`: removes this device's binding (T).
package struct BiometricDisable: VaultRequest {
  package static let method = "biometric/disable"
  package typealias Response = NullResult

  package static let coder = ObjectCoder(Self.init)
}
