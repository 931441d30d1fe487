package import JSON
package import VaultModel

/// `biometric/enable`: binds this device to the vault, after the password and a fingerprint (T).
package struct BiometricEnable: VaultRequest {
  package static let method = "biometric/enable"

  package struct Response: ResultObject, Hashable {
    package var device: BoundDevice

    package init(_ device: BoundDevice) {
      self.device = device
    }

    package static let coder = ObjectCoder(Self.init(_:), .required("device", \.device))
  }

  package var password: String
  /// The name of the device; nil for the name of the machine.
  package var name: String?

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password),
    .optional("name", \.name).limited("name", to: Limits.deviceName))
}
