/// The error of a response (JSON-RPC 2.0, section 5.1).
package struct ResponseError: Error, Sendable, Hashable {
  /// -32768 to -32000 are reserved by the specification; the application uses 1001 and up.
  package var code: Int
  /// One sentence for the user.
  package var message: String
  package var data: JSON?

  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  var json: JSON {
    let members: [JSON.Member] = [.init("code", .integer(code)), .init("message", .string(message))]
    return .object(members + (data.map { [JSON.Member("data", $0)] } ?? []))
  }
}
