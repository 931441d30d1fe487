public import JSON

/// What a request is refused with (JSON-RPC 2.0, section 5.1).
public struct ResponseError: Error, Sendable, Hashable {
  /// The error's number: -32768 to -32000 are the specification's, 1001 and up the application's.
  public var code: Int
  /// One sentence for a person.
  public var message: String
  /// What a program needs to know beyond the code.
  public var data: JSON?

  /// An error of the given parts.
  public init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  var json: JSON {
    let members: [JSON.Member] = [.init("code", .integer(code)), .init("message", .string(message))]
    return .object(members + (data.map { [JSON.Member("data", $0)] } ?? []))
  }
}
