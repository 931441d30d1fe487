public import JSON

/// What a request is answered with, and what follows its answer.
public struct Reply: Sendable {
  /// The answer.
  public var result: Result<JSON, ResponseError>
  /// Notifications that go out right after it.
  public var notifications: [any OutgoingNotification]
  /// Whether the conversation is to be handed to a new process once these are out.
  public var handsOff: Bool

  /// An answer and what follows it.
  public init(
    _ result: Result<JSON, ResponseError>, notifications: [any OutgoingNotification] = [],
    handsOff: Bool = false
  ) {
    self.result = result
    self.notifications = notifications
    self.handsOff = handsOff
  }
}

/// A request on its way to the program.
public struct IncomingRequest: Sendable {
  /// Its id.
  public let id: RequestIdentifier
  /// Its method's name.
  public let method: String
  /// Its `params` as they came.
  public let parameters: JSON?
}

/// A notification on its way to the program.
public struct IncomingNotification: Sendable {
  /// Its method's name.
  public let method: String
  /// Its `params` as they came.
  public let parameters: JSON?
}

/// What takes note of messages and answers them: the program behind a connection.
///
/// A connection calls it for one message at a time, in the order in which they came.
public protocol MessageHandler: Sendable {
  /// Answers a request. The task is cancelled when the client takes the request back; the answer is then the one
  /// that ``error(for:)`` gives for ``ProtocolError/cancelled``, unless it was too late for that.
  func answer(_ request: IncomingRequest) async -> Reply

  /// Takes note of something; what it gives follows at once.
  func note(_ notification: IncomingNotification) async -> (
    notifications: [any OutgoingNotification], handsOff: Bool
  )

  /// Puts a fault in words.
  func error(for fault: ProtocolError) async -> ResponseError

  /// Makes ready for the end of the conversation.
  ///
  /// - Returns: what the client is told before.
  func willEnd() async -> [any OutgoingNotification]
}
