package import JSON

/// The answer to a request, and what follows it.
package struct Reply: Sendable {
  package var result: Result<JSON, ResponseError>
  /// Notifications that are sent right after the answer.
  package var notifications: [any OutgoingNotification]
  /// Whether the connection is then handed over to a new process.
  package var handsOff: Bool
  /// Whether messages that wait for their turn then go to the new process as they are, in place of being refused.
  package var keepsWaiting = false

  package init(
    _ result: Result<JSON, ResponseError>, notifications: [any OutgoingNotification] = [],
    handsOff: Bool = false
  ) {
    self.result = result
    self.notifications = notifications
    self.handsOff = handsOff
  }
}

package struct IncomingRequest: Sendable {
  package let id: RequestIdentifier
  package let method: String
  package let parameters: JSON?

  package init(id: RequestIdentifier, method: String, parameters: JSON?) {
    (self.id, self.method, self.parameters) = (id, method, parameters)
  }
}

package struct IncomingNotification: Sendable {
  package let method: String
  package let parameters: JSON?
}

/// The program behind a connection, which calls it for one message at a time, in order.
package protocol MessageHandler: Sendable {
  /// Answers a request. The task is cancelled with the request; the answer is then ``ProtocolError/cancelled``, unless the
  /// work was already done.
  func answer(_ request: IncomingRequest) async -> Reply

  /// Handles a notification.
  func handle(_ notification: IncomingNotification) async -> (
    notifications: [any OutgoingNotification], handsOff: Bool
  )

  /// Adds the message to an error.
  func error(for error: ProtocolError) async -> ResponseError

  /// The error in place of an answer that the client had not begun to read when its connection was handed over.
  func errorForDiscardedAnswer() async -> ResponseError

  /// Called before the connection is closed.
  ///
  /// - Returns: the final notifications.
  func willEnd() async -> [any OutgoingNotification]
}

extension MessageHandler {
  package func errorForDiscardedAnswer() async -> ResponseError { await error(for: .cancelled) }
}
