import Foundation
import Glibc
import Synchronization
import Testing
import class TestSupport.Event
import func TestSupport.makePipe

@testable import Wire

extension Peer {
  /// Does something on the loop's thread.
  fileprivate func perform(_ body: @Sendable (isolated Peer) -> Void) { body(self) }
}

/// The asking side of a conversation, against a connection on real pipes.
@Suite(.timeLimit(.minutes(15))) struct PeerTests {
  private struct Echo: OutgoingRequest {
    static let method = "echo"
    typealias Response = Int
    var parameters: JSON? { ["text": "not an integer"] }
  }

  private struct Hold: OutgoingRequest {
    static let method = "hold"
    typealias Response = String
    var name: String
    var parameters: JSON? { ["name": .string(name)] }
  }

  private struct Tell: OutgoingRequest {
    static let method = "tell"
    typealias Response = NullResult
    var parameters: JSON? { nil }
  }

  private struct Unknown: OutgoingRequest {
    static let method = "unknown"
    typealias Response = NullResult
    var parameters: JSON? { nil }
  }

  private struct Large: OutgoingRequest {
    static let method = "large"
    typealias Response = String
    var parameters: JSON? { ["size": .integer(3 << 20)] }
  }

  /// The notifications that a peer received.
  private final class Told: Sendable { let texts = Mutex<[String]>([]) }

  /// A peer and its program, on one loop with a separate thread.
  private final class Pair: Sendable {
    let peer: Peer
    let handler: ExampleHandler
    let connection: Connection
    let heard: Told
    private let loop: EventLoop
    private let descriptors: [Int32]

    init() throws {
      signal(SIGPIPE, SIG_IGN)
      let (requests, answers) = (try makePipe(), try makePipe())
      descriptors = [requests.reading, requests.writing, answers.reading, answers.writing]
      loop = try EventLoop()
      handler = ExampleHandler(loop: loop)
      connection = Connection(loop: loop, input: requests.reading, output: answers.writing, handler: handler)
      let (told, output) = (Told(), requests.writing)
      peer = Peer(
        on: loop,
        write: { bytes in
          // The pipe has room: requests are short, and the program reads them all.
          _ = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        },
        onNotification: { notification in
          told.texts.withLock { $0.append(notification.parameters?["text"]?.string ?? notification.method) }
        })
      heard = told
    }

    static func hold(_ body: (Pair) async throws -> Void) async throws {
      let pair = try Pair()
      let end = Event<Void>("end of the loop")
      Thread.detachNewThread { [loop = pair.loop] in
        loop.run()
        end.happen()
      }
      await pair.connection.start()
      await pair.peer.perform { _ in pair.listen() }
      do { try await body(pair) } catch { Issue.record(error) }
      pair.loop.stop()
      try await end.value()
      for descriptor in pair.descriptors { close(descriptor) }
    }

    /// Hands the peer what the program writes, on the loop's thread.
    private func listen() {
      let (peer, loop, input) = (peer, loop, descriptors[2])
      loop.watch(input, for: .reading) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(input, &buffer, buffer.count)
        peer.assumeIsolated { peer in
          if count > 0 { peer.receive(Array(buffer[..<count])) } else { peer.end() }
        }
        if count <= 0 { loop.unwatch(input) }
      }
    }

    /// Ends the program's side as if it had been killed.
    func breakOff() {
      // Closed it would be somebody else's in a moment, whom the end of the conversation would then cut off.
      let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
      dup2(nowhere, descriptors[3])
      close(nowhere)
    }
  }

  @Test("Peer: answers are matched to their requests, whatever the order")
  func overlapping() async throws {
    try await Pair.hold { pair in
      let beginning = await pair.handler.beginning(of: "a")
      let peer = pair.peer
      async let first = peer.ask(Hold(name: "a"))
      try await beginning.value()
      let second = await pair.handler.beginning(of: "b")
      async let next = peer.ask(Hold(name: "b"))
      await pair.handler.release("a")
      try await second.value()
      await pair.handler.release("b")
      let answers = (try await first, try await next)
      #expect(answers == ("held a", "held b"))
    }
  }

  @Test("Peer: notifications are delivered in order, and before later answers")
  func notifications() async throws {
    try await Pair.hold { pair in
      _ = try await pair.peer.ask(Tell())
      _ = try await pair.peer.ask(Tell())
      #expect(pair.heard.texts.withLock { $0 }.prefix(2) == ["first", "second"])
    }
  }

  @Test("Peer: an error answer is thrown unchanged")
  func refusal() async throws {
    try await Pair.hold { pair in
      await #expect(throws: ResponseError(code: -32601, message: "methodNotFound(\"unknown\")")) {
        _ = try await pair.peer.ask(Unknown())
      }
    }
  }

  @Test("Peer: a malformed answer is distinguished from an error answer")
  func unexpected() async throws {
    try await Pair.hold { pair in
      await #expect(throws: PeerError.unexpectedAnswer(ParameterError("result", .integer))) {
        _ = try await pair.peer.ask(Echo())
      }
    }
  }

  @Test("Peer: an answer longer than the pipe arrives complete")
  func large() async throws {
    try await Pair.hold { pair in
      let text = try await pair.peer.ask(Large())
      #expect(text.utf8.count == 3 << 20)
    }
  }

  @Test("Peer: the answer to another peer's request is taken over", arguments: [0, 7])
  func resumption(early: Int) async throws {
    try await Pair.hold { pair in
      let answer = Array(#"{"jsonrpc":"2.0","id":1,"result":"held a"}"#.utf8) + [0x0A]
      let count = early == 0 ? answer.count : early
      await pair.peer.perform { _ = $0.receive(Array(answer[..<count])) }
      async let text = pair.peer.resume(Hold.self)
      await pair.peer.perform { _ = $0.receive(Array(answer[count...])) }
      let answered = try await text
      #expect(answered == "held a")
    }
  }

  @Test("Peer: a cancelled task cancels its request and does not wait")
  func cancellation() async throws {
    try await Pair.hold { pair in
      let beginning = await pair.handler.beginning(of: "a")
      let peer = pair.peer
      let task = Task { try await peer.ask(Hold(name: "a")) }
      try await beginning.value()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // The program was told: it goes on to the next request.
      _ = try await peer.ask(Tell())
      await #expect(throws: CancellationError.self) {
        try await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await peer.ask(Hold(name: "b"))
        }.value
      }
      #expect(await pair.handler.log == ["hold", "tell"])
    }
  }

  @Test("Peer: after the program ends, pending and later requests fail")
  func gone() async throws {
    try await Pair.hold { pair in
      let beginning = await pair.handler.beginning(of: "a")
      let peer = pair.peer
      let task = Task { try await peer.ask(Hold(name: "a")) }
      try await beginning.value()
      pair.breakOff()
      await #expect(throws: PeerError.ended) { try await task.value }
      await #expect(throws: PeerError.ended) { _ = try await peer.ask(Tell()) }
    }
  }

  @Test(
    "Peer: an invalid message ends the conversation",
    arguments: [
      "no JSON\n", "{}\n", "Content-Length: 1\r\n\r\n{", #"{"jsonrpc":"2.0","id":1,"result":0}"# + "\n[]\n",
    ])
  func malformed(text: String) async throws {
    try await Pair.hold { pair in
      let beginning = await pair.handler.beginning(of: "a")
      let peer = pair.peer
      _ = try await peer.ask(Tell())
      let task = Task { try await peer.ask(Hold(name: "a")) }
      try await beginning.value()
      #expect(await !peer.receive(Array(text.utf8)))
      await #expect(throws: PeerError.ended) { try await task.value }
    }
  }

  @Test("Peer: closing it fails pending requests")
  func closed() async throws {
    try await Pair.hold { pair in
      let beginning = await pair.handler.beginning(of: "a")
      let peer = pair.peer
      let task = Task { try await peer.ask(Hold(name: "a")) }
      try await beginning.value()
      await peer.end()
      await #expect(throws: PeerError.ended) { try await task.value }
    }
  }
}
