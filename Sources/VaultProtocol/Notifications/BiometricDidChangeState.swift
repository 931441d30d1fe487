public import JSON
public import JSONRPC
public import VaultModel

/// `biometric/didChangeState`: how it goes with a finger that is awaited (R9).
public struct BiometricDidChangeState: OutgoingNotification {
  /// The notification's name.
  public static let method = "biometric/didChangeState"

  /// How it goes.
  public enum State: String, Sendable, CaseIterable {
    /// The reader waits for a finger.
    case scanning
    /// The last scan did not do; the next one may.
    case tryAgain
    /// The finger was recognised.
    case succeeded
    /// No scan is left to try.
    case failed
  }

  /// Why a scan did not do.
  public enum Reason: String, Sendable, CaseIterable {
    /// It fitted no enrolled finger, and counts.
    case notMatched
    /// It could not be compared, and does not count.
    case tryAgain, swipeTooShort, fingerNotCentered, removeAndRetry, tooFast
  }

  /// How it goes.
  public var state: State
  /// Why the last scan did not do.
  public var reason: Reason?
  /// How many scans may still fit no finger.
  public var attemptsLeft: Int
  /// One sentence for a person.
  public var message: Localized
  /// The language of the conversation.
  public var language: Language

  /// A notification of the given parts.
  public init(_ state: State, reason: Reason?, attemptsLeft: Int, message: Localized, language: Language) {
    self.state = state
    self.reason = reason
    self.attemptsLeft = attemptsLeft
    self.message = message
    self.language = language
  }

  /// The notification on the wire.
  public var json: JSON {
    var members: [JSON.Member] = [.init("state", .string(state.rawValue))]
    if let reason { members.append(.init("reason", .string(reason.rawValue))) }
    members += [
      .init("attemptsLeft", .integer(attemptsLeft)), .init("message", .string(message[language])),
      .init("messages", message.json),
    ]
    return .object(members)
  }
}
