package import Wire

/// A request to the vault, which a client writes and the server reads, and its answer the other way round.
package protocol VaultRequest: RequestType, JSONObject where Response: JSONCodable {}

/// A request without parameters.
package protocol ParameterlessRequest: VaultRequest {
  init()
}

extension ParameterlessRequest {
  package static var coder: ObjectCoder<Self> { ObjectCoder(Self.init) }
}

/// A notification from the server.
package protocol VaultNotification: OutgoingNotification, ResultObject {}
