import Foundation
import Glibc
import TestSupport
import Testing

/// How the program ends, and what it leaves behind.
@Suite("Ends of the program", .serialized) struct EndingTests {
  @Test(
    "R12 A signal ends the program cleanly: it locks the vault, notifies the client, and checkpoints the log",
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(_ signal: Int32) async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      try client.createNote("note")
      try expect(
        FileManager.default.fileExists(atPath: vault + "-wal"), "the log is there while the vault is open")
      client.program.send(signal: signal)
      try expect(try client.program.exitStatus() == 0, "the exit status is 0")
      var messages: [String] = []
      while let message = try client.program.channel.next() { messages.append(message) }
      try expect(
        messages.last == #"{"jsonrpc":"2.0","method":"session/didLock","params":{"reason":"shutdown"}}"#,
        "the client is told: \(messages)")
      try expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["vault.quickvault"],
        "no log is left")
    }
  }

  @Test("A signal also ends the program after the re-exec at lock")
  func signalAfterLock() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let client = try ProgramClient(vault: directory.appending("vault.quickvault"))
      try client.createVault()
      try client.call("session/lock")
      try client.unlock()
      client.program.send(signal: SIGTERM)
      try expect(try client.program.exitStatus() == 0, "the exit status is 0")
    }
  }

  @Test("R12 A signal that comes before the program serves its client ends it as well")
  func earlySignal() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      // The signal is pending when the program starts, as it can be after the re-exec at lock.
      let program = try RunningProgram(
        "/usr/bin/env",
        [
          "--block-signal=TERM", "/bin/sh", "-c", #"kill -TERM $$; exec "$0" --vault "$1""#,
          try Repository.program(), directory.appending("v"),
        ])
      try expect(try program.exitStatus() == 0, "the exit status is 0")
    }
  }

  @Test("The program ends if nobody reads its answers, and is not killed by SIGPIPE")
  func brokenPipe() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let script = #"( "$PROGRAM" --vault "$VAULT"; printf '%s' "$?" > "$STATUS" ) | head -n 1 > /dev/null"#
      let line = #"{"jsonrpc":"2.0","id":1,"method":"template/list"}"# + "\n"
      let result = try run(
        "/bin/sh", ["-c", script],
        environment: [
          "PATH": "/usr/bin:/bin", "PROGRAM": try Repository.program(), "VAULT": directory.appending("v"),
          "STATUS": directory.appending("status"),
        ], input: String(repeating: line, count: 1_000))
      try expect(result.error.contains("nobody reads the answers"), "it is told: \(result.error)")
      try expect(
        try String(contentsOfFile: directory.appending("status"), encoding: .utf8) == "1", "the status is 1")
    }
  }

  @Test("The program ends with the client's process, before and after a lock", arguments: [false, true])
  func deadClient(_ locks: Bool) async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let editor = try RunningProgram("/bin/cat")
      let client = try ProgramClient(vault: directory.appending("vault.quickvault"))
      try client.call("initialize", #"{"processId":\#(editor.process)}"#)
      try client.createVault()
      if locks { try client.call("session/lock") }
      editor.channel.closeInput()
      _ = try editor.exitStatus()
      try expect(try client.program.exitStatus() == 0, "it ends by itself")
    }
  }

  @Test(
    "A exit without shutdown is status 1, also through a relay and after a lock", arguments: [false, true])
  func earlyExit(isShared: Bool) async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let shared = try SharedVault()
      for (endings, expected) in [(["exit"], 1), (["shutdown", "exit"], 0)] {
        for locks in [false, true] {
          let client =
            try isShared
            ? shared.client(framing: .headers)
            : ProgramClient(vault: directory.appending("\(expected) \(locks)"), framing: .headers)
          if locks {
            _ = try? client.createVault()
            try client.unlock()
            try client.call("session/lock")
          }
          for method in endings {
            if method == "shutdown" {
              try client.call(method)
            } else {
              try client.program.channel.send(#"{"jsonrpc":"2.0","method":"\#(method)"}"#)
            }
          }
          let status = try client.program.exitStatus()
          try expect(status == expected, "\(endings), \(locks): \(status)")
        }
      }
    }
  }

  @Test("The program goes on if it cannot see the client's process, as from a container")
  func hiddenClient() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let gone = try RunningProgram("/bin/true")
      _ = try gone.exitStatus()
      let client = try ProgramClient(vault: directory.appending("v"))
      try client.call("initialize", #"{"processId":\#(gone.process)}"#)
      try client.createVault()
      try client.call("session/lock")
      try client.unlock()
      try expect(try client.program.finish().status == 0, "it ends with its input")
    }
  }

  @Test("R14 kill -9 right after an answer loses nothing")
  func killed() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      var ids: [String] = []
      for round in 0..<5 {
        let client = try ProgramClient(vault: vault)
        if round == 0 { try client.createVault() } else { try client.unlock() }
        for number in 0...round { ids.append(try client.createNote("note \(round).\(number)")) }
        client.program.send(signal: SIGKILL)
        try expect(try client.program.exitStatus() == 128 + SIGKILL, "it was killed")
      }
      let client = try ProgramClient(vault: vault)
      let unlocked = try client.call("session/unlock", #"{"password":"\#(ProgramClient.password)"}"#)
      try expect(unlocked["integrity"] as? String == "intact", "the vault is intact")
      let items = try client.call("card/list")["items"] as? [[String: any Sendable]] ?? []
      try expect(items.map { $0["id"] as? String } == ids.reversed(), "every card is there, in order")
    }
  }
}

/// Throws if an expectation fails, for threads that Swift Testing does not know.
func expect(_ condition: Bool, _ what: String) throws {
  guard condition else { throw Failure("not so: \(what)") }
}
