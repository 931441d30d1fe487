import Foundation
import TestSupport
import Testing

@testable import Wire

/// The answer to a greeting, as a client waits for it.
@Suite(.timeLimit(.minutes(15))) struct ServiceConnectionTests {
  private static let answer = GreetingResponse.accepted(version: "1.2.3", process: 42)

  @Test("An answer may come in parts")
  func parts() async throws {
    let (client, service) = try Self.pair()
    defer { close(client) }
    async let sent: Void = Self.answer(on: service, after: 3)
    let received = try await blocking { try ServiceConnection.answer(from: client, within: .seconds(600)) }
    #expect(received == Self.answer)
    try await sent
  }

  @Test("An answer whose parts keep coming has to be complete in time")
  func slowly() async throws {
    let (client, service) = try Self.pair()
    async let sent: Void = Self.answer(on: service, after: 200)
    await #expect(throws: ServiceConnection.Failure.noAnswer) {
      try await blocking { try ServiceConnection.answer(from: client, within: .milliseconds(500)) }
    }
    close(client)
    try await sent
  }

  private static func pair() throws -> (client: Int32, service: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  /// Sends spaces one by one and then the answer, unless the client has left by then.
  private static func answer(on socket: Int32, after count: Int) async throws {
    try await blocking {
      defer { close(socket) }
      for _ in 0..<count {
        _ = send(socket, " ", 1, Int32(MSG_NOSIGNAL))
        var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&query, 1, 50) > 0 { return }
      }
      let line = answer.line
      _ = send(socket, line, line.count, Int32(MSG_NOSIGNAL))
    }
  }
}
