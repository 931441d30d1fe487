package import JSON
import JSONRPC

/// `fingerprint/verify`.
package struct FingerprintVerify: RequestType, OutgoingRequest {
  package static let method = "fingerprint/verify"

  package let attempts: Int
  package let timeoutSeconds: Int

  package init(attempts: Int, timeoutSeconds: Int) {
    (self.attempts, self.timeoutSeconds) = (attempts, timeoutSeconds)
  }

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    timeoutSeconds = try parameters.timeoutSeconds(default: 30)
    attempts = try parameters.integer("attempts", in: 1...10) ?? 1
  }

  package var parameters: JSON? {
    ["attempts": .integer(attempts), "timeoutSeconds": .integer(timeoutSeconds)]
  }

  package struct Answer: JSONConvertible, ParameterValue, Hashable {
    package let isMatch: Bool
    /// The number of scans that were compared.
    package let attempts: Int
    /// Identifies the user, the reader and the enrolled fingers.
    package let enrollment: String

    package init(isMatch: Bool, attempts: Int, enrollment: String) {
      (self.isMatch, self.attempts, self.enrollment) = (isMatch, attempts, enrollment)
    }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      let outcome: String = try members.required("outcome")
      return Answer(
        isMatch: outcome == "matched", attempts: try members.required("attempts"),
        enrollment: try members.required("enrollment"))
    }

    package var json: JSON {
      [
        "outcome": isMatch ? "matched" : "notMatched", "attempts": .integer(attempts),
        "enrollment": .string(enrollment),
      ]
    }
  }
}

/// `fingerprint/didChangeState`.
package struct FingerprintDidChangeState: OutgoingNotification, ParameterValue, Hashable {
  package static let method = "fingerprint/didChangeState"

  package enum State: String, CaseIterable, ParameterValue {
    case scanning, retry, notMatched, matched
  }

  /// Why a scan could not be compared.
  package enum Reason: String, CaseIterable, ParameterValue {
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

  package static func read(
    _ value: JSON, at path: String
  ) throws(ParameterError) -> FingerprintDidChangeState {
    var members = try Parameters(value, at: path)
    return FingerprintDidChangeState(
      try members.required("state"), attempt: try members.required("attempt"),
      reason: try members.optional("reason"))
  }

  package var json: JSON {
    .object(
      [.init("state", .string(state.rawValue)), .init("attempt", .integer(attempt))]
        + (reason.map { [.init("reason", .string($0.rawValue))] } ?? []))
  }
}

extension Parameters {
  mutating func timeoutSeconds(default seconds: Int) throws(ParameterError) -> Int {
    try integer("timeoutSeconds", in: 1...300) ?? seconds
  }
}
