package import JSON
package import JSONRPC

/// A request to the vault, which a client writes and the server reads, and its answer the other way round.
package protocol VaultRequest: RequestType, JSONObject where Answer: JSONCodable {}

/// An object that the server sends. Reading it skips unknown members: a newer server may send more.
package protocol ResultObject: JSONObject {}

extension ResultObject {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    var members = try Parameters(value, at: path)
    return try coder.read(&members)
  }
}

/// A notification from the server.
package protocol VaultNotification: OutgoingNotification, ResultObject {}
