import Testing

@testable import Wire

/// Requests from the program to the client.
@Suite(.timeLimit(.minutes(15))) struct ConnectionPendingRequestsTests {
  private struct Question: OutgoingRequest {
    struct Response: JSONObject, Equatable {
      let isRight: Bool
      static let coder = ObjectCoder(Self.init, .required("right", \.isRight))
    }

    static let method = "ask"
    var parameters: JSON? { ["what": "this"] }
  }

  private static func response(to question: JSON, _ member: String) throws -> String {
    let id = try #require(question["id"])
    return #"{"jsonrpc":"2.0","id":\#(id.text),\#(member)}"#
  }

  @Test(
    "Asking: the response comes while a request of the client waits",
    arguments: [Framing.lines, .headers])
  func answered(framing: Framing) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      try await conversation.sendHeld(request(1, "wait", #"{"name":"a"}"#))
      async let answer = conversation.connection.ask(Question())
      let question = try await conversation.client.message()
      #expect(question["method"] == "ask")
      #expect(question["params"]?["what"] == "this")
      try await conversation.client.send(try Self.response(to: question, #""result":{"right":true}"#))
      #expect(try await answer.isRight)
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == JSONRPCTests.answer(1, "\"held a\""))
    }
  }

  @Test("Asking: the response is handled behind what was sent before it, and before what was sent after it")
  func inOrder() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      let handler = conversation.handler
      let asking = Task {
        _ = try await conversation.connection.ask(Question())
        return await handler.log
      }
      let question = try await conversation.client.message()
      let response = try Self.response(to: question, #""result":{"right":true}"#)
      try await conversation.sendHeld(
        request(1, "hold", #"{"name":"a"}"#), request(2, "echo"), response,
        request(3, "hold", #"{"name":"b"}"#))
      await conversation.untilInputIsRead()
      await handler.release("a")
      #expect(try await asking.value.starts(with: ["hold", "echo"]))
      await handler.release("b")
    }
  }

  @Test("Asking: a request that waits for the response lets pass what is before it, in order")
  func behindOthers() async throws {
    let waiting = [request(1, "example/peek"), notification("first"), request(2, "unknown")]
    try await Conversation.whileWaiting(as: "waitForAnswer", sending: waiting) { conversation in
      let handler = conversation.handler
      let asking = Task {
        _ = try await conversation.connection.ask(Question())
        return await handler.log
      }
      var question = try await conversation.client.message()
      while question["method"] != "ask" { question = try await conversation.client.message() }
      let response = try Self.response(to: question, #""result":{"right":true}"#)
      try await conversation.client.send(
        bytes: conversation.client.frames([notification("second"), response]))
      #expect(try await asking.value == ["waitForAnswer", "example/peek", "first", "unknown", "second"])
      await handler.release("a")
      #expect(try await conversation.client.text() == JSONRPCTests.answer(0, "\"held a\""))
    }
  }

  @Test(
    "Asking: what may not pass ends the wait, also in a batch",
    arguments: [request(1, "echo"), "[\(request(1, "example/peek"))]", "no message"], [false, true])
  func ending(message: String, isFirst: Bool) async throws {
    try await Conversation.whileWaiting(as: "waitForAnswer", sending: isFirst ? [message] : []) {
      conversation in
      if !isFirst { try await conversation.client.send(message) }
      #expect(
        try await conversation.client.message()["result"]?.string?.hasPrefix("interrupted by") == true)
      #expect(try await !conversation.client.text().isEmpty)
    }
  }

  @Test("Requests to the client: an error, a malformed response, and a response to no request")
  func refused() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      try await conversation.client.send(#"{"jsonrpc":"2.0","id":"server-1","result":null}"#)
      for (member, isExpected) in [
        (
          #""error":{"code":1,"message":"no"}"#,
          { (error: any Error) in (error as? ResponseError)?.code == 1 }
        ),
        (#""result":{"wrong":true}"#, { (error: any Error) in error is PeerError }),
      ] {
        let asking = Task { try await conversation.connection.ask(Question()) }
        let question = try await conversation.client.message()
        try await conversation.client.send(try Self.response(to: question, member))
        do {
          _ = try await asking.value
          Issue.record("answered")
        } catch {
          #expect(isExpected(error), "\(error)")
        }
      }
      try await conversation.client.send(request(2, "echo"))
      #expect(try await conversation.client.text() == JSONRPCTests.answer(2))
    }
  }

  @Test("Requests to the client: a cancelled task cancels its request")
  func withdrawn() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      let asking = Task { try await conversation.connection.ask(Question()) }
      let question = try await conversation.client.message()
      asking.cancel()
      let withdrawal = try await conversation.client.message()
      #expect(withdrawal["method"] == "$/cancelRequest")
      #expect(withdrawal["params"]?["id"] == question["id"])
      await #expect(throws: CancellationError.self) { try await asking.value }
    }
  }

  @Test("Requests to the client: the end of the input ends the wait, and the conversation")
  func inputEnds() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#))
      let asking = Task { try await conversation.connection.ask(Question()) }
      _ = try await conversation.client.message()
      conversation.client.close()
      await #expect(throws: PeerError.ended) { try await asking.value }
      await #expect(throws: PeerError.ended) { try await conversation.connection.ask(Question()) }
      await conversation.handler.release("a")
    }
  }

  @Test("Requests to the client: a handoff ends the wait; a later response is ignored")
  func handedOff() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#))
      let asking = Task { try await conversation.connection.ask(Question()) }
      _ = try await conversation.client.message()
      await conversation.connection.handOff(.refusingWaiting)
      await #expect(throws: PeerError.ended) { try await asking.value }
      await #expect(throws: PeerError.ended) { try await conversation.connection.ask(Question()) }
    }
  }
}
