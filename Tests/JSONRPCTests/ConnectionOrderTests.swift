import Testing

@testable import Wire

/// Requests, notifications and batches, and the order of what they give.
@Suite(.timeLimit(.minutes(15))) struct ConnectionOrderTests {
  @Test(
    "Connection: requests are answered one after another, with exactly their ids",
    arguments: [Framing.lines, .headers])
  func order(framing: Framing) async throws {
    try await Conversation.hold(framing, at: .initialized) { conversation in
      let ids = [
        "1", "\"a\"", "null", "1.50", "-0", "1e2", "\"税\"", "\"\"", "123456789012345678901234567890",
      ]
      let requests = ids.map { #"{"jsonrpc":"2.0","id":\#($0),"method":"echo","params":[\#($0)]}"# }
      try await conversation.client.send(bytes: conversation.client.frames(requests))
      for id in ids {
        #expect(try await conversation.client.text() == #"{"jsonrpc":"2.0","id":\#(id),"result":[\#(id)]}"#)
      }
      #expect(await conversation.handler.log == Array(repeating: "echo", count: ids.count))
    }
  }

  @Test("Connection: the next request waits for the current one")
  func oneAtATime() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#), request(2, "echo"))
      await conversation.turn()
      #expect(await conversation.handler.log == ["hold"])
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(1, "\"held a\""))
      #expect(try await conversation.client.text() == answer(2))
    }
  }

  @Test("Connection: notifications follow their answer")
  func notifications() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(
        request(1, "tell"), notification("tellBack"), notification("other"), request(2, "echo"))
      conversation.client.close()
      #expect(
        try await conversation.untilEnd() == [
          answer(1), told("first"), told("second"), told("back"), answer(2), told("bye"),
        ])
    }
  }

  @Test("Connection: a batch is answered in one array, its notifications after it")
  func batch() async throws {
    try await Conversation.hold { conversation in
      let mixed = [
        request(1, "tell"), notification("other"), "1", request(2, "none"),
        #"{"jsonrpc":"2.0","id":3,"result":0}"#,
        request(4, "echo", "[1]"), #"{"jsonrpc":"2.0","id":true,"method":"echo"}"#, "[]",
      ]
      try await conversation.client.send("[\(mixed.joined(separator: ","))]", request(5, "echo"))
      guard case .array(let answers) = try await conversation.client.message() else {
        Issue.record("no array")
        return
      }
      #expect(answers.count == 6)
      #expect(answers.first?.text == answer(1))
      #expect(answers.dropFirst().prefix(2).map(\.refusal) == ["null -32600", "2 -32601"])
      #expect(answers.dropFirst(3).first?.text == answer(4, "[1]"))
      #expect(answers.suffix(2).map(\.refusal) == ["null -32600", "null -32600"])
      #expect(try await conversation.client.text() == told("first"))
      #expect(try await conversation.client.text() == told("second"))
      #expect(try await conversation.client.text() == answer(5))
    }
  }

  @Test("Connection: a batch over the limit is rejected as one, and the next request answered")
  func longBatch() async throws {
    try await Conversation.hold { conversation in
      let messages = Array(repeating: notification("a"), count: Connection.batchLimit)
      let longest = "[" + messages.joined(separator: ",") + "]"
      try await conversation.client.send(longest, "[1," + longest.dropFirst(), request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "null -32600")
      #expect(try await conversation.client.text() == answer(1))
      #expect(await conversation.handler.log.count == Connection.batchLimit + 1)
    }
  }

  @Test("Connection: a batch of notifications alone has no answer, and an empty one is refused")
  func silentBatch() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(
        "[\(notification("a")),\(notification("b"))]", "[]", "[[]]", "[1]", request(1, "echo"))
      #expect(try await conversation.client.message().refusal == "null -32600")
      for _ in 0..<2 {
        guard case .array(let answers) = try await conversation.client.message() else {
          Issue.record("no array")
          return
        }
        #expect(answers.map(\.refusal) == ["null -32600"])
      }
      #expect(try await conversation.client.text() == answer(1))
      #expect(await conversation.handler.log == ["a", "b", "echo"])
    }
  }

  @Test("Connection: answers to requests that it never made are ignored")
  func strayAnswers() async throws {
    try await Conversation.hold { conversation in
      try await conversation.client.send(
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
        request(2, "echo"))
      #expect(try await conversation.client.text() == answer(2))
    }
  }

  @Test("Connection: notifications of the program are sent between answers, complete and in order")
  func sending() async throws {
    try await Conversation.hold { conversation in
      try await conversation.sendHeld(request(1, "hold", #"{"name":"a"}"#))
      await withTaskGroup { group in
        for sender in 0..<4 {
          group.addTask {
            for number in 0..<100 {
              await conversation.connection.send(ExampleHandler.Told(text: "\(sender) \(number)"))
            }
          }
        }
      }
      let texts = try await conversation.client.messages(400).compactMap { $0["params"]?["text"]?.string }
      for sender in 0..<4 {
        #expect(texts.filter { $0.hasPrefix("\(sender) ") } == (0..<100).map { "\(sender) \($0)" })
      }
      await conversation.handler.release("a")
      #expect(try await conversation.client.text() == answer(1, "\"held a\""))
    }
  }
}
