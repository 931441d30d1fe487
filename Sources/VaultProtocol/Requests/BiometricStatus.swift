package import JSON
package import VaultModel

/// `biometric/status`: whether fingerprint unlock works here, and what is missing (R9, B). Works locked.
package struct BiometricStatus: VaultRequest {
  package static let method = "biometric/status"

  package static let coder = ObjectCoder(Self.init)

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
