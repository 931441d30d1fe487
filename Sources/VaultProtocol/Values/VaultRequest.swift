package import JSON
package import JSONRPC

/// A request to the vault, which a client writes and the server reads, and its answer the other way round.
package protocol VaultRequest: RequestType, JSONObject where Response: JSONCodable {}

/// A notification from the server.
package protocol VaultNotification: OutgoingNotification, ResultObject {}
