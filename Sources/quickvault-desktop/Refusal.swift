import JSON
import JSONRPC

/// Why a request was not fulfilled: the errors of protocol/DESKTOP.md.
enum Refusal: Error, Hashable {
  case fingerprint(FingerprintReason)
  case keychain(KeychainReason)
  /// As `serviceMissing`, since there is no system bus.
  case systemBusMissing
  /// As `serviceMissing`, since there is no session bus.
  case sessionBusMissing
  /// The request was taken back.
  case cancelled

  /// What can go wrong with the reader.
  enum FingerprintReason: Int {
    case serviceMissing = 2_001
    case noReader
    case permissionDenied
    case notEnrolled
    case busy
    case timedOut
    case disconnected
    case serviceStopped
    case sleeping
    case failed
  }

  /// What can go wrong with the keychain.
  enum KeychainReason: Int {
    case serviceMissing = 2_101
    case noCollection
    case dismissed
    case locked
    case absent
    case malformed
    case timedOut
    case failed
  }

  /// The error as it goes out; nil where the request was taken back.
  var response: ResponseError? {
    switch self {
    case .systemBusMissing:
      Self.response(
        FingerprintReason.serviceMissing.rawValue, "fingerprint.serviceMissing", "There is no system bus.",
        package: "dbus")
    case .sessionBusMissing:
      Self.response(
        KeychainReason.serviceMissing.rawValue, "keychain.serviceMissing", "There is no session bus.",
        package: "dbus-user-session")
    case .fingerprint(let reason):
      Self.response(reason.rawValue, "fingerprint.\(reason)", reason.words, package: reason.package)
    case .keychain(let reason):
      Self.response(reason.rawValue, "keychain.\(reason)", reason.words, package: reason.package)
    case .cancelled: nil
    }
  }

  private static func response(
    _ code: Int, _ kind: String, _ message: String, package: String?
  ) -> ResponseError {
    let members: [JSON.Member] = [.init("kind", .string(kind))]
    let naming = package.map { [JSON.Member("package", .string($0))] } ?? []
    return ResponseError(code: code, message: message, data: .object(members + naming))
  }
}

extension Refusal.FingerprintReason {
  fileprivate var package: String? { self == .serviceMissing ? "fprintd" : nil }

  fileprivate var words: String {
    switch self {
    case .serviceMissing: "fprintd cannot be reached."
    case .noReader: "There is no fingerprint reader."
    case .permissionDenied: "The system's policy does not allow the use of the fingerprint reader."
    case .notEnrolled: "No finger is enrolled."
    case .busy: "Another program uses the fingerprint reader."
    case .timedOut: "No finger was scanned in time."
    case .disconnected: "The fingerprint reader was disconnected."
    case .serviceStopped: "fprintd ended meanwhile."
    case .sleeping: "The machine is about to sleep."
    case .failed: "The fingerprint reader failed."
    }
  }
}

extension Refusal.KeychainReason {
  fileprivate var package: String? { self == .serviceMissing ? "gnome-keyring" : nil }

  fileprivate var words: String {
    switch self {
    case .serviceMissing: "No keychain can be reached."
    case .noCollection: "The keychain has no default collection."
    case .dismissed: "The keychain's prompt was dismissed."
    case .locked: "The keychain stayed locked."
    case .absent: "The keychain has no secret for this vault and device."
    case .malformed: "What the keychain has is not a secret of 32 bytes."
    case .timedOut: "The keychain's prompt was not answered in time."
    case .failed: "The keychain failed."
    }
  }
}
