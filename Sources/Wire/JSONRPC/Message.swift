/// A request's id (JSON-RPC 2.0, section 4), which is echoed exactly.
package enum RequestIdentifier: Sendable, Hashable {
  case null
  case number(JSON.Number)
  case string(String)

  init?(_ value: JSON) {
    switch value {
    case .null: self = .null
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .bool, .array, .object: return nil
    }
  }

  package var json: JSON {
    switch self {
    case .null: .null
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    }
  }
}

/// A JSON-RPC 2.0 message.
package enum Message: Sendable, Hashable {
  case request(id: RequestIdentifier, method: String, parameters: JSON?)
  case notification(method: String, parameters: JSON?)
  case response(id: RequestIdentifier, Result<JSON, ResponseError>)

  /// - Throws: ``ProtocolError/invalidRequest(id:_:)``, with the id if it is valid.
  package init(_ value: JSON) throws(ProtocolError) {
    guard case .object(let members) = value else { throw .invalidRequest(id: .null, .notAnObject) }
    let id = try Self.identifier(of: value)
    let echo = id ?? .null
    guard members.repeatedName == nil else { throw .invalidRequest(id: echo, .memberTwice) }
    guard value["jsonrpc"] == "2.0" else { throw .invalidRequest(id: echo, .version) }

    guard let method = value["method"] else {
      self = try Self.response(id: echo, value)
      return
    }
    guard case .string(let name) = method else { throw .invalidRequest(id: echo, .method) }
    let given = value["params"]
    let parameters: JSON? =
      switch given {
      // The specification leaves them out where there are none; Emacs's jsonrpc.el sends null, other clients [].
      case nil, .null?, .array([])?: nil
      case .object?, .array?: given
      default: throw .invalidRequest(id: echo, .parameters)
      }
    self =
      if let id { .request(id: id, method: name, parameters: parameters) } else {
        .notification(method: name, parameters: parameters)
      }
  }

  private static func identifier(of value: JSON) throws(ProtocolError) -> RequestIdentifier? {
    guard let id = value["id"] else { return nil }
    guard let identifier = RequestIdentifier(id) else { throw .invalidRequest(id: .null, .identifier) }
    return identifier
  }

  private static func response(id: RequestIdentifier, _ value: JSON) throws(ProtocolError) -> Message {
    if let result = value["result"], value["error"] == nil { return .response(id: id, .success(result)) }
    guard value["result"] == nil, let error = value["error"], let code = error["code"]?.integer else {
      throw .invalidRequest(id: id, .method)
    }
    let message = error["message"]?.string ?? ""
    return .response(id: id, .failure(ResponseError(code: code, message: message, data: error["data"])))
  }

  package var json: JSON {
    switch self {
    case .request(let id, let method, let parameters):
      let members: [JSON.Member] = [
        .init("jsonrpc", "2.0"), .init("id", id.json), .init("method", .string(method)),
      ]
      return .object(members + Self.member(parameters))
    case .notification(let method, let parameters):
      return .object([.init("jsonrpc", "2.0"), .init("method", .string(method))] + Self.member(parameters))
    case .response(let id, .success(let result)):
      return ["jsonrpc": "2.0", "id": id.json, "result": result]
    case .response(let id, .failure(let error)):
      return ["jsonrpc": "2.0", "id": id.json, "error": error.json]
    }
  }

  /// The id of the request that this answers; null where it is no answer.
  var answered: RequestIdentifier {
    if case .response(let id, _) = self { id } else { .null }
  }

  /// Appends the message as one line of UTF-8, without creating ``json`` for a response.
  func write(to bytes: inout [UInt8]) {
    guard case .response(let id, let result) = self else { return json.write(to: &bytes) }
    bytes.append("{\"jsonrpc\":\"2.0\",\"id\":")
    id.json.write(to: &bytes)
    switch result {
    case .success(let result):
      bytes.append(",\"result\":")
      result.write(to: &bytes)
    case .failure(let error):
      bytes.append(",\"error\":")
      error.json.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func member(_ parameters: JSON?) -> [JSON.Member] {
    parameters.map { [JSON.Member("params", $0)] } ?? []
  }
}
