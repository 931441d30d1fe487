import JSON
import JSONRPC

/// `initialize`.
struct Initialize: RequestType {
  struct Answer: JSONConvertible {
    let json: JSON = ["name": "quickvault-desktop", "version": "0.2.0", "protocolVersion": 1]
  }

  static let method = "initialize"
  let answer = Answer()

  init(_ parameters: inout Parameters) { parameters.ignoreRest() }
}

/// `desktop/status`.
struct DesktopStatus: RequestType {
  struct Answer: JSONConvertible { let json: JSON }

  static let method = "desktop/status"

  init(_ parameters: inout Parameters) {}
}

/// `desktop/watch`.
struct DesktopWatch: RequestType {
  typealias Answer = SessionWatch.State
  static let method = "desktop/watch"

  let lock: Bool
  let sleep: Bool

  init(_ parameters: inout Parameters) throws(ParameterError) {
    lock = try parameters.optional("lock") ?? false
    sleep = try parameters.optional("sleep") ?? false
  }
}

/// `desktop/allowSleep`.
struct DesktopAllowSleep: RequestType {
  typealias Answer = Nothing
  static let method = "desktop/allowSleep"

  init(_ parameters: inout Parameters) {}
}

/// `fingerprint/verify`.
struct FingerprintVerify: RequestType {
  typealias Answer = Verification.Outcome
  static let method = "fingerprint/verify"

  let timeout: Duration
  let attempts: Int

  init(_ parameters: inout Parameters) throws(ParameterError) {
    timeout = try parameters.timeout(unlessTold: 30)
    attempts = try parameters.integer("attempts", in: 1...10) ?? 1
  }
}

/// `keychain/store`.
struct KeychainStore: RequestType {
  typealias Answer = Nothing
  static let method = "keychain/store"

  let item: KeychainItem
  let secret: DeviceSecret
  let label: String
  let timeout: Duration

  init(_ parameters: inout Parameters) throws(ParameterError) {
    item = try KeychainItem(&parameters)
    let text: String = try parameters.required("secret")
    guard let secret = DeviceSecret(base64: text) else { throw ParameterError("secret", .string) }
    self.secret = secret
    label = try parameters.optional("label") ?? "QuickVault"
    guard (1...200).contains(label.count), !label.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw ParameterError("label", .string)
    }
    timeout = try parameters.timeout(unlessTold: 120)
  }
}

/// `keychain/read`.
struct KeychainRead: RequestType {
  struct Answer: JSONConvertible {
    let secret: DeviceSecret
    var json: JSON { ["secret": .string(secret.base64)] }
  }

  static let method = "keychain/read"

  let item: KeychainItem
  let timeout: Duration

  init(_ parameters: inout Parameters) throws(ParameterError) {
    item = try KeychainItem(&parameters)
    timeout = try parameters.timeout(unlessTold: 120)
  }
}

/// `keychain/delete`.
struct KeychainDelete: RequestType {
  struct Answer: JSONConvertible {
    let deleted: Bool
    var json: JSON { ["deleted": .bool(deleted)] }
  }

  static let method = "keychain/delete"

  let item: KeychainItem
  let timeout: Duration

  init(_ parameters: inout Parameters) throws(ParameterError) {
    item = try KeychainItem(&parameters)
    timeout = try parameters.timeout(unlessTold: 120)
  }
}

extension KeychainItem {
  fileprivate init(_ parameters: inout Parameters) throws(ParameterError) {
    vault = try parameters.name("vault")
    device = try parameters.name("device")
  }
}

extension Parameters {
  fileprivate mutating func timeout(unlessTold seconds: Int) throws(ParameterError) -> Duration {
    .seconds(try integer("timeoutSeconds", in: 1...300) ?? seconds)
  }

  /// Takes 1 to 64 letters of ASCII, digits and hyphens.
  fileprivate mutating func name(_ name: String) throws(ParameterError) -> String {
    let value: String = try required(name)
    let isName = value.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x2D
    }
    guard isName, (1...64).contains(value.utf8.count) else { throw ParameterError(name, .identifier) }
    return value
  }
}
