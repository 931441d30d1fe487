public import JSON

/// A method that is answered: its name, its parameters and what it gives.
public protocol RequestType: Sendable {
  /// What the method gives.
  associatedtype Answer: JSONConvertible

  /// The method's name, such as `card/get`.
  static var method: String { get }

  /// Takes the parameters, each by its name.
  init(_ parameters: inout Parameters) throws(ParameterError)
}

extension RequestType {
  /// Reads the parameters of a request and refuses those that the method does not know.
  public static func read(_ value: JSON?) throws(ParameterError) -> Self {
    var parameters = try Parameters(value)
    let request = try Self(&parameters)
    try parameters.finish()
    return request
  }
}

/// Something that is told and not answered, in either direction.
public protocol NotificationType: Sendable {
  /// The notification's name, such as `session/didLock`.
  static var method: String { get }
}

/// A notification that goes to the other side.
public protocol OutgoingNotification: NotificationType, JSONConvertible {}

/// A value that knows how it is written in JSON.
public protocol JSONConvertible: Sendable {
  /// The value in JSON.
  var json: JSON { get }
}

/// The answer of a method that has nothing to say: null.
public struct Nothing: JSONConvertible {
  /// The one value there is.
  public init() {}

  /// `null`.
  public var json: JSON { .null }
}

extension OutgoingNotification {
  /// The notification as a message.
  var message: Message { .notification(method: Self.method, parameters: json) }
}
