import Foundation
import TestSupport
import Testing
import VaultServer

/// A worker that does not answer, by a clock that the test moves. What else can go wrong with one, Tests/ImagingTests has.
@Suite("A worker that does not end") struct ImagingTimeTests {
  @Test("R5 after thirty seconds it is killed; the card is as it was, and the next request is answered")
  func timeLimit() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let time = ControlledTime()
      let worker = directory.appending("quickvault-imaging")
      try Data("#!/bin/sh\necho $$ > '\(directory.path)/started'\nexec sleep 1000\n".utf8).write(
        to: URL(filePath: worker))
      guard chmod(worker, 0o755) == 0 else { throw Failure("chmod") }
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
      let deadline = ContinuousClock.now + .seconds(60)
      var process: pid_t?
      while process == nil, ContinuousClock.now < deadline {
        process = (try? String(contentsOfFile: directory.appending("started"), encoding: .utf8))
          .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        sched_yield()
      }
      try time.advance(29_999)
      let started = try #require(process)
      #expect(kill(started, 0) == 0)
      try time.advance(1)
      #expect(try Self.answer(of: server).contains(#""kind":"imaging.timedOut""#))
      #expect(kill(started, 0) == -1)
      #expect(
        try Self.ask(server, "attachment/list", #"{"cardId":"\#(id)"}"#).contains(#""result":{"items":[]}"#))
      server.channel.closeInput()
      _ = try server.ending()
    }
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
