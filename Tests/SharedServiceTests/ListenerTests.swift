import Foundation
import TestSupport
import Testing

@testable import Wire

/// Clients that connect, greet, misbehave and leave.
@Suite(.timeLimit(.minutes(15))) struct ListenerTests {
  private static func withService(
    user: UInt32 = geteuid(), connections: Int = 0, _ body: (ListeningService) async throws -> Void
  ) async throws {
    let service = try await ListeningService(user: user, connections: connections)
    do { try await body(service) } catch { Issue.record(error) }
    try await service.stop()
  }

  @Test("A client greets, is answered, and finds the bytes after its greeting read by the conversation alone")
  func greeting() async throws {
    try await Self.withService { service in
      let greeting = Greeting(vault: service.vault, locale: "zh_CN", environment: ["DISPLAY": ":1"])
      let requests = [UInt8](repeating: 0x61, count: 50_000)
      let client = try service.connect()
      client.send(greeting.line + requests)
      #expect(try client.answer() == .accepted(version: ListeningService.version, process: Int(getpid())))
      #expect(try client.read(requests.count) == requests)
      let accepted = try #require(service.clients.withLock { $0.first })
      #expect(accepted.greeting == greeting)
      #expect(accepted.peer.process.identity.process == Int(getpid()))
    }
  }

  @Test("A greeting may come byte by byte")
  func slowly() async throws {
    try await Self.withService { service in
      let client = try service.connect()
      for byte in Greeting(vault: service.vault, locale: "C").line {
        client.send([byte])
        try await service.wait { $0.newcomerCount <= 1 }
      }
      guard case .accepted = try client.answer() else { Issue.record("not accepted"); return }
    }
  }

  @Test("After five seconds without a whole greeting a client is refused")
  func timeout() async throws {
    try await Self.withService { service in
      let (silent, half) = (try service.connect(), try service.connect())
      half.send(Array(#"{"quickvault":1,"#.utf8))
      try await service.wait { $0.newcomerCount == 2 }
      await service.fire(after: .seconds(5))
      for client in [silent, half] {
        #expect(try client.answer() == .refused(.malformed, version: ListeningService.version))
        #expect(try client.isAtEnd())
      }
      #expect(await service.listener.newcomerCount == 0)
    }
  }

  @Test(
    "Garbage, a line that is too long and another vault are refused",
    arguments: [
      (Array("GET / HTTP/1.1\r\n".utf8), GreetingResponse.Refusal.malformed), ([0x0A], .malformed),
      ([UInt8](repeating: 0x61, count: Greeting.limit), .malformed),
      ([UInt8](repeating: 0, count: 100_000), .malformed),
      (Greeting(vault: "/another", locale: "C").line, .otherVault),
    ])
  func refused(_ bytes: [UInt8], _ refusal: GreetingResponse.Refusal) async throws {
    try await Self.withService { service in
      let client = try service.connect()
      client.send(bytes)
      #expect(try client.answer() == .refused(refusal, version: ListeningService.version))
      #expect(try client.isAtEnd())
      #expect(service.clients.withLock { $0.isEmpty })
    }
  }

  @Test("Clients of another user are refused")
  func otherUser() async throws {
    try await Self.withService(user: geteuid() + 1) { service in
      let client = try service.connect()
      #expect(try client.answer() == .refused(.otherUser, version: ListeningService.version))
    }
  }

  @Test("Beyond 256 connections a client is refused for which there is no room, until one is closed")
  func tooMany() async throws {
    try await Self.withService(connections: Listener.connectionLimit - 1) { service in
      let greeting = Greeting(vault: service.vault, locale: "C").line
      func greet() throws -> (Client, GreetingResponse?) {
        let client = try service.connect()
        client.send(greeting)
        return (client, try client.answer())
      }
      var last: (Client, GreetingResponse?)? = try greet()
      guard case .accepted = last?.1 else { Issue.record("not accepted"); return }
      #expect(try greet().1 == .refused(.tooMany, version: ListeningService.version))
      last = nil
      try await service.wait { $0.connectionCount < Listener.connectionLimit }
      guard case .accepted = try greet().1 else { Issue.record("not accepted"); return }
    }
  }

  @Test("64 clients with half a greeting keep nobody waiting, and the oldest make room for new ones")
  func silent() async throws {
    try await Self.withService { service in
      func half() throws -> Client {
        let client = try service.connect()
        client.send(Array("{".utf8))
        return client
      }
      var halves = try (0..<Listener.greetingLimit).map { _ in try half() }
      try await service.wait { $0.newcomerCount == Listener.greetingLimit }
      // If its greeting came after it was accepted, it would take the place of the first.
      let client = try await service.connect(sending: Greeting(vault: service.vault, locale: "C").line)
      guard case .accepted = try client.answer() else { Issue.record("not accepted"); return }
      #expect(await service.listener.newcomerCount == Listener.greetingLimit)
      // A further one closes the first, which may connect again.
      halves.append(try half())
      #expect(try halves[0].isAtEnd())
      #expect(await service.listener.newcomerCount == Listener.greetingLimit)
      await service.fire(after: .seconds(5))
      for half in halves.dropFirst() {
        #expect(try half.answer() == .refused(.malformed, version: ListeningService.version))
      }
    }
  }

  @Test("A client that leaves in mid-greeting is forgotten")
  func leaving() async throws {
    try await Self.withService { service in
      var client: Client? = try service.connect()
      client?.send(Array("{".utf8))
      try await service.wait { $0.newcomerCount == 1 }
      client = nil
      try await service.wait { $0.newcomerCount == 0 }
    }
  }

  @Test("A thousand clients in a row are served, and leave no descriptor behind")
  func thousand() async throws {
    try await Self.withService { service in
      let greeting = Greeting(vault: service.vault, locale: "C").line
      for _ in 0..<1_000 {
        let client = try service.connect()
        client.send(greeting + [0x62])
        guard case .accepted = try client.answer() else { Issue.record("not accepted"); return }
        #expect(try client.read(1) == [0x62])
      }
      try await service.wait { $0.connectionCount == 0 && $0.newcomerCount == 0 }
    }
  }

  @Test("A listener that stops drops half greetings, and another goes on with its socket and connections")
  func handoff() async throws {
    try await Self.withService { service in
      let (half, whole) = (try service.connect(), try service.connect())
      half.send(Array("{".utf8))
      whole.send(Greeting(vault: service.vault, locale: "C").line)
      _ = try whole.answer()
      try await service.wait { $0.newcomerCount == 1 }
      _ = await service.listener.stop()
      #expect(try half.isAtEnd())
      let later = try service.connect()
      later.send(Greeting(vault: service.vault, locale: "C").line)
      whole.send([0x63])
      #expect(try whole.read(1) == [0x63])
      try await service.listener.start()
      guard case .accepted = try later.answer() else { Issue.record("not accepted"); return }
    }
  }
}
