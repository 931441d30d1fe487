package import Wire

/// `biometric/didChangeState`: the progress of a fingerprint scan (R9).
package struct BiometricDidChangeState: VaultNotification, Hashable {
  package static let method = "biometric/didChangeState"

  package enum State: String, CaseIterable, JSONCodable {
    /// The reader waits for a finger.
    case scanning
    /// The last scan failed; another one may follow.
    case tryAgain
    case succeeded
    /// No attempt is left.
    case failed
  }

  /// Why a scan failed.
  package enum Reason: String, CaseIterable, JSONCodable {
    /// It matched no enrolled finger, and counts.
    case notMatched
    /// It could not be compared, and does not count.
    case tryAgain, swipeTooShort, fingerNotCentered, removeAndRetry, tooFast
  }

  package var state: State
  package var reason: Reason?
  package var attemptsLeft: Int
  package var message: LocalizedMessage

  package static let coder = ObjectCoder(
    Self.init, .required("state", \.state), .optional("reason", \.reason),
    .required("attemptsLeft", \.attemptsLeft), .members(\.message))
}

extension BiometricDidChangeState {
  package init(_ state: State, reason: Reason?, attemptsLeft: Int, message: Localized, language: Language) {
    self.init(
      state: state, reason: reason, attemptsLeft: attemptsLeft,
      message: LocalizedMessage(message, in: language))
  }
}
