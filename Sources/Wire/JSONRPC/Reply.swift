/// The answer to a request, and what follows it.
package struct Reply: Sendable {
  package var result: Result<JSON, ResponseError>
  package var followUp: FollowUp

  package init(_ result: Result<JSON, ResponseError>, followUp: FollowUp = FollowUp()) {
    (self.result, self.followUp) = (result, followUp)
  }
}

/// What follows a message: notifications, and then perhaps the hand-off of the connection to a new process.
package struct FollowUp: Sendable {
  package var notifications: [any OutgoingNotification]
  package var handOff: HandOff?

  package init(_ notifications: [any OutgoingNotification] = [], handOff: HandOff? = nil) {
    (self.notifications, self.handOff) = (notifications, handOff)
  }
}

/// How a connection goes to the process that replaces this one.
package enum HandOff: Sendable {
  /// Messages that wait for their turn are refused.
  case refusingWaiting
  /// Messages that wait for their turn go to the new process as they are.
  case keepingWaiting
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
  /// How much the connection may keep; asked only when it has reached ``ConnectionLimits/least``. Called on the loop's thread.
  var limits: ConnectionLimits { get }

  /// Answers a request. The task is cancelled with the request; the answer is then ``ProtocolError/cancelled``, unless the
  /// work was already done.
  func answer(_ request: IncomingRequest) async -> Reply

  /// Handles a notification.
  func handle(_ notification: IncomingNotification) async -> FollowUp

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
  package var limits: ConnectionLimits { .usual }

  package func errorForDiscardedAnswer() async -> ResponseError { await error(for: .cancelled) }
}
