package import Wire

/// `fingerprint/verify`.
package struct FingerprintVerify: DesktopRequest {
  package static let method = "fingerprint/verify"

  package let attempts: Int
  package let timeoutSeconds: Int

  package init(attempts: Int, timeoutSeconds: Int) {
    (self.attempts, self.timeoutSeconds) = (attempts, timeoutSeconds)
  }

  package static let coder = ObjectCoder(
    Self.init, .integer("attempts", \.attempts, in: 1...10, default: 1),
    .timeout(\.timeoutSeconds, default: 30))

  package struct Response: ResultObject, Hashable {
    package enum Outcome: String, CaseIterable, JSONCodable {
      case matched, notMatched
    }

    package let outcome: Outcome
    /// The number of scans that were compared.
    package let attempts: Int
    /// Identifies the user, the reader and the enrolled fingers.
    package let enrollment: String

    package init(outcome: Outcome, attempts: Int, enrollment: String) {
      (self.outcome, self.attempts, self.enrollment) = (outcome, attempts, enrollment)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("outcome", \.outcome), .required("attempts", \.attempts),
      .required("enrollment", \.enrollment))
  }
}

/// `fingerprint/didChangeState`.
package struct FingerprintDidChangeState: OutgoingNotification, ResultObject, Hashable {
  package static let method = "fingerprint/didChangeState"

  package enum State: String, CaseIterable, JSONCodable {
    case scanning, retry, notMatched, matched
  }

  /// Why a scan could not be compared.
  package enum Reason: String, CaseIterable, JSONCodable {
    case tryAgain, swipeTooShort, fingerNotCentered, removeAndRetry, tooFast
  }

  package let state: State
  /// The number of the attempt, from 1.
  package let attempt: Int
  /// Only with ``State/retry``.
  package let reason: Reason?

  package init(_ state: State, attempt: Int, reason: Reason? = nil) {
    (self.state, self.attempt, self.reason) = (state, attempt, reason)
  }

  package static let coder = ObjectCoder(
    Self.init(_:attempt:reason:), .required("state", \.state), .required("attempt", \.attempt),
    .optional("reason", \.reason))
}
