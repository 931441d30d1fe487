import Testing

@testable import Wire

/// Messages that do not wait for a request that waits: as long as they are next in turn, they are answered at once.
@Suite(.timeLimit(.minutes(15))) struct ConnectionPassingTests {
  @Test("Passing: an allowed method is answered during the wait", arguments: [Framing.lines, .headers])
  func passes(framing: Framing) async throws {
    try await Conversation.whileWaiting(framing) { conversation in
      for id in 1...3 {
        try await conversation.client.send(request(id, #"example\/peek"#))
        #expect(try await conversation.client.text() == answer(id))
      }
      try await conversation.client.send(
        notification("example/peeked"), request(4, "example/peek"), request(5, "echo"))
      #expect(try await conversation.client.text() == answer(4))
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(0, "\"held a\""))
      #expect(try await conversation.client.text() == answer(5))
      let peeks = Array(repeating: "example/peek", count: 3)
      #expect(
        await conversation.handler.log == ["wait"] + peeks + ["example/peeked", "example/peek", "echo"])
    }
  }

  @Test(
    "Passing: any other message, a batch and an invalid message hold all messages behind them",
    arguments: [
      (request(1, "echo"), answer(1)), (#"[\#(request(1, "example/peek"))]"#, "[\(answer(1))]"),
      (request(1, "echo", #"["example/peek"]"#), answer(1, #"["example/peek"]"#)),
    ])
  func holds(message: String, expected: String) async throws {
    try await Conversation.whileWaiting { conversation in
      try await conversation.client.send(message, request(2, "example/peek"))
      await conversation.untilInputIsRead()
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(0, "\"held a\""))
      #expect(try await conversation.client.text() == expected)
      #expect(try await conversation.client.text() == answer(2))
    }
  }

  @Test("Passing: a response holds back no message behind it")
  func responses() async throws {
    try await Conversation.whileWaiting { conversation in
      let response = #"{"jsonrpc":"2.0","id":"server-1","result":null}"#
      try await conversation.client.send(response, request(1, "example/peek"), response)
      #expect(try await conversation.client.text() == answer(1))
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(0, "\"held a\""))
      #expect(await conversation.handler.log == ["wait", "example/peek"])
    }
  }

  @Test("Passing: nothing passes a batch, nor a request that allows no method")
  func batch() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      let beginning = await conversation.handler.beginning(of: "a")
      let inBatch = [request(0, "wait", #"{"name":"a"}"#), request(1, "example/peek")]
      try await conversation.client.send("[\(inBatch.joined(separator: ","))]", request(2, "example/peek"))
      try await beginning.value()
      await conversation.untilInputIsRead()
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == "[\(answer(0, "\"held a\"")),\(answer(1))]")
      #expect(try await conversation.client.text() == answer(2))
      let other = await conversation.handler.beginning(of: "b")
      try await conversation.client.send(request(3, "hold", #"{"name":"b"}"#), request(4, "example/peek"))
      try await other.value()
      await conversation.untilInputIsRead()
      await conversation.handler.release("b")
      #expect(try await conversation.client.text() == answer(3, "\"held b\""))
      #expect(try await conversation.client.text() == answer(4))
    }
  }

  @Test("Passing: a message sent before the wait began keeps its turn, and holds later ones")
  func before() async throws {
    try await Conversation.hold(at: .initialized) { conversation in
      let first = await conversation.handler.beginning(of: "a")
      try await conversation.client.send(request(0, "hold", #"{"name":"a"}"#))
      try await first.value()
      let second = await conversation.handler.beginning(of: "b")
      try await conversation.client.send(request(1, "wait", #"{"name":"b"}"#), request(2, "example/peek"))
      await conversation.untilInputIsRead()
      await conversation.handler.release("a")
      try await second.value()
      try await conversation.client.send(request(3, "example/peek"))
      await conversation.untilInputIsRead()
      await conversation.handler.release("b")
      #expect(try await conversation.client.text() == answer(0, "\"held a\""))
      #expect(try await conversation.client.text() == answer(1, "\"held b\""))
      #expect(try await conversation.client.text() == answer(2))
      #expect(try await conversation.client.text() == answer(3))
    }
  }

  @Test("Passing: a slow request that passes is answered before the next request starts")
  func long() async throws {
    try await Conversation.whileWaiting { conversation in
      let second = await conversation.handler.beginning(of: "b")
      try await conversation.client.send(
        request(1, "holdOn", #"{"name":"b"}"#), request(2, "example/peek"), request(3, "echo"))
      try await second.value()
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(0, "\"held a\""))
      await conversation.turn()
      #expect(await conversation.handler.log == ["wait", "holdOn"])
      await conversation.handler.release("b")
      #expect(try await conversation.client.text() == answer(1, "\"held b\""))
      #expect(try await conversation.client.text() == answer(2))
      #expect(try await conversation.client.text() == answer(3))
    }
  }

  @Test("Passing: `$/cancelRequest` cancels only the passing or only the waiting request")
  func cancelled() async throws {
    try await Conversation.whileWaiting { conversation in
      let second = await conversation.handler.beginning(of: "b")
      try await conversation.client.send(request(1, "holdOn", #"{"name":"b"}"#))
      try await second.value()
      try await conversation.client.send(notification("$/cancelRequest", #"{"id":1}"#))
      await conversation.untilInputIsRead()
      await conversation.handler.release("b")
      #expect(try await conversation.client.message().refusal == "1 -32800")
      try await conversation.client.send(request(2, "example/peek"))
      #expect(try await conversation.client.text() == answer(2))
      try await conversation.client.send(notification("$/cancelRequest", #"{"id":0}"#), request(3, "echo"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(3))
    }
  }

  @Test("Passing: a message behind a passing request still interrupts")
  func interruptsFromBehind() async throws {
    try await Conversation.whileWaiting { conversation in
      try await conversation.client.send(request(1, "example/peek"), request(2, "example/lock"))
      var answers = Set<String>()
      for _ in 0..<2 { answers.insert(try await conversation.client.text()) }
      #expect(answers == [answer(0, "\"interrupted by example/lock\""), answer(1)])
      #expect(try await conversation.client.message().refusal == "2 -32601")
    }
  }

  @Test("Passing: stopping the conversation cancels and answers both requests")
  func stops() async throws {
    try await Conversation.whileWaiting { conversation in
      let second = await conversation.handler.beginning(of: "b")
      try await conversation.client.send(request(1, "holdOn", #"{"name":"b"}"#), request(2, "example/peek"))
      try await second.value()
      await conversation.connection.stop()
      await conversation.handler.release("b")
      let texts = Set(try await conversation.untilEnd())
      #expect(texts.count == 3 && texts.contains(told("bye")))
      #expect(try await conversation.closeReason() == .stopped)
      #expect(try await conversation.finalLog() == ["wait", "holdOn", "willEnd"])
    }
  }
}
