public import JSON
public import JSONRPC

/// What a client is told of a demo vault, besides what it is told of any.
public struct DemoAnswer: JSONConvertible {
  /// The password that opens it, where it is the one known to all; nil where somebody chose another.
  public var password: String?

  /// A demo vault with its password.
  public init(password: String?) {
    self.password = password
  }

  /// The answer on the wire.
  public var json: JSON {
    ["password": password.map(JSON.string) ?? .null]
  }
}

extension JSON {
  /// The object with one more member where there is something to put in it.
  func with(_ name: String, _ value: (some JSONConvertible)?) -> JSON {
    guard let value, case .object(let members) = self else { return self }
    return .object(members + [Member(name, value.json)])
  }
}
