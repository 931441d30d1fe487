import Testing

@testable import Wire

/// Messages of JSON-RPC 2.0, coming and going.
@Suite struct MessageTests {
  @Test(
    "Messages: an answer is written as its JSON value, in both framings",
    arguments: [nil, true, -1, "税 \"\n😀", [], [:], [1, [nil, "x"]], ["a": ["b": [:]], "": 0]] as [JSON])
  func writing(value: JSON) {
    for id in [.null, .number(JSON.Number(7)), .string("\"7")] as [RequestIdentifier] {
      let errors = [nil, value].map { ResponseError(code: -7, message: "税", data: $0) }
      for message in [
        Message.response(id: id, .success(value)), .response(id: id, .failure(errors[0])),
        .response(id: id, .failure(errors[1])), .notification(method: "m", parameters: value),
        .request(id: id, method: "m", parameters: nil),
      ] {
        for framing in [Framing.headers, .lines] {
          var bytes = Array("before".utf8)
          framing.append(to: &bytes, message.write)
          let text = message.json.text
          let header = framing == .headers ? "Content-Length: \(text.utf8.count)\r\n\r\n" : ""
          #expect(bytes == Array("before\(header)\(text)\(framing == .lines ? "\n" : "")".utf8))
        }
      }
    }
  }

  private static func message(_ text: String) throws -> Message {
    try Message(JSONReader.read(Array(text.utf8)))
  }

