import Foundation
import TestSupport
import Testing
import VaultServer

/// Replays `protocol/transcripts` against a server in this process and against the built program. The
/// requirement is in each file's name.
@Suite("Transcripts", .serialized) struct TranscriptTests {
  private static let all: Result<[Transcript], any Error> = Result { try Transcript.all() }

  private static func names(where isWanted: (Transcript) -> Bool = { _ in true }) -> [String] {
    (try? all.get().filter(isWanted).map(\.name)) ?? []
  }

  private static func transcript(_ name: String) throws -> Transcript {
    try #require(all.get().first { $0.name == name })
  }

  @Test("Every transcript can be read, and there are as many as the protocol needs")
  func readable() throws {
    #expect(try Self.all.get().count >= 40)
  }

  /// No desktop, so that the answers are the same on a machine that has one.
  private static let withoutDesktop = [
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
  ]

  @Test("In process", arguments: names())
  func inProcess(_ name: String) async throws {
    for (name, value) in Self.withoutDesktop { setenv(name, value, 1) }
    let transcript = try Self.transcript(name)
    try await replay(transcript, framing: transcript.onlyFraming ?? .lines) { directory in
      let time = ControlledTime()
      return Stage(framing: transcript.onlyFraming ?? .lines, vault: directory.appending(transcript.vault)) {
        let configuration = Server.Configuration(
          vault: $1.vault, locale: $0.locale, helpers: try Repository.programs(), clock: time,
          makeTimer: time.makeTimer)
        return try InProcessServer(configuration, framing: $1.framing)
      } setClock: { milliseconds, wallAlone in
        if wallAlone { time.setWall(by: milliseconds) } else { try time.advance(milliseconds) }
      }
    }
  }

  @Test(
    "The built program, one message a line",
    arguments: names { !$0.needsClock && $0.onlyFraming != .headers })
  func lines(_ name: String) async throws {
    try await replayProgram(Self.transcript(name), framing: .lines)
  }

  @Test(
    "The built program, with headers",
    arguments: names { !$0.needsClock && $0.onlyFraming != .lines })
  func headers(_ name: String) async throws {
    try await replayProgram(Self.transcript(name), framing: .headers)
  }

  private func replayProgram(_ transcript: Transcript, framing: Framing) async throws {
    try await replay(transcript, framing: framing) { directory in
      Stage(framing: framing, vault: directory.appending(transcript.vault)) {
        let environment = ["LANG": $0.locale, "HOME": directory.path]
          .merging(Self.withoutDesktop) { first, _ in first }
        return try RunningProgram(
          Repository.program(), ["--vault", $1.vault], environment: environment, framing: $1.framing)
      }
    }
  }

  private func replay(
    _ transcript: Transcript, framing: Framing, _ stage: @escaping @Sendable (TemporaryDirectory) -> Stage
  ) async throws {
    let violations = try await onThread {
      let directory = try TemporaryDirectory()
      let replay = try Replay(transcript, on: stage(directory))
      try replay.run()
      return try CheckScript.violations(of: replay.conversation)
    }
    #expect(violations.isEmpty, "\(violations)")
  }
}
