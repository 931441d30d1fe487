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
