import Foundation
import TestSupport
import Testing

@testable import Wire

/// Bytes on their way between a client and a service.
@Suite(.timeLimit(.minutes(15))) struct RelayTests {
  /// A relay on a thread of its own, between descriptors of a client and a service that echoes.
  private struct Conversation {
    let service: ListeningService
    /// Where the client writes, and reads.
    let (writing, reading): (Int32, Int32)
    let outcome = Event<Relay.Outcome>("the relay's end")

    init(onSockets: Bool) async throws {
      service = try await ListeningService()
      let greeting = Greeting(vault: service.vault, locale: "C")
      let connection = try #require(try ServiceConnection.open(service.place, greeting))
      let (input, output) = (try Self.pair(onSockets), try Self.pair(onSockets))
      (writing, reading) = (input.writing, output.reading)
      let relay = Relay(input: input.reading, output: output.writing, connection)
      try relay.start()
      Thread.detachNewThread { [outcome] in
        outcome.happen(relay.run())
      }
    }

    private static func pair(_ isSocket: Bool) throws -> (reading: Int32, writing: Int32) {
      guard isSocket else { return try makePipe() }
      var ends: [Int32] = [0, 0]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      return (ends[0], ends[1])
    }

    func write(_ bytes: [UInt8]) throws {
      var position = 0
      while position < bytes.count {
        let written = bytes[position...].withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
        try #require(written > 0)
        position += written
      }
    }

    /// Whether anything is left to read. The relay's end stays open, as its process does not end.
    var isReadable: Bool {
      var query = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      return poll(&query, 1, 0) > 0
    }

    func read(_ count: Int) throws -> [UInt8] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 100_000)
      while bytes.count < count {
        let got = Glibc.read(reading, &buffer, min(buffer.count, count - bytes.count))
        try #require(got >= 0)
        if got == 0 { break }
        bytes += buffer[..<got]
      }
      return bytes
    }
  }

  @Test("Every byte arrives in order, in both directions at once", arguments: [false, true])
  func bytes(onSockets: Bool) async throws {
    let conversation = try await Conversation(onSockets: onSockets)
    var generator = SystemRandomNumberGenerator()
    let random = (0..<1 << 20).map { _ in generator.next() }.withUnsafeBytes { Array($0) }
    // What could be the status of the service is kept back at the end.
    let sent = random + [0x0A]
    async let written: Void = blocking {
      try conversation.write(sent)
      close(conversation.writing)
    }
    // The end of the input ends the conversation only after the answers.
    #expect(try await blocking { try conversation.read(sent.count) } == sent)
    try await written
    #expect(try await conversation.outcome.value() == .ended)
    #expect(!conversation.isReadable)
    close(conversation.reading)
    try await conversation.service.stop()
  }

  @Test("A client that does not read holds up only itself", arguments: [false, true])
  func backPressure(onSockets: Bool) async throws {
    let conversation = try await Conversation(onSockets: onSockets)
    // More than all queues between a client that does not read and the service take.
    _ = fcntl(conversation.writing, F_SETFL, O_NONBLOCK)
    var sent = 0
    var query = pollfd(fd: conversation.writing, events: Int16(POLLOUT), revents: 0)
    let chunk = [UInt8](repeating: 0x61, count: 4_096)
    while poll(&query, 1, 200) == 1 {
      let written = Glibc.write(conversation.writing, chunk, chunk.count)
      if written > 0 { sent += written }
      try #require(sent < 16 << 20)
    }
    close(conversation.writing)
    let total = sent
    let received = try await blocking { try conversation.read(total).count }
    #expect(received == total)
    #expect(try await conversation.outcome.value() == .ended)
    #expect(!conversation.isReadable)
    close(conversation.reading)
    try await conversation.service.stop()
  }

  @Test("A client that does not read any more ends the conversation", arguments: [false, true])
  func hangUp(onSockets: Bool) async throws {
    let conversation = try await Conversation(onSockets: onSockets)
    try conversation.write([0x61])
    #expect(try conversation.read(1) == [0x61])
    close(conversation.reading)
    #expect(try await conversation.outcome.value() == .ended)
    try await conversation.service.wait { $0.connectionCount == 0 }
    close(conversation.writing)
    try await conversation.service.stop()
  }

  @Test(
    "A service that closes the connection but keeps running ends the conversation",
    arguments: [false, true])
  func closing(onSockets: Bool) async throws {
    let conversation = try await Conversation(onSockets: onSockets)
    let descriptor = try #require(conversation.service.clients.withLock { $0.first?.descriptor })
    try conversation.write([0x61])
    #expect(try conversation.read(1) == [0x61])
    shutdown(descriptor, Int32(SHUT_RDWR))
    #expect(try await conversation.outcome.value() == .ended)
    close(conversation.writing)
    close(conversation.reading)
    try await conversation.service.stop()
  }
}
