import Testing
import class TestSupport.Event

@testable import Wire

/// Clients that send faster than they read, read slowly, or do not read at all.
@Suite(.timeLimit(.minutes(15))) struct ConnectionBackpressureTests {
  @Test(
    "Backpressure: a client that does not read fills a bounded queue and delays no timer; later it receives everything"
  )
  func neverReads() async throws {
    try await Conversation.hold { conversation in
      let padding = String(repeating: "x", count: 1_000)
      let count = 7_000
      let bytes = (0..<count).flatMap { Array((request($0, "echo", "[\"\(padding)\"]") + "\n").utf8) }
      try await conversation.sendHeld(request(count, "hold", #"{"name":"a"}"#))
      var sent = await conversation.fill(with: bytes[...])
      let pipes = 2 * 64 << 10
      #expect(sent > ConnectionLimits.usual.waiting * 9 / 10)
      #expect(sent <= ConnectionLimits.usual.waiting + pipes)

      await conversation.handler.release("a")
      sent += await conversation.fill(with: bytes[sent...])
      #expect(sent > ConnectionLimits.usual.unread)
      #expect(sent <= ConnectionLimits.usual.waiting + ConnectionLimits.usual.unread + 2 * pipes)

      let timer = Event<Void>("timer while the client does not read")
      try await conversation.handler.startTimer(for: timer)
      try await timer.value()

      async let rest: Void = conversation.client.send(bytes: Array(bytes[sent...]))
      #expect(try await conversation.client.text() == answer(count, "\"held a\""))
      for id in 0..<count {
        let text = try await conversation.client.text()
        guard text == answer(id, "[\"\(padding)\"]") else {
          Issue.record("not the answer to \(id): \(text.prefix(100))")
          return
        }
      }
      try await rest
    }
  }

  @Test("Backpressure: an answer above every limit is written completely before the next request starts")
  func largeAnswers() async throws {
    try await Conversation.hold(capacity: 4_096) { conversation in
      let size = 5 << 20
      let large = (0..<3).map { request($0, "large", #"{"size":\#(size)}"#) }
      try await conversation.client.send(bytes: conversation.client.frames(large))
      while await conversation.handler.count == 0 { await conversation.turn() }
      await conversation.turn()
      #expect(await conversation.handler.count == 1)
      conversation.client.close()
      let texts = try await conversation.untilEnd()
      #expect(texts.count == 4)
      for (id, text) in texts.prefix(3).enumerated() {
        #expect(text.utf8.count == answer(id, "\"\"").utf8.count + size)
        #expect(text.hasPrefix(String(answer(id, "\"x").dropLast())))
      }
      #expect(texts.last == told("bye"))
    }
  }

  @Test(
    "Backpressure: more requests in one write than may wait are answered in order",
    arguments: [Framing.lines, .headers])
  func many(framing: Framing) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      let client = conversation.client
      let (count, padded) = (30_000, #"["\#(String(repeating: "x", count: 120))"]"#)
      let bytes = client.frames((0..<count).map { request($0, "echo", padded) })
      #expect(bytes.count > ConnectionLimits.usual.waiting)
      async let sending: Void = {
        try await client.send(bytes: bytes); client.close()
      }()
      let texts = try await conversation.untilEnd()
      try await sending
      #expect(texts.count == count + 1)
      #expect(zip(0..<count, texts).first { $1 != answer($0, padded) } == nil)
    }
  }

  @Test("Backpressure: small answers through a pipe of one page arrive complete")
  func smallPipe() async throws {
    try await Conversation.hold(.headers, capacity: 4_096, at: .initialized) { conversation in
      let client = conversation.client
      let sizes = (0..<500).map { $0 * 37 % 9_000 }
      let requests = sizes.enumerated().map { request($0.offset, "large", #"{"size":\#($0.element)}"#) }
      async let sending: Void = {
        try await client.send(bytes: client.frames(requests)); client.close()
      }()
      let texts = try await conversation.untilEnd()
      try await sending
      #expect(texts.count == sizes.count + 1)
      for (id, (size, text)) in zip(sizes, texts).enumerated() {
        #expect(text == answer(id, "\"\(String(repeating: "x", count: size))\""))
      }
    }
  }

  @Test("Backpressure: a client whose end is closed ends the conversation", arguments: [false, true])
  func closed(isWaiting: Bool) async throws {
    try await Conversation.hold { conversation in
      if isWaiting {
        try await conversation.client.send(request(1, "large", #"{"size":200000}"#), request(2, "echo"))
        while await conversation.handler.count < 2 { await conversation.turn() }
      }
      conversation.stopReading()
      if !isWaiting { try await conversation.client.send(request(3, "echo")) }
      #expect(try await conversation.closeReason() == .unreadable)
    }
  }

  @Test(
    "Backpressure: after the client closed its end with a full queue, no further request is started")
  func closedOverLimit() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(request(1, "large", #"{"size":2000000}"#), request(2, "echo"))
      while await conversation.handler.count < 1 { await conversation.turn() }
      await conversation.turn()
      conversation.stopReading()
      #expect(try await conversation.closeReason() == .unreadable)
      #expect(try await conversation.finalLog() == ["large"])
    }
  }

  @Test("Backpressure: stop takes effect while the end of input waits for a client that does not read")
  func stopAtEnd() async throws {
    try await Conversation.hold(closeTimeout: .zero) { conversation in
      try await conversation.client.send(request(1, "large", #"{"size":200000}"#))
      conversation.client.close()
      while await conversation.handler.log.last != "willEnd" { await conversation.turn() }
      await conversation.connection.stop()
      #expect(try await conversation.closeReason() == .unreadable)
    }
  }

  @Test(
    "Backpressure: once the answers of a batch reach the limit, no further request of it is begun",
    arguments: [Framing.lines, .headers])
  func batchOverLimit(framing: Framing) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      let size = Connection.answerLimit / 3
      let requests = (0..<8).map { request($0, "large", #"{"size":\#(size)}"#) }
      try await conversation.client.send(
        "[" + requests.joined(separator: ",") + "," + notification("other") + "]", request(9, "echo"))
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.count == 8)
      #expect(answers.prefix(3).map { $0["result"]?.string?.utf8.count } == [size, size, size])
      #expect(answers.dropFirst(3).map(\.refusal) == (3..<8).map { "\($0) -32803" })
      #expect(try await conversation.client.text() == answer(9))
      #expect(await conversation.handler.log == ["large", "large", "large", "other", "echo"])
    }
  }

  @Test(
    "Backpressure: an answer over the limit is an error, alone and in a batch",
    arguments: [Framing.lines, .headers])
  func answerOverLimit(framing: Framing) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      let rest = answer(1, "\"\"").utf8.count
      let largest = Connection.answerLimit - rest
      try await conversation.client.send(
        request(1, "large", #"{"size":\#(largest)}"#), request(2, "large", #"{"size":\#(largest + 1)}"#),
        "[" + request(3, "large", #"{"size":\#(largest + 1)}"#) + "," + request(4, "echo") + "]")
      #expect(try await conversation.client.text().utf8.count == Connection.answerLimit)
      #expect(try await conversation.client.message().refusal == "2 -32803")
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.first?.refusal == "3 -32803")
      #expect(answers.dropFirst().map(\.text) == [answer(4)])
    }
  }
}
