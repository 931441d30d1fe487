import Testing

@testable import Wire

/// Bad input of each kind gets its error, and the next request its answer.
@Suite(.timeLimit(.minutes(15))) struct ConnectionFaultTests {
  @Test(
    "R17 Connection: the conversation continues after invalid JSON", arguments: [Framing.lines, .headers],
    [
      ("{", "null -32700"), ("?", "null -32700"), ("{\"jsonrpc\":\"2.0\",\"id\":1", "null -32700"),
      ("\u{FEFF}{}", "null -32700"), (#"{"a":"\ud800"}"#, "null -32700"), ("{} {}", "null -32700"),
      ("\u{0}", "null -32700"), ("1", "null -32600"), ("{}", "null -32600"),
      (#"{"jsonrpc":"2.0","id":7,"method":8}"#, "7 -32600"), ("[]", "null -32600"),
      (#"{"jsonrpc":"2.0","id":"7","method":"echo","params":8}"#, "\"7\" -32600"),
      (String(repeating: "[", count: 129), "null -32600"),
      (String(repeating: "[", count: 129) + String(repeating: "]", count: 129), "null -32600"),
    ])
  func continues(framing: Framing, bad: (text: String, refusal: String)) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      try await conversation.client.send(bad.text, request(1, "echo"))
      #expect(try await conversation.client.message().refusal == bad.refusal)
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("R17 Connection: invalid UTF-8 is rejected and the conversation continues")
  func invalidUTF8() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(bytes: Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}\n".utf8))
      try await conversation.client.send(request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "null -32700")
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("R17 Connection: empty content is invalid JSON")
  func emptyContent() async throws {
    try await Conversation.hold(.headers, at: .initialized) { conversation in
      try await conversation.client.send("", request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "null -32700")
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test(
    "R17 Connection: a frame over 32 MiB is refused and the next one answered",
    arguments: [Framing.lines, .headers])
  func tooLarge(framing: Framing) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      let large = "\"" + String(repeating: "x", count: 33 << 20) + "\""
      try await conversation.client.send(large, request(1, "echo"))
      let refusal = try await conversation.client.message()
      #expect(refusal.refusal == "null -32600")
      #expect(refusal["error"]?["message"] == "frameTooLarge")
      #expect(try await conversation.client.text() == answer(1))
    }
  }

  @Test("R17 Connection: a frame of 32 MiB is answered")
  func largest() async throws {
    try await Conversation.hold { conversation in
      let frame = request(1, "count", #"{"a":""}"#)
      let padding = String(repeating: "x", count: (32 << 20) - frame.utf8.count)
      try await conversation.client.send(request(1, "count", #"{"a":"\#(padding)"}"#), request(2, "echo"))
      #expect(try await conversation.client.message().refusal == "1 -32601")
      #expect(try await conversation.client.text() == answer(2))
    }
  }

  @Test("R17 Connection: a broken header ends it, after the answers to what came before")
  func brokenHeader() async throws {
    try await Conversation.hold(.headers, at: .initialized) { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#), request(2, "echo"))
      try await conversation.client.send(bytes: Array("nonsense\r\n\r\n{}".utf8))
      await conversation.turn()
      await conversation.handler.release("a")
      #expect(try await conversation.untilEnd() == [answer(1, "\"held a\""), answer(2), told("bye")])
      #expect(try await conversation.closeReason() == .broken(.malformedHeader))
    }
  }

  @Test("R17 Connection: frames with nothing in them count as waiting too")
  func emptyFrames() async throws {
    try await Conversation.hold(.headers, at: .initialized) { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#))
      let empty = Array(String(repeating: "Content-Length: 0\r\n\r\n", count: 1_000_000).utf8)
      let sent = await conversation.fill(with: empty[...])
      #expect(sent < empty.count)
      conversation.stopReading()
    }
  }
}
