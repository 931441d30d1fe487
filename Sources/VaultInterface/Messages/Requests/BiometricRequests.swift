package import Wire

/// `biometric/status`: whether fingerprint unlock works here, and what is missing (R9, B). Works locked.
package struct BiometricStatus: ParameterlessRequest {
  package static let method = "biometric/status"

  package init() {}

  /// One of the parts of the desktop that fingerprint unlock needs.
  package struct Part: ResultObject, Hashable {
    /// `ready`, or the reason why it is not.
    package var state: String
    /// The name of the fingerprint reader.
    package var reader: String?
    /// The names of the enrolled fingers.
    package var fingers: [String]?
    /// The Debian package that provides what is missing.
    package var package: String?
    /// What the user can do, in the session's language; nil if the part is ready.
    package var message: String?
    package var messages: Localized?

    package static let coder = ObjectCoder(
      Self.init, .required("state", \.state), .optional("reader", \.reader), .optional("fingers", \.fingers),
      .optional("package", \.package), .optional("message", \.message), .optional("messages", \.messages))
  }

  package struct Response: ResultObject, Hashable {
    package var isAvailable: Bool
    /// Whether this device is bound, and the settings allow fingerprint unlock.
    package var isEnabled: Bool
    package var isBound: Bool
    /// Whether the settings allow fingerprint unlock.
    package var isAllowed: Bool
    /// Whether the password must come first, after too many fingerprints that did not match.
    package var isLockedOut: Bool
    package var fingerprint: Part
    package var keychain: Part
    package var session: Part

    package static let coder = ObjectCoder(
      Self.init, .required("available", \.isAvailable), .required("enabled", \.isEnabled),
      .required("bound", \.isBound), .required("biometricUnlock", \.isAllowed),
      .required("lockedOut", \.isLockedOut), .required("fingerprint", \.fingerprint),
      .required("keychain", \.keychain), .required("session", \.session))
  }
}

extension BiometricStatus.Part {
  package init(
    state: String, package: String? = nil, reader: String? = nil, fingers: [String]? = nil,
    advice: Localized? = nil
  ) {
    self.init(
      state: state, reader: reader, fingers: fingers, package: package, message: nil, messages: advice)
  }

  fileprivate func localized(in language: Language) -> Self {
    var part = self
    part.message = messages?[language]
    return part
  }
}

extension BiometricStatus.Response {
  package init(
    isAvailable: Bool, isBound: Bool, isAllowed: Bool, isLockedOut: Bool,
    fingerprint: BiometricStatus.Part, keychain: BiometricStatus.Part, session: BiometricStatus.Part,
    language: Language
  ) {
    self.init(
      isAvailable: isAvailable, isEnabled: isBound && isAllowed, isBound: isBound, isAllowed: isAllowed,
      isLockedOut: isLockedOut, fingerprint: fingerprint.localized(in: language),
      keychain: keychain.localized(in: language), session: session.localized(in: language))
  }
}

/// `biometric/enable`: binds this device to the vault, after the password and a fingerprint (T).
package struct BiometricEnable: VaultRequest {
  package static let method = "biometric/enable"

  package struct Response: ResultObject, Hashable {
    package var device: BoundDevice

    package init(_ device: BoundDevice) { self.device = device }

    package static let coder = ObjectCoder(Self.init(_:), .required("device", \.device))
  }

  package var password: String
  /// The name of the device; nil for the name of the machine.
  package var name: String?

  package init(password: String, name: String? = nil) { (self.password, self.name) = (password, name) }

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password),
    .optional("name", \.name).limited("name", to: Limits.deviceName))
}

/// `biometric/disable`: removes this device's binding (T).
package struct BiometricDisable: ParameterlessRequest {
  package static let method = "biometric/disable"
  package typealias Response = NullResult

  package init() {}
}

/// `device/list`: the bound devices, in the order in which they were bound (T).
package struct DeviceList: ParameterlessRequest {
  package static let method = "device/list"
  package typealias Response = ItemsResponse<BoundDevice>

  package init() {}
}

/// `device/revoke`: removes the binding of any device (T).
package struct DeviceRevoke: VaultRequest {
  package static let method = "device/revoke"
  package typealias Response = NullResult

  package var id: Identifier

  package init(id: Identifier) { self.id = id }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
