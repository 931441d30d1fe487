import JSON
import JSONRPC

// What `quickvault-desktop` is asked, as protocol/DESKTOP.md describes it. Members of an answer that are not needed are
// passed over.

/// `desktop/status`: what there is.
struct DesktopStatus: OutgoingRequest {
  static let method = "desktop/status"
  var parameters: JSON? { nil }

  /// The fingerprint reader, the keychain or the desktop session.
  struct Part: ParameterValue, Hashable {
    var state: String
    var package: String?
    var reader: String?
    var fingers: [String]?

    var isReady: Bool { state == "ready" }

    init(_ state: String, package: String? = nil) {
      self.state = state
      self.package = package
    }

    static func read(_ value: JSON, at path: String) throws(ParameterError) -> Part {
      var members = try Parameters(value, at: path)
      var part = Part(try members.required("state"), package: try members.optional("package"))
      part.reader = try members.optional("reader")
      part.fingers = try members.optional("fingers")
      return part
    }
  }

  struct Answer: ParameterValue, Hashable {
    var fingerprint: Part
    var keychain: Part
    var session: Part

    /// Where the program itself is missing.
    static let withoutProgram = Answer(
      fingerprint: Part("programMissing", package: "quickvault"),
      keychain: Part("programMissing", package: "quickvault"),
      session: Part("programMissing", package: "quickvault"))

    /// Whether a finger can open a vault here; a keychain that is locked is unlocked when it is needed.
    var canOpenVaults: Bool { fingerprint.isReady && (keychain.isReady || keychain.state == "locked") }

    static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      return Answer(
        fingerprint: try members.required("fingerprint"), keychain: try members.required("keychain"),
        session: try members.required("session"))
    }
  }
}

/// `desktop/watch`: what to tell of.
struct DesktopWatch: OutgoingRequest {
  static let method = "desktop/watch"
  var lock: Bool
  var sleep: Bool
  var parameters: JSON? { ["lock": .bool(lock), "sleep": .bool(sleep)] }

  struct Answer: ParameterValue {
    /// Whether the desktop session is locked now.
    var isSessionLocked: Bool

    static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      Answer(isSessionLocked: value["lock"]?["locked"] == true)
    }
  }
}

/// `fingerprint/verify`: waits for a finger.
struct FingerprintVerify: OutgoingRequest {
  static let method = "fingerprint/verify"
  var attempts: Int
  var timeoutSeconds: Int
  var parameters: JSON? {
    ["attempts": .integer(attempts), "timeoutSeconds": .integer(timeoutSeconds)]
  }

  struct Answer: ParameterValue {
    var isMatched: Bool
    /// What tells the enrolled prints from others.
    var enrollment: String

    static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      let outcome: String = try members.required("outcome")
      return Answer(isMatched: outcome == "matched", enrollment: try members.required("enrollment"))
    }
  }
}

/// A secret of the keychain, by the vault and the device that it is for.
struct KeychainItem: Sendable, Hashable {
  /// How long the person may take for the keychain's own prompt, in seconds.
  static let patience = 60

  var vault: String
  var device: String

  func parameters(_ more: [JSON.Member] = []) -> JSON {
    .object(
      [
        .init("vault", .string(vault)), .init("device", .string(device)),
        .init("timeoutSeconds", .integer(Self.patience)),
      ] + more)
  }
}

/// `keychain/store`.
struct KeychainStore: OutgoingRequest {
  static let method = "keychain/store"
  typealias Answer = Nothing
  var item: KeychainItem
  /// 32 bytes in base64.
  var secret: String
  var parameters: JSON? { item.parameters([.init("secret", .string(secret))]) }
}

/// `keychain/read`.
struct KeychainRead: OutgoingRequest {
  static let method = "keychain/read"
  var item: KeychainItem
  var parameters: JSON? { item.parameters() }

  struct Answer: ParameterValue {
    /// 32 bytes in base64.
    var secret: String

    static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      return Answer(secret: try members.required("secret"))
    }
  }
}

/// `keychain/delete`.
struct KeychainDelete: OutgoingRequest {
  static let method = "keychain/delete"
  typealias Answer = Nothing
  var item: KeychainItem
  var parameters: JSON? { item.parameters() }
}
