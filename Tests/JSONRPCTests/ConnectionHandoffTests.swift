import Testing
import struct TestSupport.DeadlinePassed

@testable import Wire

/// Conversations that go on in a new process.
@Suite(.timeLimit(.minutes(15))) struct ConnectionHandoffTests {
  private static let ten = (11...20).map { request($0, "echo", "[\($0)]") }
  private static let tenRefused = (11...20).map { refused($0) }

  /// The answer to a request that was not begun.
  private static func refused(_ id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32800,"message":"cancelled"}}"#
  }

  /// What is left when messages stood behind the one that ended it, in one write.
  private static func streamState(_ framing: Framing, _ first: String, _ rest: [String] = ten) async throws
    -> (StreamState, [String])
  {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      try await conversation.client.send(bytes: conversation.client.frames([first] + rest))
      let texts = try await conversation.untilEnd()
      guard case .handedOff(let streamState, .initialized) = try await conversation.closeReason() else {
        throw DeadlinePassed(description: "not handed over")
      }
      return (streamState, texts)
    }
  }

  @Test(
    "Handoff: requests behind it in one write are refused, and their parameters do not cross",
    arguments: [Framing.lines, .headers])
  func tenRequests(framing: Framing) async throws {
    let (streamState, texts) = try await Self.streamState(framing, request(1, "lock"))
    #expect(texts == [answer(1, "\"locked\""), told("locked")] + Self.tenRefused)
    #expect(streamState == StreamState(framing: framing))
  }

  @Test(
    "Handoff: messages without parameters are answered by the next process, and nothing else of them crosses",
    arguments: [Framing.lines, .headers])
  func withoutParameters(framing: Framing) async throws {
    let waiting = [
      request(11, "echo"), #"{"jsonrpc":"2.0","id":12,"method":"echo","params":[],"password":"horse"}"#,
      JSONRPCTests.notification("tellBack", "{}"),
      JSONRPCTests.notification("tellBack", #"{"text":"horse"}"#), "horse",
      "[\(request(13, "echo")),\(request(14, "echo", "[1]")),\(JSONRPCTests.notification("tellBack"))]",
      request(15, "echo"), JSONRPCTests.notification("$/cancelRequest", #"{"id":15}"#),
    ]
    let (streamState, texts) = try await Self.streamState(framing, request(1, "lock"), waiting)
    #expect(
      texts.dropFirst(2) == [
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"malformedJSON"}}"#,
        "[\(Self.refused(13)),\(Self.refused(14))]", Self.refused(15),
      ])
    let crossing = [request(11, "echo"), request(12, "echo"), JSONRPCTests.notification("tellBack", "{}")]
    #expect(
      streamState == StreamState(framing: framing, frames: crossing.map { .message(Array($0.utf8)) }))

    let resumed = try #require(StreamState(decoding: streamState.encoded))
    try await Conversation.hold(framing, resuming: resumed, at: .initialized) { conversation in
      try await conversation.client.send(request(21, "echo", "[21]"))
      #expect(try await conversation.client.text() == answer(11))
      #expect(try await conversation.client.text() == answer(12))
      #expect(try await conversation.client.text() == told("back"))
      #expect(try await conversation.client.text() == answer(21, "[21]"))
    }
  }

  @Test("Handoff: a notification can ask for it")
  func notification() async throws {
    let (streamState, texts) = try await Self.streamState(.lines, JSONRPCTests.notification("leave"))
    #expect(texts == Self.tenRefused)
    #expect(streamState.frames.isEmpty)
  }

  @Test("Handoff: a batch that asks for it is answered completely")
  func batch() async throws {
    let batch = "[\(request(1, "echo")),\(request(2, "lock")),\(request(3, "echo"))]"
    let (streamState, texts) = try await Self.streamState(.lines, batch)
    #expect(
      texts == ["[\(answer(1)),\(answer(2, "\"locked\"")),\(answer(3))]", told("locked")] + Self.tenRefused)
    #expect(streamState.frames.isEmpty)
  }

  @Test(
    "Handoff: requested by the program, it waits for the current message and sends its notifications after the answer"
  )
  func whileBusy() async throws {
    for batch in [false, true] {
      try await Conversation.hold { conversation in
        let beginning = await conversation.handler.beginning(of: "a")
        let hold = request(1, "hold", #"{"name":"a"}"#)
        try await conversation.client.send(
          batch ? "[\(hold),\(request(2, "echo"))]" : hold, request(3, "echo"))
        try await beginning.value()
        await conversation.connection.handOff(
          .refusingWaiting, sending: [ExampleHandler.Told(text: "leaving")])
        await conversation.turn()
        await conversation.handler.release("a")
        let held = answer(1, "\"held a\"")
        #expect(
          try await conversation.untilEnd() == [batch ? "[\(held),\(answer(2))]" : held, told("leaving")])
        #expect(
          try await conversation.closeReason()
            == .handedOff(
              StreamState(framing: .lines, frames: [.message(Array(request(3, "echo").utf8))]), .fresh))
      }
    }
  }

  @Test("Handoff: a waiting request with parameters is refused, or kept as it is if no secret was given up")
  func waitingRequest() async throws {
    for keepsWaiting in [false, true] {
      try await Conversation.hold { conversation in
        let waiting = request(2, "echo", #"{"password":"p"}"#)
        let beginning = await conversation.handler.beginning(of: "a")
        try await conversation.client.send(request(1, "hold", #"{"name":"a"}"#), waiting)
        try await beginning.value()
        await conversation.connection.handOff(keepsWaiting ? .keepingWaiting : .refusingWaiting)
        await conversation.turn()
        await conversation.handler.release("a")
        let answers = try await conversation.untilEnd()
        #expect(answers.count == (keepsWaiting ? 1 : 2))
        guard case .handedOff(let state, _) = try await conversation.closeReason() else {
          throw DeadlinePassed(description: "not handed over")
        }
        #expect(state.frames == (keepsWaiting ? [.message(Array(waiting.utf8))] : []))
      }
    }
  }

  @Test("Handoff: without a current message it happens at once, with half a message for the next process")
  func whenIdle() async throws {
    try await Conversation.hold(.headers, at: .initialized) { conversation in
      try await conversation.client.send(request(1, "echo"))
      _ = try await conversation.client.message()
      try await conversation.client.send(bytes: Array("Content-Length: 40\r\nX: y\r\n\r\n{\"json".utf8))
      await conversation.untilInputIsRead()
      await conversation.connection.handOff(.refusingWaiting)
      #expect(try await conversation.untilEnd().isEmpty)
      let bytes = Array("Content-Length: 40\r\n\r\n{\"json".utf8)
      #expect(
        try await conversation.closeReason()
          == .handedOff(StreamState(framing: .headers, bytes: bytes), .initialized))
    }
  }

  @Test("Handoff: what the client sends meanwhile is left unread, to the byte", arguments: 0..<50)
  func whileSending(round: Int) async throws {
    try await Conversation.hold { conversation in
      let client = conversation.client
      async let sending: Void = {
        for id in 0..<40 { try await client.send(request(id, id == 4 + round % 8 ? "lock" : "echo")) }
      }()
      let answered = try await conversation.untilEnd().filter { !$0.contains("told") }.count
      try await sending
      guard case .handedOff(let streamState, _) = try await conversation.closeReason() else {
        throw DeadlinePassed(description: "not handed over")
      }
      var reader = FrameReader(resuming: streamState)
      reader.append(conversation.unread())
      var left = streamState.frames
      while let frame = try reader.next() { left.append(frame) }
      #expect(answered == 5 + round % 8)
      #expect(left == (answered..<40).map { .message(Array(request($0, "echo").utf8)) })
    }
  }

  @Test("Handoff: the notifications of a second one are sent as well")
  func twice() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#))
      await conversation.connection.handOff(.refusingWaiting)
      await conversation.connection.handOff(.refusingWaiting, sending: [ExampleHandler.Told(text: "leaving")])
      await conversation.handler.release("a")
      #expect(try await conversation.untilEnd() == [answer(1, "\"held a\""), told("leaving")])
      #expect(try await conversation.closeReason() == .handedOff(StreamState(framing: .lines), .fresh))
    }
  }

  @Test("Handoff: a second one does not change the close reason, and stop replaces both")
  func stopped() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#))
      await conversation.connection.handOff(.refusingWaiting, sending: [ExampleHandler.Told(text: "leaving")])
      await conversation.connection.handOff(.refusingWaiting, sending: [ExampleHandler.Told(text: "again")])
      await conversation.connection.stop()
      _ = try await conversation.untilEnd()
      #expect(try await conversation.closeReason() == .stopped)
    }
  }

  @Test("Handoff: stop takes effect while final notifications wait for a client that does not read")
  func stoppedWhileLeaving() async throws {
    try await Conversation.hold { conversation in
      await conversation.connection.send(ExampleHandler.Told(text: String(repeating: "x", count: 200_000)))
      await conversation.connection.handOff(.refusingWaiting)
      await conversation.turn()
      await conversation.connection.stop()
      _ = try await conversation.untilEnd()
      #expect(try await conversation.closeReason() == .stopped)
    }
  }

  @Test(
    "Handoff: answers that the client has not begun to read become errors, and cross over with what is not written",
    arguments: [Framing.lines, .headers])
  func discarded(framing: Framing) async throws {
    let streamState = try await Conversation.hold(framing, capacity: 4_096, at: .initialized) {
      conversation in
      // The first fills the pipe with what is begun; the others are not begun.
      try await conversation.client.send(
        request(1, "large", #"{"size":6000}"#), request(2, "large", #"{"size":3000}"#),
        "[\(request(3, "large", #"{"size":50}"#)),\(request(4, "echo"))]")
      // A request that is not answered when the connection is handed over gets its own answer afterwards.
      while await !conversation.isWaitingToBeWritten(#""id":4"#) { await conversation.turn() }
      await conversation.connection.handOff(.refusingWaiting, sending: [ExampleHandler.Told(text: "left")])
      // A client that reads before the answers are discarded begins to read the second.
      while await conversation.isWaitingToBeWritten(#""id":2,"result""#) { await conversation.turn() }
      #expect(try await conversation.client.message()["result"]?.string?.count == 6_000)
      guard case .handedOff(let streamState, .initialized) = try await conversation.closeReason() else {
        throw DeadlinePassed(description: "not handed over")
      }
      let rest = streamState.output + Array("".utf8)
      let written = try await conversation.client.rest()
      #expect(!rest.contains(UInt8(ascii: "x")) && !written.contains { $0.contains("xx") })
      return (streamState, written)
    }
    let resumed = try #require(StreamState(decoding: streamState.0.encoded))
    #expect(resumed == streamState.0)
  }

  @Test("Handoff: the answer to the request that leads to it is sent behind an answer that is half read")
  func answered() async throws {
    try await Conversation.hold(.lines, capacity: 4_096, at: .initialized) { (conversation) async throws in
      try await conversation.client.send(
        request(1, "large", #"{"size":6000}"#), request(2, "large", #"{"size":3000}"#), request(3, "lock"))
      while await conversation.handler.count < 3 { await conversation.turn() }
      while await conversation.isWaitingToBeWritten(#""id":2,"result""#) { await conversation.turn() }
      #expect(try await conversation.client.message()["result"]?.string?.count == 6_000)
      guard case .handedOff(let streamState, .initialized) = try await conversation.closeReason() else {
        throw DeadlinePassed(description: "not handed over")
      }
      let written = try await conversation.client.rest().joined()
      let rest = written + String(decoding: streamState.output, as: UTF8.self).replacing("\n", with: "")
      #expect(rest == answer(3, "\"locked\"") + told("locked") + Self.refused(2))
    }
  }

  @Test("Handoff: a client keeps its connection though the process is slow to write its last answers")
  func slow() async throws {
    try await Conversation.hold(closeTimeout: .zero) { conversation in
      await conversation.handler.refuseSlowly()
      let beginning = await conversation.handler.beginning(of: "a")
      try await conversation.client.send(
        request(1, "hold", #"{"name":"a"}"#), request(2, "echo", #"{"password":"p"}"#))
      try await beginning.value()
      await conversation.connection.handOff(.refusingWaiting, sending: [ExampleHandler.Told(text: "leaving")])
      await conversation.turn()
      await conversation.handler.release("a")
      #expect(try await conversation.untilEnd().count == 3)
      #expect(try await conversation.closeReason() == .handedOff(StreamState(framing: .lines), .fresh))
    }
  }

  @Test("Handoff: a client that does not read its last answers ends the conversation")
  func unreadable() async throws {
    try await Conversation.hold(closeTimeout: .zero) { (conversation) async throws -> Void in
      await conversation.connection.send(ExampleHandler.Told(text: String(repeating: "x", count: 200_000)))
      await conversation.connection.handOff(.refusingWaiting)
      #expect(try await conversation.closeReason() == .unreadable)
    }
  }
}
