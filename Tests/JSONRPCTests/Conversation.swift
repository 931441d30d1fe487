import Foundation
import Glibc
import class TestSupport.Event
import func TestSupport.makePipe
import struct TestSupport.DeadlinePassed

@testable import Wire

/// A connection on real pipes, on a loop with a separate thread, and its client.
final class Conversation: Sendable {
  let loop: EventLoop
  let handler: ExampleHandler
  let connection: Connection
  let client: Client
  private let descriptors: (input: Int32, output: Int32)
  private let clientInput: Int32
  private let ended = Event<(ending: CloseReason?, log: [String])>("end of the conversation")

  private init(
    _ framing: Framing, capacity: Int32?, closeTimeout: Duration, resuming streamState: StreamState,
    at stage: Stage
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    let (serverInput, clientOutput) = try makePipe()
    let (clientInput, serverOutput) = try makePipe()
    let setPipeSize: Int32 = 1031
    if let capacity {
      guard fcntl(serverOutput, setPipeSize, capacity) == capacity else { throw SystemError("fcntl") }
    }
    descriptors = (serverInput, serverOutput)
    self.clientInput = clientInput
    client = Client(framing: framing, output: clientOutput, input: clientInput)
    loop = try EventLoop()
    handler = ExampleHandler(loop: loop)
    connection = Connection(
      loop: loop, input: serverInput, output: serverOutput, resuming: streamState, at: stage,
      closeTimeout: closeTimeout,
      handler: handler)
  }

  /// Holds a conversation, and ends it when the test is done with it.
  ///
  /// - Parameters:
  ///   - capacity: how many bytes the pipe to the client holds, where it is not the usual.
  ///   - closeTimeout: how long the last words may wait; by default longer than any test.
  @discardableResult static func hold<Value: Sendable>(
    _ framing: Framing = .lines, capacity: Int32? = nil, closeTimeout: Duration = .seconds(3_600),
    resuming streamState: StreamState = StreamState(),
    at stage: Stage = .fresh, _ body: (Conversation) async throws -> Value
  ) async throws -> Value {
    let conversation = try Conversation(
      framing, capacity: capacity, closeTimeout: closeTimeout, resuming: streamState, at: stage)
    conversation.run()
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await body(conversation)) } catch { outcome = .failure(error) }
    conversation.client.close()
    conversation.stopReading()
    conversation.loop.stop()
    _ = try await conversation.ended.value()
    close(conversation.descriptors.input)
    close(conversation.clientInput)
    return try outcome.get()
  }

  private func run() {
    Task {
      await handler.begin(on: connection)
      await connection.start()
    }
    Thread.detachNewThread { [loop, handler, connection, descriptors, ended] in
      loop.run()
      close(descriptors.output)
      ended.happen((connection.assumeIsolated { $0.closeReason }, handler.assumeIsolated { $0.log }))
    }
  }

  /// Makes the client one that will never read again.
  func stopReading() {
    let nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(nowhere, clientInput)
    close(nowhere)
  }

  /// How it ended, once it has.
  func closeReason() async throws -> CloseReason {
    guard let ending = try await ended.value().ending else {
      throw DeadlinePassed(description: "the loop stopped before the conversation ended")
    }
    return ending
  }

  /// What the handler was asked, once the conversation has ended.
  func finalLog() async throws -> [String] {
    try await ended.value().log
  }

  /// What the client has sent and the connection, which has ended, has not read.
  func unread() -> [UInt8] {
    _ = fcntl(descriptors.input, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = read(descriptors.input, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Waits until the connection has read all that was sent.
  func untilInputIsRead() async {
    var query = pollfd(fd: descriptors.input, events: Int16(POLLIN), revents: 0)
    repeat { await turn() } while poll(&query, 1, 0) > 0
  }

  /// Whether the connection has made, and not yet written, a message with a text.
  func isWaitingToBeWritten(_ text: String) async -> Bool {
    await String(decoding: connection.outputQueue.bytes, as: UTF8.self).contains(text)
  }

  /// Waits for at least two rounds of the loop.
  func turn() async {
    for _ in 0..<2 { _ = await handler.count }
  }
}

/// The text of a request.
func request(_ id: Int, _ method: String, _ parameters: String? = nil) -> String {
  let member = parameters.map { #","params":\#($0)"# } ?? ""
  return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"\#(member)}"#
}

/// The text of a notification.
func notification(_ method: String, _ parameters: String? = nil) -> String {
  let member = parameters.map { #","params":\#($0)"# } ?? ""
  return #"{"jsonrpc":"2.0","method":"\#(method)"\#(member)}"#
}

/// The text of an answer.
func answer(_ id: Int, _ result: String = "null") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
}

/// The text of the example handler's notifications.
func told(_ text: String) -> String {
  #"{"jsonrpc":"2.0","method":"told","params":{"text":"\#(text)"}}"#
}

extension JSON {
  /// The id and code of an error, such as `null -32700`.
  var refusal: String {
    "\(self["id"]?.text ?? "none") \(self["error"]?["code"]?.text ?? "no error: \(text)")"
  }
}

extension Conversation {
  /// Sends messages, of which the handler keeps one as `a`, and waits until it has begun on that.
  func sendHeld(_ texts: String...) async throws {
    let beginning = await handler.beginning(of: "a")
    try await client.send(bytes: client.frames(texts))
    try await beginning.value()
  }

  /// Holds a conversation in which request 0 waits until it is released as `a`, cancelled or interrupted.
  static func whileWaiting(
    _ framing: Framing = .lines, as method: String = "wait", sending texts: [String] = [],
    _ body: (Conversation) async throws -> Void
  ) async throws {
    try await hold(framing, at: .initialized) { conversation in
      let beginning = await conversation.handler.beginning(of: "a")
      let all = [request(0, method, #"{"name":"a"}"#)] + texts
      try await conversation.client.send(bytes: conversation.client.frames(all))
      try await beginning.value()
      try await body(conversation)
    }
  }

  /// Writes until the server neither reads nor gets on with what it has read.
  ///
  /// - Returns: how many bytes went in.
  func fill(with bytes: ArraySlice<UInt8>) async -> Int {
    var rest = bytes
    var answered = -1
    while !rest.isEmpty {
      let sent = client.sendWhatFits(rest)
      rest = rest.dropFirst(sent)
      let count = await handler.count
      await turn()
      guard sent > 0 || count != answered else { break }
      answered = count
    }
    return bytes.count - rest.count
  }

  /// Every message to the end of the conversation, which must come.
  func untilEnd() async throws -> [String] {
    let texts = try await client.rest()
    _ = try await closeReason()
    return texts
  }
}
