import Testing

@testable import Wire

/// Messages that are noticed before their turn: they interrupt a waiting request, and are answered in their turn.
@Suite(.timeLimit(.minutes(15))) struct ConnectionObserverTests {
  @Test(
    "Observer: a waiting request is interrupted, and the order stays", arguments: [Framing.lines, .headers])
  func interrupts(framing: Framing) async throws {
    try await Conversation.whileWaiting(framing) { conversation in
      try await conversation.client.send(request(1, "echo"), request(2, "example/lock"), request(3, "echo"))
      #expect(try await conversation.client.text() == answer(0, "\"interrupted by example/lock\""))
      #expect(try await conversation.client.text() == answer(1))
      #expect(try await conversation.client.message().refusal == "2 -32601")
      #expect(try await conversation.client.text() == answer(3))
      #expect(await conversation.handler.log == ["wait", "echo", "example/lock", "echo"])
    }
  }

  @Test(
    "Observer: a message matches however it is written",
    arguments: [
      #"{"jsonrpc":"2.0","method":"leave"}"#,
      #"{"params":{},"method":"example\/lock","id":9,"jsonrpc":"2.0"}"#,
      #"[{"jsonrpc":"2.0","id":7,"method":"echo"},{"jsonrpc":"2.0","method":"leave","params":{"no":false}}]"#,
    ])
  func spelling(message: String) async throws {
    try await Conversation.whileWaiting { conversation in
      try await conversation.client.send(message)
      #expect(
        try await conversation.client.message()["result"]?.string?.hasPrefix("interrupted by") == true)
    }
  }

  @Test("Observer: a message that was queued before the request interrupts it too, in a batch and outside")
  func before() async throws {
    try await Conversation.hold { conversation in
      let beginning = await conversation.handler.beginning(of: "first")
      try await conversation.client.send(request(0, "hold", #"{"name":"first"}"#))
      try await beginning.value()
      let inBatch = [
        request(1, "wait", #"{"name":"b"}"#), request(2, "echo"), request(3, "example/lock"),
        request(4, "wait", #"{"name":"c"}"#), notification("leave", #"{"no":true}"#),
      ]
      let behind = await conversation.handler.beginning(of: "c")
      try await conversation.client.send("[\(inBatch.joined(separator: ","))]", request(5, "echo"))
      await conversation.handler.release("first")
      // Request 4 is interrupted by nothing that stands before it, nor by a notification that does not match.
      try await behind.value()
      try await conversation.client.send(request(6, "example/lock"))
      #expect(try await conversation.client.text() == answer(0, "\"held first\""))
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.first?.text == answer(1, "\"interrupted by example/lock\""))
      #expect(answers.last?.text == answer(4, "\"interrupted by example/lock\""))
    }
  }

  @Test(
    "Observer: other messages, malformed ones and answers interrupt nothing",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"example/lock","params":{"no":true}}"#,
      #"{"jsonrpc":"1.0","id":1,"method":"example/lock"}"#, #"{"jsonrpc":"2.0","id":1,"method":"lock"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"echo","params":["example/lock"]}"#, "leave", #"["leave"]"#,
      #"{"jsonrpc":"2.0","id":1,"result":"leave"}"#,
    ])
  func others(message: String) async throws {
    try await Conversation.whileWaiting { conversation in
      try await conversation.client.send(message)
      await conversation.untilInputIsRead()
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(0, "\"held a\""))
    }
  }

  @Test("Observer: only the request that observes is interrupted")
  func onlyOnce() async throws {
    try await Conversation.hold { conversation in
      let first = await conversation.handler.beginning(of: "a")
      try await conversation.client.send(
        request(1, "hold", #"{"name":"a"}"#), request(2, "example/lock"), request(3, "wait", #"{"name":"b"}"#)
      )
      try await first.value()
      await conversation.untilInputIsRead()
      let second = await conversation.handler.beginning(of: "b")
      await conversation.handler.release("a")
      try await second.value()
      await conversation.handler.release("b")
      #expect(try await conversation.client.text() == answer(1, "\"held a\""))
      #expect(try await conversation.client.message().refusal == "2 -32601")
      #expect(try await conversation.client.text() == answer(3, "\"held b\""))
    }
  }

  @Test("Observer: `$/cancelRequest` cancels a request that could be interrupted")
  func cancelled() async throws {
    try await Conversation.whileWaiting { conversation in
      try await conversation.client.send(notification("$/cancelRequest", #"{"id":0}"#), request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(1))
    }
  }
}
