package import JSON
package import VaultModel

/// `vault/status`: the state of the vault, and the next step of a new user (R22). Works locked and without a vault.
package struct VaultStatus: VaultRequest {
  package static let method = "vault/status"

  package static let coder = ObjectCoder(Self.init)

  /// What a client shows next.
  package enum SetupStep: String, CaseIterable, JSONCodable {
    /// There is no vault: welcome the user and ask for a new password.
    case welcome
    /// Fingerprint unlock is possible, and the user has not been asked yet.
    case offerBiometric
    case ready
  }

  package struct Lockout: ResultObject, Hashable {
    /// The number of wrong passwords since the last right one.
    package var failedAttempts: Int
    /// The time for which passwords are still refused.
    package var retryAfterSeconds: Int

    package static let coder = ObjectCoder(
      Self.init, .required("failedAttempts", \.failedAttempts),
      .required("retryAfterSeconds", \.retryAfterSeconds))
  }

  package struct Biometric: ResultObject, Hashable {
    package var isAvailable: Bool
    /// Whether this device is bound, and the settings allow fingerprint unlock.
    package var isEnabled: Bool

    package static let coder = ObjectCoder(
      Self.init, .required("available", \.isAvailable), .required("enabled", \.isEnabled))
  }

  package struct Response: ResultObject, Hashable {
    package var path: String
    package var exists: Bool
    package var isLocked: Bool
    package var setupStep: SetupStep
    package var lockout: Lockout
    package var biometric: Biometric
    /// True if the vault can be read and not written; else nil.
    package var isReadOnly: Bool?
    /// Whether this client may use the vault while it is unlocked; nil for one on standard input and output.
    package var isAdmitted: Bool?
    /// The programs whose users `client/requestConsent` asks; nil if this client needs no consent, or cannot get it.
    package var consentFrom: [ClientProgram]?
    /// Nil unless this is a demo vault.
    package var demo: DemoDescription?
    /// The conflict files beside the vault; nil for none.
    package var conflictFiles: [ConflictFile]?

    package static let coder = ObjectCoder(
      Self.init, .required("path", \.path), .required("exists", \.exists), .required("locked", \.isLocked),
      .required("setupStep", \.setupStep), .required("lockout", \.lockout),
      .required("biometric", \.biometric), .optional("readOnly", \.isReadOnly),
      .optional("admitted", \.isAdmitted), .optional("consentFrom", \.consentFrom), .optional("demo", \.demo),
      .optional("conflictFiles", \.conflictFiles))
  }
}

extension VaultStatus.Response {
  package init(
    path: String, exists: Bool, isLocked: Bool, setupStep: VaultStatus.SetupStep, failedAttempts: Int,
    retryAfterSeconds: Int, biometricIsAvailable: Bool, biometricIsEnabled: Bool, isReadOnly: Bool? = nil,
    isAdmitted: Bool? = nil, consentFrom: [ClientProgram] = [], demo: DemoDescription?,
    conflictFiles: [ConflictFile] = []
  ) {
    self.init(
      path: path, exists: exists, isLocked: isLocked, setupStep: setupStep,
      lockout: .init(failedAttempts: failedAttempts, retryAfterSeconds: retryAfterSeconds),
      biometric: .init(isAvailable: biometricIsAvailable, isEnabled: biometricIsEnabled),
      isReadOnly: isReadOnly, isAdmitted: isAdmitted,
      consentFrom: consentFrom.isEmpty ? nil : consentFrom, demo: demo,
      conflictFiles: conflictFiles.isEmpty ? nil : conflictFiles)
  }
}

extension ConflictFile: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("kind", \.kind))
}

extension ConflictFile.Kind: JSONCodable {}
