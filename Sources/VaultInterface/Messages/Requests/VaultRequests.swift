package import Wire

/// `vault/status`: the state of the vault, and the next step of a new user (R22). Works locked and without a vault.
package struct VaultStatus: ParameterlessRequest {
  package static let method = "vault/status"

  package init() {}

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
    /// The uses that settings allow, for the server of an agent while the vault is unlocked; else nil.
    package var agentUses: [AgentUse.Kind]?

    package static let coder = ObjectCoder(
      Self.init, .required("path", \.path), .required("exists", \.exists), .required("locked", \.isLocked),
      .required("setupStep", \.setupStep), .required("lockout", \.lockout),
      .required("biometric", \.biometric), .optional("readOnly", \.isReadOnly),
      .optional("admitted", \.isAdmitted), .optional("consentFrom", \.consentFrom), .optional("demo", \.demo),
      .optional("conflictFiles", \.conflictFiles), .optional("agentUses", \.agentUses))
  }
}

extension VaultStatus.Response {
  package init(
    path: String, exists: Bool, isLocked: Bool, setupStep: VaultStatus.SetupStep, failedAttempts: Int,
    retryAfterSeconds: Int, biometricIsAvailable: Bool, biometricIsEnabled: Bool, isReadOnly: Bool? = nil,
    isAdmitted: Bool? = nil, consentFrom: [ClientProgram] = [], demo: DemoDescription?,
    conflictFiles: [ConflictFile] = [], agentUses: [AgentUse.Kind]? = nil
  ) {
    self.init(
      path: path, exists: exists, isLocked: isLocked, setupStep: setupStep,
      lockout: .init(failedAttempts: failedAttempts, retryAfterSeconds: retryAfterSeconds),
      biometric: .init(isAvailable: biometricIsAvailable, isEnabled: biometricIsEnabled),
      isReadOnly: isReadOnly, isAdmitted: isAdmitted,
      consentFrom: consentFrom.isEmpty ? nil : consentFrom, demo: demo,
      conflictFiles: conflictFiles.isEmpty ? nil : conflictFiles, agentUses: agentUses)
  }
}

extension ConflictFile: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("kind", \.kind))
}

extension ConflictFile.Kind: JSONCodable {}

/// `vault/create`: creates the vault, or a demo vault, and opens it (R11, R22, L).
package struct VaultCreate: VaultRequest {
  package static let method = "vault/create"
  package typealias Response = UnlockResponse

  /// At least 8 characters; nil for a demo vault with the default password.
  package var password: String?
  /// Nil for the default.
  package var keyDerivation: KeyDerivationRequest?
  /// Whether to create a temporary vault with sample cards.
  package var isDemo: Bool

  package init(password: String?, keyDerivation: KeyDerivationRequest?, isDemo: Bool = false) {
    (self.password, self.keyDerivation, self.isDemo) = (password, keyDerivation, isDemo)
  }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let isDemo = try parameters.optional("demo", default: false)
      return Self(
        password: isDemo ? try parameters.optional("password") : try parameters.required("password"),
        keyDerivation: try parameters.optional("kdf"), isDemo: isDemo)
    },
    write: { request, members in
      if request.isDemo { members.append(.init("demo", true)) }
      if let password = request.password { members.append(.init("password", .string(password))) }
      if let choice = request.keyDerivation { members.append(.init("kdf", choice.json)) }
    })
}

/// `vault/changePassword`: replaces the master password (R11).
package struct VaultChangePassword: VaultRequest {
  package static let method = "vault/changePassword"
  package typealias Response = NullResult

  package var oldPassword: String
  /// At least 8 characters.
  package var newPassword: String
  /// Nil to derive the key as before.
  package var keyDerivation: KeyDerivationRequest?
  /// Whether bound devices lose their key slots.
  package var dropsDevices: Bool

  package init(
    oldPassword: String, newPassword: String, keyDerivation: KeyDerivationRequest?, dropsDevices: Bool = false
  ) {
    (self.oldPassword, self.newPassword) = (oldPassword, newPassword)
    (self.keyDerivation, self.dropsDevices) = (keyDerivation, dropsDevices)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("oldPassword", \.oldPassword), .required("newPassword", \.newPassword),
    .optional("kdf", \.keyDerivation), .member("dropDevices", \.dropsDevices, default: false))
}

/// `vault/delete`: deletes the vault, after the password and the name of its file as confirmation.
package struct VaultDelete: VaultRequest {
  package static let method = "vault/delete"
  package typealias Response = NullResult

  package var password: String
  /// The name of the vault's file, without its directory.
  package var confirmation: String

  package init(password: String, confirmation: String) {
    (self.password, self.confirmation) = (password, confirmation)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password), .required("confirm", \.confirmation))
}

/// `vault/acceptOlder`: allows changes to an older copy of the vault.
package struct VaultAcceptOlder: ParameterlessRequest {
  package static let method = "vault/acceptOlder"
  package typealias Response = NullResult

  package init() {}
}

/// `vault/rekey`: seals the vault under a new key and a new password, so that a machine that is lost reads nothing that is written
/// from then on (S).
package struct VaultRekey: VaultRequest {
  package static let method = "vault/rekey"
  package typealias Response = SyncResponse

  package var oldPassword: String
  /// At least 8 characters, and another than the old one.
  package var newPassword: String
  package var progressToken: ProgressToken?

  package init(oldPassword: String, newPassword: String, progressToken: ProgressToken? = nil) {
    (self.oldPassword, self.newPassword) = (oldPassword, newPassword)
    self.progressToken = progressToken
  }

  package static let coder = ObjectCoder(
    Self.init, .required("oldPassword", \.oldPassword), .required("newPassword", \.newPassword),
    .optional("progressToken", \.progressToken))
}
