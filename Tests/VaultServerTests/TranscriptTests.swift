import Foundation
import Service
import TestSupport
import Testing

/// `protocol/transcripts`: the requirement is in each file's name.
private enum Transcripts {
  static let all: Result<[Transcript], any Error> = Result { try Transcript.all() }

  static func names(where isWanted: (Transcript) -> Bool = { _ in true }) -> [String] {
    (try? all.get().filter(isWanted).map(\.name)) ?? []
  }

  static func named(_ name: String) throws -> Transcript {
    try #require(all.get().first { $0.name == name })
  }

  /// No desktop, so that the answers are the same on a machine that has one.
  static let withoutDesktop = [
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
  ]

  static func replay(
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

  static func replayProgram(_ transcript: Transcript, framing: Framing) async throws {
    try await Transcripts.replay(transcript, framing: framing) { directory in
      Stage(framing: framing, vault: directory.appending(transcript.vault)) {
        let environment = ["LANG": $0.locale, "HOME": directory.path]
          .merging(withoutDesktop) { first, _ in first }
        return try RunningProgram(
          Repository.program(), ["--vault", $1.vault], environment: environment, framing: $1.framing)
      }
    }
  }
}

/// Replays the transcripts against a server in this process, with a clock that the transcript sets.
@Suite("Transcripts", .serialized) struct TranscriptTests {
  @Test("Every transcript can be read, and there are as many as the protocol needs")
  func readable() throws {
    #expect(try Transcripts.all.get().count >= 40)
  }

  @Test("In process", arguments: Transcripts.names())
  func inProcess(_ name: String) async throws {
    for (name, value) in Transcripts.withoutDesktop { setenv(name, value, 1) }
    let transcript = try Transcripts.named(name)
    try await Transcripts.replay(transcript, framing: transcript.onlyFraming ?? .lines) { directory in
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
}

/// Replays the transcripts against the built program.
@Suite("Transcripts of the program") struct ProgramTranscriptTests {
  @Test(
    "The built program, one message a line unless the transcript needs headers",
    arguments: Transcripts.names { !$0.needsClock })
  func replay(_ name: String) async throws {
    let transcript = try Transcripts.named(name)
    try await Transcripts.replayProgram(transcript, framing: transcript.onlyFraming ?? .lines)
  }
}

@Suite("Transcripts of the program in the other framing") struct ExhaustiveTranscriptTests {
  @Test(
    "The built program, with headers",
    arguments: Transcripts.names { !$0.needsClock && $0.onlyFraming == nil })
  func headers(_ name: String) async throws {
    try await Transcripts.replayProgram(Transcripts.named(name), framing: .headers)
  }
}
