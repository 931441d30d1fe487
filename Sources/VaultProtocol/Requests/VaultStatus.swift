public import JSON
public import JSONRPC

/// `vault/status`: where things stand, and what a new user does next (R22). Works locked and without a vault.
public struct VaultStatus: RequestType {
  /// The method's name.
  public static let method = "vault/status"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// What a client shows next.
  public enum SetupStep: String, Sendable {
    /// There is no vault: welcome the user and ask for a new password.
    case welcome
    /// The vault could be opened with a finger, and nobody has been asked yet.
    case offerBiometric
    /// Nothing is left to set up.
    case ready
  }

  /// Where things stand.
  public struct Answer: JSONConvertible {
    /// The vault's path.
    public var path: String
    /// Whether there is a vault.
    public var exists: Bool
    /// Whether cards can be read.
    public var isLocked: Bool
    /// What a client shows next.
    public var setupStep: SetupStep
    /// Wrong passwords since the last right one.
    public var failedAttempts: Int
    /// How long a password is still refused, in seconds.
    public var retryAfterSeconds: Int
    /// Whether a finger could be read here.
    public var biometricIsAvailable: Bool
    /// Whether this device is bound to the vault, and the settings let a finger unlock it.
    public var biometricIsEnabled: Bool
    /// What there is to know of a demo vault; nil where it is none.
    public var demo: DemoAnswer?

    /// An answer of the given parts.
    public init(
      path: String, exists: Bool, isLocked: Bool, setupStep: SetupStep, failedAttempts: Int,
      retryAfterSeconds: Int,
      biometricIsAvailable: Bool, biometricIsEnabled: Bool, demo: DemoAnswer?
    ) {
      self.path = path
      self.exists = exists
      self.isLocked = isLocked
      self.setupStep = setupStep
      self.failedAttempts = failedAttempts
      self.retryAfterSeconds = retryAfterSeconds
      self.biometricIsAvailable = biometricIsAvailable
      self.biometricIsEnabled = biometricIsEnabled
      self.demo = demo
    }

    /// The answer on the wire.
    public var json: JSON {
      let all: JSON = [
        "path": .string(path),
        "exists": .bool(exists),
        "locked": .bool(isLocked),
        "setupStep": .string(setupStep.rawValue),
        "lockout": [
          "failedAttempts": .integer(failedAttempts), "retryAfterSeconds": .integer(retryAfterSeconds),
        ],
        "biometric": ["available": .bool(biometricIsAvailable), "enabled": .bool(biometricIsEnabled)],
      ]
      return all.with("demo", demo)
    }
  }
}
