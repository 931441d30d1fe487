import Foundation
import Service
import TestSupport
import Testing

/// A worker that does not answer, with a clock that the test controls. Tests/ImagingTests tests other failures.
@Suite("A worker that does not end") struct ImagingTimeTests {
  @Test("R5 after 30 seconds it is killed; the card is unchanged, and the next request is answered")
  func timeLimit() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let time = ControlledTime()
      let worker = directory.appending("quickvault-imaging")
      let started = directory.appending("started")
      guard mkfifo(started, 0o600) == 0 else { throw Failure("mkfifo: \(errno)") }
      let beginning = open(started, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(beginning) }
      try writeProgram("#!/bin/sh\necho $$ > '\(started)'\nexec sleep 1000\n", to: worker)
      let configuration = Server.Configuration(
        vault: directory.appending("vault.quickvault"), locale: "C", helpers: directory.path, clock: time,
        makeTimer: time.makeTimer)
      let server = try InProcessServer(configuration, framing: .lines)
      let password =
        #""password":"correct horse","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}"#
      _ = try Self.ask(server, "vault/create", "{\(password)}")
      let card = try Self.ask(
        server, "card/create", #"{"title":"a","group":"personal","type":"text","fields":{"text":"b"}}"#)
      let id = try #require(card.firstMatch(of: /"card":\{"id":"([^"]+)"/)).1

      try server.channel.send(Self.request("attachment/add", #"{"cardId":"\#(id)","data":"AAAA"}"#))
      let process = try Self.process(on: beginning)
      try time.advance(29_999)
      #expect(kill(process, 0) == 0)
      try time.advance(1)
      #expect(try Self.answer(of: server).contains(#""kind":"imaging.timedOut""#))
      #expect(kill(process, 0) == -1)
      #expect(
        try Self.ask(server, "attachment/list", #"{"cardId":"\#(id)"}"#).contains(#""result":{"items":[]}"#))
      server.channel.closeInput()
      _ = try server.waitForExit()
    }
  }

  /// The id of the worker's process, which it writes when it begins.
  private static func process(on descriptor: Int32) throws -> pid_t {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Deadline.usual.milliseconds) == 1 else { throw Failure("no worker begins") }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    let line = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    return try #require(pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  private static func request(_ method: String, _ parameters: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
  }

  private static func ask(_ server: InProcessServer, _ method: String, _ parameters: String) throws -> String
  {
    try server.channel.send(request(method, parameters))
    return try answer(of: server)
  }

  private static func answer(of server: InProcessServer) throws -> String {
    while true {
      let message = try server.channel.message()
      if message.contains(#""id":1"#) { return message }
    }
  }
}
