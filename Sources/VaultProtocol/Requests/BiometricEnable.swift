package import JSON

/// `biometric/enable`: binds this device to the vault, after the password and a fingerprint (T).
package struct BiometricEnable: VaultRequest {
  package static let method = "biometric/enable"
  package typealias Answer = DeviceAnswer

  package var password: String
  /// The name of the device; nil for the name of the machine.
  package var name: String?

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let request = Self(
        password: try parameters.required("password"), name: try parameters.optional("name"))
      if let name = request.name, name.unicodeScalars.count > BoundDeviceJSON.longestName {
        throw ParameterError("name", .atMost(BoundDeviceJSON.longestName))
      }
      return request
    },
    write: { request, members in
      members.append(.init("password", .string(request.password)))
      if let name = request.name { members.append(.init("name", .string(name))) }
    })
}
