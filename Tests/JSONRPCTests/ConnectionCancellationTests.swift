import Testing

@testable import Wire

/// `$/cancelRequest` (Language Server Protocol 3.17): it overtakes the queue, and its request is still answered.
@Suite(.timeLimit(.minutes(15))) struct ConnectionCancellationTests {
  private static func cancel(_ id: String) -> String {
    notification("$/cancelRequest", #"{"id":\#(id)}"#)
  }

  /// Holds a conversation whose handler is busy with request 0 until it is released or cancelled.
  private static func whileBusy(
    _ framing: Framing = .lines, _ body: (Conversation) async throws -> Void
  ) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      try await conversation.sendHeld(request(0, "hold", #"{"name":"a"}"#))
      try await body(conversation)
    }
  }

  @Test("Cancel: the current request is answered with -32800", arguments: [Framing.lines, .headers])
  func running(framing: Framing) async throws {
    try await Self.whileBusy(framing) { conversation in
      try await conversation.client.send(request(1, "echo"), Self.cancel("0"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("Cancel: a queued request is never started, and answered in its turn")
  func queued() async throws {
    try await Self.whileBusy { conversation in
      try await conversation.client.send(request(1, "echo"), request(2, "echo"), request(3, "echo"))
      try await conversation.client.send(Self.cancel("2"), Self.cancel("0"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(1))
      #expect(try await conversation.client.message().refusal == "2 -32800")
      #expect(try await conversation.client.text() == answer(3))
      #expect(await conversation.handler.log == ["hold", "echo", "echo"])
    }
  }

  @Test("Cancel: requests in a batch, waiting or current, are answered in the batch")
  func inBatch() async throws {
    try await Self.whileBusy { conversation in
      let beginning = await conversation.handler.beginning(of: "b")
      let batch = [
        request(1, "echo"), request(2, "hold", #"{"name":"b"}"#), request(3, "echo"), request(4, "echo"),
      ]
      try await conversation.client.send(
        "[\(batch.joined(separator: ","))]", Self.cancel("1"), Self.cancel("0"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      try await beginning.value()
      try await conversation.client.send("[\(Self.cancel("3")),\(Self.cancel("2"))]")
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.prefix(3).map(\.refusal) == ["1 -32800", "2 -32800", "3 -32800"])
      #expect(answers.last?.text == answer(4))
    }
  }

  @Test("Cancel: of two requests with one id in a batch, the current one is cancelled")
  func sameIdTwice() async throws {
    try await Conversation.hold { conversation in
      let beginning = await conversation.handler.beginning(of: "b")
      let batch = [request(1, "hold", #"{"name":"b"}"#), request(1, "echo")]
      try await conversation.client.send("[\(batch.joined(separator: ","))]")
      try await beginning.value()
      try await conversation.client.send(Self.cancel("1"))
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.first?.refusal == "1 -32800")
      #expect(answers.last?.text == answer(1))
    }
  }

  @Test(
    "Cancel: an unknown id changes nothing",
    arguments: [
      #"{"id":7}"#, #"{"id":"1"}"#, #"{"id":1.0}"#, #"{"id":null}"#, #"{"id":true}"#, #"{"id":[1]}"#, "{}",
      "[]", "[1]",
      "null",
    ])
  func unknown(parameters: String) async throws {
    try await Self.whileBusy { conversation in
      try await conversation.client.send(
        request(1, "echo"), notification("$/cancelRequest", parameters), Self.cancel("0"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("Cancel: a request after it with the same id is another request")
  func idUsedAgain() async throws {
    try await Self.whileBusy { conversation in
      try await conversation.client.send(
        Self.cancel("1"), Self.cancel("0"), request(0, "echo"), request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(0))
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("Cancel: a malformed message cancels nothing, now or later")
  func malformed() async throws {
    try await Self.whileBusy { conversation in
      try await conversation.client.send(
        request(1, "echo"), #"{"jsonrpc":"1.0","method":"$/cancelRequest","params":{"id":1}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1},"params":{"id":1}}"#,
        Self.cancel("0"),
        request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.text() == answer(1))
      #expect(try await conversation.client.message().refusal == "null -32600")
      #expect(try await conversation.client.message().refusal == "null -32600")
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("Cancel: sent as a request, it is a method like any other")
  func asRequest() async throws {
    try await Self.whileBusy { conversation in
      try await conversation.client.send(
        request(1, "$/cancelRequest", #"{"id":2}"#), request(2, "echo"), Self.cancel("0"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.message().refusal == "1 -32601")
      #expect(try await conversation.client.text() == answer(2))
    }
  }

  @Test("Cancel: a request with the id null can be cancelled")
  func nullId() async throws {
    try await Self.whileBusy { conversation in
      try await conversation.client.send(
        #"{"jsonrpc":"2.0","id":null,"method":"echo"}"#, Self.cancel("null"), Self.cancel("0"))
      #expect(try await conversation.client.message().refusal == "0 -32800")
      #expect(try await conversation.client.message().refusal == "null -32800")
    }
  }

  @Test("Cancel: a request whose work is done is still answered")
  func tooLate() async throws {
    try await Conversation.hold { conversation in
      let beginning = await conversation.handler.beginning(of: "b")
      try await conversation.client.send(request(1, "holdOn", #"{"name":"b"}"#))
      try await beginning.value()
      try await conversation.client.send(Self.cancel("1"), request(2, "echo"))
      await conversation.handler.release("b")
      let first = try await conversation.client.message()
      #expect(first.text == answer(1, "\"held b\"") || first.refusal == "1 -32800")
      #expect(try await conversation.client.text() == answer(2))
    }
  }
}
