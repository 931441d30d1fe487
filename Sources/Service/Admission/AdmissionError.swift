import Wire

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
    case .unknownClient: .init("client.notFound")
    case .notShared: .init("auth.notShared")
    }
  }
}
