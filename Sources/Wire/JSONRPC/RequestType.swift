/// A request, with its parameters as properties.
package protocol RequestType: Sendable {
  associatedtype Response: JSONConvertible

  /// The method's name, such as `card/get`.
  static var method: String { get }

  init(_ parameters: inout Parameters) throws(ParameterError)
}

extension RequestType {
  /// Reads the parameters. An unknown one is an error.
  package static func read(_ value: JSON?) throws(ParameterError) -> Self {
    var parameters = try Parameters(value)
    let request = try Self(&parameters)
    try parameters.finish()
    return request
  }
}

extension RequestType where Self: JSONObject {
  package init(_ parameters: inout Parameters) throws(ParameterError) {
    self = try Self.coder.read(&parameters)
  }
}

/// A notification, in either direction.
package protocol NotificationType: Sendable {
  /// The notification's name, such as `session/didLock`.
  static var method: String { get }
}

/// A notification that goes to the other side.
package protocol OutgoingNotification: NotificationType, JSONConvertible {}

/// The answer null.
package struct NullResult: JSONCodable {
  package init() {}

  /// Reads any value.
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> NullResult {
    NullResult()
  }

  package var json: JSON { .null }
}

extension OutgoingNotification {
  var message: Message { .notification(method: Self.method, parameters: json) }
}

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

/// Selects messages by method and parameters.
package struct MessageFilter: Sendable {
  private let words: [[UInt8]]
  private let matches: @Sendable (_ method: String, _ parameters: JSON?) -> Bool

  /// - Parameters:
  ///   - methods: the names of methods. A message without any of them is not parsed ahead of its turn.
  ///   - condition: whether a message of one of these methods matches.
  package init(
    methods: Set<String>,
    where condition: @escaping @Sendable (_ method: String, _ parameters: JSON?) -> Bool = { _, _ in true }
  ) {
    words = Self.words(of: methods)
    matches = { method, parameters in methods.contains(method) && condition(method, parameters) }
  }

  /// Returns the part of each method name after the slash, to find candidates without parsing. The slash may be escaped
  /// in JSON.
  static func words(of methods: Set<String>) -> [[UInt8]] {
    Set(methods.map { $0.split(separator: "/").last.map(String.init) ?? $0 }).map { Array($0.utf8) }
  }

  /// The first match in a frame, which may be a batch.
  func message(in frame: Frame) -> Message? {
    guard case .message(let bytes) = frame, words.contains(where: bytes.contains(word:)),
      let value = try? JSONReader.read(bytes)
    else { return nil }
    guard case .array(let values) = value else { return message(value) }
    return values.count > Connection.batchLimit ? nil : values.lazy.compactMap(message).first
  }

  /// Parses a message; nil unless it matches.
  func message(_ value: JSON) -> Message? {
    guard let message = try? Message(value) else { return nil }
    switch message {
    case .request(_, let method, let parameters), .notification(let method, let parameters):
      return matches(method, parameters) ? message : nil
    case .response: return nil
    }
  }
}
