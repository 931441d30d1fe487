import Testing

@testable import Wire

/// `initialize`, `shutdown` and `exit`, and the ends of conversations.
@Suite(.timeLimit(.minutes(15))) struct ConnectionLifecycleTests {
  @Test("Lifecycle: with headers, initialize comes first and once, and after shutdown only exit")
  func headers() async throws {
    try await Conversation.hold(.headers) { conversation in
      let client = conversation.client
      try await client.send(
        request(1, "echo"), notification("early"), request(2, "shutdown"),
        request(3, "initialize", #"{"fail":true}"#),
        request(4, "echo"), request(5, "initialize"), notification("initialized"), request(6, "initialize"),
        request(7, "echo"), request(8, "shutdown"), request(9, "echo"), request(10, "shutdown"),
        request(11, "initialize"), notification("late"), notification("exit"), request(12, "echo"))
      #expect(
        try await client.messages(4).map(\.refusal) == ["1 -32002", "2 -32002", "3 -32603", "4 -32002"])
      #expect(try await client.text() == answer(5, "\"ready\""))
      #expect(try await client.message().refusal == "6 -32600")
      #expect(try await client.text() == answer(7))
      #expect(try await client.text() == answer(8))
      #expect(try await client.messages(3).map(\.refusal) == ["9 -32600", "10 -32600", "11 -32600"])
      #expect(try await conversation.untilEnd() == [told("bye")])
      #expect(try await conversation.closeReason() == .exit(afterShutdown: true))
    }
  }

  @Test("Lifecycle: notifications before initialize and after shutdown are ignored")
  func droppedNotifications() async throws {
    try await Conversation.hold(.headers) { conversation in
      try await conversation.client.send(
        notification("early"), request(1, "initialize"), notification("between"))
      _ = try await conversation.client.message()
      try await conversation.client.send(request(2, "shutdown"), notification("late"), request(3, "echo"))
      _ = try await conversation.client.messages(2)
      #expect(await conversation.handler.log == ["initialize", "between"])
    }
  }

  @Test("Lifecycle: with lines too, a notification after shutdown is ignored")
  func lateNotifications() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(
        notification("early"), request(2, "shutdown"), notification("late"), request(3, "echo"))
      _ = try await conversation.client.messages(2)
      #expect(await conversation.handler.log == ["early"])
    }
  }

  @Test("Lifecycle: a closed connection is freed with its loop and handler", arguments: [true, false])
  func freed(atEndOfInput: Bool) async throws {
    final class Weakly: Sendable {
      weak let connection: Connection?
      weak let loop: EventLoop?
      weak let handler: ExampleHandler?
      init(_ conversation: Conversation) {
        (connection, loop, handler) = (conversation.connection, conversation.loop, conversation.handler)
      }
    }
    let weakly = try await Conversation.hold { conversation in
      try await conversation.client.send(request(1, "tell"), request(2, "large", #"{"size":200000}"#))
      if atEndOfInput {
        conversation.client.close()
      } else {
        try await conversation.client.send(request(3, "lock"))
      }
      _ = try await conversation.untilEnd()
      return Weakly(conversation)
    }
    // The loop's thread lets go a moment after it has told of the end; the suite's time limit bounds the wait.
    while weakly.connection != nil || weakly.loop != nil || weakly.handler != nil { await Task.yield() }
  }

  @Test(
    "Lifecycle: with lines, initialize may be left out, and shutdown and exit work as they do with headers")
  func lines() async throws {
    try await Conversation.hold { conversation in
      let client = conversation.client
      try await client.send(
        request(1, "echo"), request(2, "initialize"), request(3, "initialize"), request(4, "shutdown"),
        request(5, "echo"), notification("exit"))
      #expect(try await client.text() == answer(1))
      #expect(try await client.text() == answer(2, "\"ready\""))
      #expect(try await client.message().refusal == "3 -32600")
      #expect(try await client.text() == answer(4))
      #expect(try await client.message().refusal == "5 -32600")
      #expect(try await conversation.closeReason() == .exit(afterShutdown: true))
    }
  }

  @Test(
    "Lifecycle: exit without shutdown is reported", arguments: [Framing.lines, .headers],
    [Stage.fresh, .initialized])
  func exitAlone(framing: Framing, stage: Stage) async throws {
    try await Conversation.hold(framing, at: stage) { conversation in
      try await conversation.client.send(notification("exit"))
      #expect(try await conversation.closeReason() == .exit(afterShutdown: false))
    }
  }

  @Test("Lifecycle: exit in a batch ends the conversation after the batch")
  func exitInBatch() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(
        "[\(notification("exit")),\(request(1, "echo"))]", request(2, "echo"))
      #expect(try await conversation.untilEnd() == ["[\(answer(1))]", told("bye")])
      #expect(try await conversation.closeReason() == .exit(afterShutdown: false))
    }
  }

  @Test(
    "Lifecycle: the end of input is reported with the framing and whether shutdown came before",
    arguments: [
      ("", Framing.lines, .endOfInput(nil, afterShutdown: false)),
      (" \n", .lines, .endOfInput(nil, afterShutdown: false)),
      ("{", .lines, .endOfInput(.lines, afterShutdown: false)),
      (request(1, "echo"), .lines, .endOfInput(.lines, afterShutdown: false)),
      (request(1, "shutdown"), .lines, .endOfInput(.lines, afterShutdown: true)),
      ("Content-Length: 2\r\n\r\n{}", .headers, .endOfInput(.headers, afterShutdown: false)),
      ("Content-Length: 2\r\n\r\n{", .headers, .broken(.truncated)),
      ("Content-Length: 2\r\n", .headers, .broken(.truncated)), ("C", .headers, .broken(.truncated)),
      ("nonsense\r\n\r\n", .headers, .broken(.malformedHeader)),
      ("X: 1\r\n\r\n{}", .headers, .broken(.missingLength)),
      ("Content-Length: 99999999999999999999\r\n\r\n", .headers, .broken(.malformedLength)),
    ] as [(String, Framing, CloseReason)])
  func endOfInput(stream: String, framing: Framing, ending: CloseReason) async throws {
    try await Conversation.hold(framing) { conversation in
      try await conversation.client.send(bytes: Array(stream.utf8))
      conversation.client.close()
      let texts = try await conversation.untilEnd()
      #expect(texts.last == told("bye"))
      #expect(try await conversation.closeReason() == ending)
    }
  }

  @Test("Lifecycle: the end of input waits for the answers to the current and the queued requests")
  func endWhileBusy() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#), request(2, "echo"))
      conversation.client.close()
      await conversation.turn()
      await conversation.handler.release("a")
      #expect(try await conversation.untilEnd() == [answer(1, "\"held a\""), answer(2), told("bye")])
      #expect(try await conversation.closeReason() == .endOfInput(.lines, afterShutdown: false))
    }
  }

  @Test("Lifecycle: stop ends the current request and starts no queued one")
  func stop() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#), request(2, "echo"))
      await conversation.connection.stop()
      let texts = try await conversation.untilEnd()
      let first = try JSONReader.read(Array(#require(texts.first).utf8))
      #expect(first.refusal == "1 -32800")
      #expect(Array(texts.dropFirst()) == [told("bye")])
      #expect(try await conversation.closeReason() == .stopped)
    }
  }

  @Test("Lifecycle: stop inside a batch starts none of its remaining requests")
  func stopInBatch() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld("[\(request(1, "hold", #"{"name":"a"}"#)),\(request(2, "echo"))]")
      await conversation.connection.stop()
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.map(\.refusal) == ["1 -32800", "2 -32800"])
      #expect(try await conversation.closeReason() == .stopped)
    }
  }

  @Test(
    "Lifecycle: stop without a current request ends at once, before the first byte and after the last answer")
  func stopWhenIdle() async throws {
    for texts in [[], [request(1, "echo")]] {
      try await Conversation.hold { conversation in
        try await conversation.client.send(bytes: conversation.client.frames(texts))
        for _ in texts { _ = try await conversation.client.message() }
        await conversation.connection.stop()
        #expect(try await conversation.untilEnd() == [told("bye")])
        #expect(try await conversation.closeReason() == .stopped)
      }
    }
  }
}
