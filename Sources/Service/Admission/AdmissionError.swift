import Wire

/// Why a program may not use the unlocked vault (U).
enum AdmissionError: Error, Sendable, Hashable {
  /// Another program unlocked the vault, and this one was not admitted. The ways to be admitted follow.
  case notAdmitted([Way])
  /// No client can answer the question: none is admitted and shows it, or the settings forbid to ask.
  case nobodyToAsk
  /// A user refused, now or since the last unlock.
  case refused
  /// Too many questions in a row were not allowed.
  case askedTooOften(retryAfterSeconds: Int)
  /// Programs that were not admitted have locked the vault too often.
  case tooManyLocks(retryAfterSeconds: Int)
  /// No client has this id.
  case unknownClient
  /// No other program can use the vault by what this one has: it has a process of its own, or the setting `sharedUnlock` is `never`.
  case notShared

  /// A way to be admitted. The raw values are on the wire.
  enum Way: String, Sendable, Hashable {
    case password, fingerprint, consent
  }
}

extension AdmissionError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notAdmitted(let ways):
      .init("auth.notAdmitted", ["ways": .array(ways.map { .string($0.rawValue) })])
    case .nobodyToAsk: .init("auth.nobodyToAsk")
    case .refused: .init("auth.admissionRefused")
    case .askedTooOften(let seconds): .init("auth.askedTooOften", ["retryAfterSeconds": .integer(seconds)])
    case .tooManyLocks(let seconds): .init("auth.tooManyLocks", ["retryAfterSeconds": .integer(seconds)])
    case .unknownClient: .init("client.notFound")
    case .notShared: .init("auth.notShared")
    }
  }
}