  @Test(
    "Messages: an id is returned unchanged",
    arguments: [
      "null", "0", "1", "-1", "1.50", "1.0", "1e3", "123456789012345678901234567890", "\"\"", "\"a\"",
      "\"1\"",
      #""\u0000""#, #""\"\\""#, "\"税务\"", "\"e\u{301}\"",
    ])
  func ids(id: String) throws {
    let message = try Self.message(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
    guard case .request(let identifier, "m", nil) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(identifier.json.text == id)
    #expect(message.json.text == #"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
    let answer = Message.response(id: identifier, .success(nil))
    #expect(answer.json.text == #"{"jsonrpc":"2.0","id":\#(id),"result":null}"#)
  }

  @Test("Messages: numbers that differ in their text are different ids")
  func distinctIds() throws {
    let one = try Self.message(#"{"jsonrpc":"2.0","id":1,"method":"m"}"#)
    #expect(try Self.message(#"{"jsonrpc":"2.0","id":"1","method":"m"}"#) != one)
    #expect(try Self.message(#"{"jsonrpc":"2.0","id":1.0,"method":"m"}"#) != one)
  }

  @Test(
    "Messages: requests, notifications and answers are distinguished",
    arguments: [
      (#"{"jsonrpc":"2.0","method":"m"}"#, .notification(method: "m", parameters: nil)),
      (#"{"jsonrpc":"2.0","method":"m","params":{}}"#, .notification(method: "m", parameters: [:])),
      (#"{"jsonrpc":"2.0","method":"m","params":[1]}"#, .notification(method: "m", parameters: [1])),
      (#"{"jsonrpc":"2.0","method":"m","params":null}"#, .notification(method: "m", parameters: nil)),
      (#"{"jsonrpc":"2.0","method":"m","params":[]}"#, .notification(method: "m", parameters: nil)),
      (
        #"{"params":{"a":1},"method":"","jsonrpc":"2.0","id":null}"#,
        .request(id: .null, method: "", parameters: ["a": 1])
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","method":"m","params":null}"#,
        .request(id: .string("a"), method: "m", parameters: nil)
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","method":"m","params":[]}"#,
        .request(id: .string("a"), method: "m", parameters: nil)
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","method":"m","extra":[]}"#,
        .request(id: .string("a"), method: "m", parameters: nil)
      ),
      (#"{"jsonrpc":"2.0","id":"a","result":null}"#, .response(id: .string("a"), .success(nil))),
      (#"{"jsonrpc":"2.0","id":"a","result":{"b":2}}"#, .response(id: .string("a"), .success(["b": 2]))),
      (
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
        .response(id: .null, .failure(ResponseError(code: -32700, message: "no")))
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no","data":[1]}}"#,
        .response(id: .string("a"), .failure(ResponseError(code: 1, message: "no", data: [1])))
      ),
    ] as [(String, Message)])
  func kinds(text: String, expected: Message) throws {
    #expect(try Self.message(text) == expected)
  }

  @Test(
    "Messages: an invalid message is rejected with its id, if it has one",
    arguments: [
      ("1", .null, .notAnObject), ("null", .null, .notAnObject), ("\"a\"", .null, .notAnObject),
      ("[]", .null, .notAnObject), ("{}", .null, .version), (#"{"id":"a"}"#, .string("a"), .version),
      (#"{"jsonrpc":"1.0","id":"a","method":"m"}"#, .string("a"), .version),
      (#"{"jsonrpc":2.0,"id":"a","method":"m"}"#, .string("a"), .version),
      (#"{"jsonrpc":"2.00","id":"a","method":"m"}"#, .string("a"), .version),
      (#"{"jsonrpc":null,"method":"m"}"#, .null, .version), (#"{"method":"m"}"#, .null, .version),
      (#"{"jsonrpc":"2.0"}"#, .null, .method), (#"{"jsonrpc":"2.0","id":"a"}"#, .string("a"), .method),
      (#"{"jsonrpc":"2.0","id":"a","method":1}"#, .string("a"), .method),
      (#"{"jsonrpc":"2.0","id":"a","method":null}"#, .string("a"), .method),
      (#"{"jsonrpc":"2.0","method":["m"]}"#, .null, .method),
      (#"{"jsonrpc":"2.0","id":"a","method":"m","params":1}"#, .string("a"), .parameters),
      (#"{"jsonrpc":"2.0","id":"a","method":"m","params":"b"}"#, .string("a"), .parameters),
      (#"{"jsonrpc":"2.0","id":"a","method":"m","params":false}"#, .string("a"), .parameters),
      (#"{"jsonrpc":"2.0","method":"m","params":true}"#, .null, .parameters),
      (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, .null, .identifier),
      (#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, .null, .identifier),
      (#"{"jsonrpc":"2.0","id":["a"],"method":"m"}"#, .null, .identifier),
      (#"{"jsonrpc":"2.0","id":"a","id":"b","method":"m"}"#, .string("a"), .memberTwice),
      (#"{"jsonrpc":"2.0","id":"a","method":"m","method":"m"}"#, .string("a"), .memberTwice),
      (#"{"jsonrpc":"2.0","id":"a","method":"m","params":{},"params":{}}"#, .string("a"), .memberTwice),
      (#"{"jsonrpc":"2.0","id":"a","method":"m","x":1,"x":1}"#, .string("a"), .memberTwice),
      (#"{"jsonrpc":"2.0","id":"a","result":1,"error":{"code":1}}"#, .string("a"), .method),
      (#"{"jsonrpc":"2.0","id":"a","error":1}"#, .string("a"), .method),
      (#"{"jsonrpc":"2.0","id":"a","error":{"code":"1"}}"#, .string("a"), .method),
    ] as [(String, RequestIdentifier, ProtocolError.MessageError)])
  func refused(text: String, id: RequestIdentifier, fault: ProtocolError.MessageError) {
    #expect(throws: ProtocolError.invalidRequest(id: id, fault)) { try Self.message(text) }
  }

  @Test("Messages: an error is written with code, message and data only")
  func errors() {
    let plain = Message.response(id: .string("a"), .failure(ResponseError(code: -32700, message: "no")))
    #expect(plain.json.text == #"{"jsonrpc":"2.0","id":"a","error":{"code":-32700,"message":"no"}}"#)
    let full = Message.response(
      id: .null, .failure(ResponseError(code: 1001, message: "没有", data: ["kind": "a.b"])))
    #expect(
      full.json.text
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":1001,"message":"没有","data":{"kind":"a.b"}}}"#)
  }

  @Test(
    "Messages: protocol errors have the codes of the specification",
    arguments: [
      (.malformedJSON, -32700), (.nestingTooDeep, -32600), (.frameTooLarge, -32600),
      (.invalidRequest(id: .null, .version), -32600), (.lifecycle(.notInitialized), -32002),
      (.lifecycle(.alreadyInitialized), -32600), (.lifecycle(.shutDown), -32600),
      (.methodNotFound("m"), -32601),
      (.invalidParameters(ParameterError("a", .string)), -32602), (.cancelled, -32800),
      (.internalError, -32603),
    ] as [(ProtocolError, Int)])
  func codes(fault: ProtocolError, code: Int) {
    #expect(fault.code == code)
  }
}
