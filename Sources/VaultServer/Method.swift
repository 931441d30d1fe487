import JSON
import JSONRPC
import VaultSession

/// How one method of the protocol is answered.
///
/// ```swift
/// enum GetCard: Handler {
///   static func answer(_ request: CardGet, in conversation: isolated Conversation) throws -> Outcome<CardAnswer> {
///     …
///   }
/// }
/// ```
protocol Handler: Sendable {
  associatedtype Request: RequestType

  /// Whether a call shows that a person is there, so that the vault stays unlocked (R12).
  static var countsAsActivity: Bool { get }

  /// Whether a password comes with it, which must not stay in the memory of a vault that is locked (R10).
  static var takesPassword: Bool { get }

  /// Whether answering reads what other processes wrote, in the same look at the file, so that nothing has to before.
  static var readsForeignChanges: Bool { get }

  /// Answers a request.
  ///
  /// - Throws: `VaultError` for what the vault refuses, `ParameterError` for parameters that contradict each other.
  static func answer(
    _ request: Request, in conversation: isolated Conversation
  ) async throws -> Outcome<Request.Answer>
}

extension Handler {
  static var countsAsActivity: Bool { true }
  static var takesPassword: Bool { false }
  static var readsForeignChanges: Bool { false }
}

/// An answer and what follows it.
struct Outcome<Answer: JSONConvertible>: Sendable {
  var answer: Answer
  var notifications: [any OutgoingNotification] = []
  var handsOff = false

  init(_ answer: Answer, telling notifications: [any OutgoingNotification] = [], handsOff: Bool = false) {
    self.answer = answer
    self.notifications = notifications
    self.handsOff = handsOff
  }
}

/// A handler as the registry knows it, whatever its types.
struct Method: Sendable {
  let name: String
  let countsAsActivity: Bool
  let takesPassword: Bool
  let readsForeignChanges: Bool
  let answer: @Sendable (JSON?, isolated Conversation) async throws -> Reply

  init<Answering: Handler>(_ handler: Answering.Type) {
    name = Answering.Request.method
    countsAsActivity = Answering.countsAsActivity
    takesPassword = Answering.takesPassword
    readsForeignChanges = Answering.readsForeignChanges
    answer = { parameters, conversation in
      let request = try Answering.Request.read(parameters)
      let outcome = try await Answering.answer(request, in: conversation)
      return Reply(
        .success(outcome.answer.json), notifications: outcome.notifications, handsOff: outcome.handsOff)
    }
  }
}
