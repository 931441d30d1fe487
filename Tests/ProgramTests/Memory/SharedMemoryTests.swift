import Foundation
import Glibc
import TestSupport
import Testing

/// Searches the memory of a service and of the relays of its clients.
@Suite(
  "Shared memory", .serialized,
  .enabled(if: geteuid() == 0, "reading another process's memory takes root"))
struct SharedMemoryTests {
  /// Part of the password and of the card's value, so that one look finds either.
  private static let word = "SECRET" + UUID().uuidString.prefix(13)
  private static let password = "correct horse \(word)"

  /// What a client of the service does when the vault is locked.
  private enum Occupation: CaseIterable {
    case idle, idleWithHeaders
    /// It has sent the first half of a request.
    case sending, sendingHeader
    /// It reads none of its answers, which are longer than all that the kernel keeps for it.
    case notReading, notReadingWithHeaders
    /// It reads the first bytes of an answer, and no more.
    case readingHalf
    /// It has sent requests that wait until it reads, the last of them with the password.
    case waiting
    /// It has sent more requests than the service takes, and reads no answer.
    case flooding

    var framing: Framing {
      switch self {
      case .idleWithHeaders, .sendingHeader, .notReadingWithHeaders: .headers
      default: .lines
      }
    }
  }

  @Test(
    "U R10 after a lock nothing of the vault is in memory of the service or of the relays of nine clients")
  func nothingAfterLock() async throws {
    try await onThread {
      let shared = try SharedVault()
      let one = try shared.client()
      try one.createVault(password: Self.password)
      let id = try Self.createLongCard(one)
      let service = try shared.service
      for round in 0..<2 {
        let clients = try Occupation.allCases.map { occupation in
          (occupation, try Self.occupied(occupation, shared, id))
        }
        let relays = clients.map(\.1.program.process) + [one.program.process]
        // Before the lock, too: what a client does not read stays in the kernel.
        for relay in relays { try Self.expectForgotten(relay, "before the lock, round \(round)") }
        try one.call("session/lock")
        #expect(try one.call("vault/status")["locked"] as? Bool == true)
        for process in relays + [service] { try Self.expectForgotten(process, "round \(round)") }
        #expect(try shared.service == service, "the service goes on")
        for (occupation, client) in clients where [.idle, .idleWithHeaders].contains(occupation) {
          try client.unlock(password: Self.password)
          try client.call("card/list")
        }
        try one.unlock(password: Self.password)
      }
    }
  }

  @Test("U R10 a relay forgets what it carried, and the look finds it while it is carried")
  func relay() async throws {
    try await onThread {
      let shared = try SharedVault()
      let client = try shared.client()
      try client.createVault(password: Self.password)
      let id = try Self.createLongCard(client)
      for _ in 0..<5 { try client.call("card/get", with: ["id": id]) }
      try Self.expectForgotten(client.program.process, "after the answers")
      // The word stays in the service as long as the answer waits.
      try Self.occupy(client, .notReading, id)
      let service = try shared.service
      let deadline = Deadline.usual
      while try ProcessMemory(of: service).occurrences(of: Self.word) == 0 {
        try expect(deadline.milliseconds > 0, "the look finds nothing")
      }
    }
  }

  @Test("U R10 a message that was half read at a lock is forgotten once it is answered")
  func halfRead() async throws {
    try await onThread {
      let shared = try SharedVault()
      let (one, other) = (try shared.client(), try shared.client())
      try one.createVault(password: Self.password)
      try other.unlock(password: Self.password)
      let service = try shared.service
      let status = #"{"jsonrpc":"2.0","id":"s","method":"vault/status"}"#
      let create =
        #"{"jsonrpc":"2.0","id":"c","method":"card/create","params":{"title":"\#(Self.word)"}}"#
      // In one write, so that the half was read when the request before it is answered.
      try other.program.channel.write(
        Array(status.utf8) + [0x0A] + Array(create.utf8.dropLast(4)))
      try expect(try other.program.channel.message().contains(#""locked":false"#), "the status is answered")
      try one.call("session/lock")
      try one.call("vault/status")
      try other.notification("session/didLock")
      try other.program.channel.write(Array(create.utf8.suffix(4)) + [0x0A])
      try expect(try other.program.channel.message().contains("rpc.invalidParameters"), "it is answered")
      try Self.expectForgotten(service, "after the answer")
    }
  }

  /// Stores a card that is longer than a pipe and a socket take.
  private static func createLongCard(_ client: ProgramClient) throws -> String {
    let text = Array(repeating: word, count: 90_000 / word.count).joined(separator: " ")
    return try client.createCard([
      "title": "Long", "group": "personal", "type": "text", "fields": ["text": "text"],
      "extraFields": [["label": "long", "value": text, "concealed": true] as [String: Any]],
    ])
  }

  private static func occupied(_ occupation: Occupation, _ shared: SharedVault, _ id: String) throws
    -> ProgramClient
  {
    let client = try shared.client(framing: occupation.framing)
    try client.unlock(password: password)
    try client.call("card/get", with: ["id": id])
    try occupy(client, occupation, id)
    return client
  }

  private static func occupy(_ client: ProgramClient, _ occupation: Occupation, _ id: String) throws {
    let framing = occupation.framing
    let request = #"{"jsonrpc":"2.0","id":"x","method":"card/get","params":{"id":"\#(id)"}}"#
    let frame = framing.frame(Array(request.utf8))
    switch occupation {
    case .idle, .idleWithHeaders: break
    case .sending: try client.program.channel.write(Array(frame.prefix(frame.count / 2)))
    case .sendingHeader: try client.program.channel.write(Array("Content-Le".utf8))
    case .notReading, .notReadingWithHeaders:
      for _ in 0..<12 { try writeOnly(frame, to: client) }
    case .readingHalf:
      for _ in 0..<12 { try writeOnly(frame, to: client) }
      try client.program.channel.waitForBytes()
    case .waiting:
      // In one write: the service does not read further once the answers have reached a limit.
      let unlock =
        #"{"jsonrpc":"2.0","id":"u","method":"session/unlock","params":{"password":"\#(password)"}}"#
      let last = framing.frame(Array(unlock.utf8))
      try writeOnly(Array(repeating: frame, count: 40).flatMap(\.self) + last, to: client)
    case .flooding:
      // Without a password: the next process reads what this one has left in the socket.
      let flood = Array(repeating: frame, count: 600).flatMap(\.self)
      try client.program.channel.writeWhatFits(flood)
    }
  }

  private static func writeOnly(_ bytes: [UInt8], to client: ProgramClient) throws {
    #expect(try client.program.channel.writeWhatFits(bytes) == bytes.count)
  }

  /// Waits until nothing of the vault is in a process's memory: what it does behind an answer takes a moment.
  private static func expectForgotten(_ process: pid_t, _ what: String) throws {
    let deadline = Deadline.usual
    while try ProcessMemory(of: process).occurrences(of: word) > 0 {
      guard deadline.milliseconds > 0 else { throw Failure("\(what): process \(process) has a secret") }
    }
  }
}
