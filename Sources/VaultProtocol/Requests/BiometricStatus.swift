public import JSON
public import JSONRPC
public import VaultModel

/// `biometric/status`: whether a finger can open the vault here, and what is missing (R9, B). Works locked.
public struct BiometricStatus: RequestType {
  /// The method's name.
  public static let method = "biometric/status"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// One of the things that it takes.
  public struct Part: Sendable, Hashable {
    /// `ready`, or what is the matter.
    public var state: String
    /// The package that brings what is missing.
    public var package: String?
    /// What the reader is called.
    public var reader: String?
    /// The names of the enrolled fingers.
    public var fingers: [String]?
    /// What to do about it, for a person; nil where nothing is the matter.
    public var advice: Localized?

    /// A part of the given parts.
    public init(
      state: String, package: String? = nil, reader: String? = nil, fingers: [String]? = nil,
      advice: Localized? = nil
    ) {
      self.state = state
      self.package = package
      self.reader = reader
      self.fingers = fingers
      self.advice = advice
    }

    func json(in language: Language) -> JSON {
      var members: [JSON.Member] = [.init("state", .string(state))]
      if let reader { members.append(.init("reader", .string(reader))) }
      if let fingers { members.append(.init("fingers", .array(fingers.map(JSON.string)))) }
      if let package { members.append(.init("package", .string(package))) }
      if let advice {
        members += [.init("message", .string(advice[language])), .init("messages", advice.json)]
      }
      return .object(members)
    }
  }

  /// Where things stand.
  public struct Answer: JSONConvertible {
    /// Whether a finger could open a vault here.
    public var isAvailable: Bool
    /// Whether this device is bound to the vault.
    public var isBound: Bool
    /// Whether the settings let a finger unlock the vault.
    public var isAllowed: Bool
    /// Whether too many fingers did not match, so that a password must come first.
    public var isLockedOut: Bool
    /// The fingerprint reader.
    public var fingerprint: Part
    /// The keychain.
    public var keychain: Part
    /// The desktop session.
    public var session: Part
    /// The language of the messages.
    public var language: Language

    /// An answer of the given parts.
    public init(
      isAvailable: Bool, isBound: Bool, isAllowed: Bool, isLockedOut: Bool, fingerprint: Part,
      keychain: Part, session: Part, language: Language
    ) {
      self.isAvailable = isAvailable
      self.isBound = isBound
      self.isAllowed = isAllowed
      self.isLockedOut = isLockedOut
      self.fingerprint = fingerprint
      self.keychain = keychain
      self.session = session
      self.language = language
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "available": .bool(isAvailable),
        "enabled": .bool(isBound && isAllowed),
        "bound": .bool(isBound),
        "biometricUnlock": .bool(isAllowed),
        "lockedOut": .bool(isLockedOut),
        "fingerprint": fingerprint.json(in: language),
        "keychain": keychain.json(in: language),
        "session": session.json(in: language),
      ]
    }
  }
}
