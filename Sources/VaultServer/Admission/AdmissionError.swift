import JSON
import VaultModel

/// Why a program may not use the unlocked vault (U).
enum AdmissionError: Error, Sendable, Hashable {
  /// Another program unlocked the vault, and this one was not admitted. The ways to be admitted follow.
  case notAdmitted([Way])
  /// No client can answer the question: none is admitted and shows it, or the settings forbid to ask.
  case nobodyToAsk
  /// A user refused, now or since the last unlock.
  case refused
  /// No client has this id.
  case unknownClient

  /// A way to be admitted. The raw values are on the wire.
  enum Way: String, Sendable, Hashable {
    case password, fingerprint, consent
  }
}

extension AdmissionError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notAdmitted(let ways):
      .init(
        1110, "auth.notAdmitted",
        Localized(
          "Another program has unlocked the vault. Give the password, or ask for consent, to use it here.",
          "保险库已由其他程序解锁。要在此使用，请输入主密码，或请求许可。"),
        ["ways": .array(ways.map { .string($0.rawValue) })], isSilent: true)
    case .nobodyToAsk:
      .init(
        1111, "auth.nobodyToAsk", "No program that is using the vault can answer. Give the password.",
        "正在使用保险库的程序都无法答复，请输入主密码。")
    case .refused:
      .init(1112, "auth.admissionRefused", "The request to use the vault was refused.", "使用保险库的请求已被拒绝。")
    case .unknownClient: .init(1113, "client.notFound", "There is no such client.", "找不到该客户端。")
    }
  }
}
