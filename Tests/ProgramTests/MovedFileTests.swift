import Foundation
import Glibc
import TestSupport
import Testing

/// A copy that is moved over a vault whose log is still there, which SQLite would use with the copy.
@Suite("A file moved over a vault") struct MovedFileTests {
  /// A vault with two cards, a copy of it as `copy` with the first alone, and a client that has it open.
  private struct Scene {
    let directory: TemporaryDirectory
    let vault: String
    let copy: String
    let client: ProgramClient

    /// - Parameter count: how many cards the vault has besides that which the copy has too.
    init(cardsSince count: Int, reopened: Bool = false) throws {
      directory = try TemporaryDirectory()
      vault = directory.appending("vault.quickvault")
      copy = directory.appending("copy.quickvault")
      let first = try ProgramClient(vault: vault)
      try first.createVault()
      try first.createNote("in the copy")
      try first.call("vault/backup", #"{"path":"\#(copy)"}"#)
      for number in 0..<count { try first.createNote("since \(number)") }
      guard reopened else {
        client = first
        return
      }
      _ = try first.program.finish()
      client = try ProgramClient(vault: vault)
      try client.unlock()
      try client.createNote("last")
    }

    func moveCopyOver() throws {
      guard rename(copy, vault) == 0 else { throw Failure("rename: \(errno)") }
    }

    func kill() throws {
      client.program.send(signal: SIGKILL)
      _ = try client.program.exitStatus()
    }
  }

  @Test(
    "R14 While a process has the replaced file open, the new one is not opened; then it is, with nothing lost"
  )
  func open() async throws {
    try await onThread {
      for count in [0, 1, 40] {
        let scene = try Scene(cardsSince: count)
        try scene.moveCopyOver()
        let other = try ProgramClient(vault: scene.vault)
        let parameters = #"{"password":"\#(ProgramClient.password)"}"#
        // A process that writes soon notices by itself, and closes the file.
        scene.client.program.send(signal: SIGSTOP)
        #expect(try other.kindOfError("session/unlock", parameters) == "vault.unavailable")
        scene.client.program.send(signal: SIGCONT)
        #expect(try scene.client.kindOfError("card/list") == "vault.changed")
        try other.unlock()
        try other.createNote("answered")
        _ = try scene.client.program.finish()
        #expect(try Self.titles(other) == ["answered", "in the copy"])
        _ = try other.program.finish()
        let last = try ProgramClient(vault: scene.vault)
        try last.unlock()
        #expect(try Self.titles(last) == ["answered", "in the copy"])
      }
    }
  }

  @Test(
    "R14 While a process has the replaced file open, the new one is not opened, though another process has it open"
  )
  func openInTwoProcesses() async throws {
    try await onThread {
      let scene = try Scene(cardsSince: 3)
      let owner = try ProgramClient(vault: scene.copy)
      try owner.unlock()
      try scene.moveCopyOver()
      let other = try ProgramClient(vault: scene.vault)
      let parameters = #"{"password":"\#(ProgramClient.password)"}"#
      scene.client.program.send(signal: SIGSTOP)
      #expect(try other.kindOfError("session/unlock", parameters) == "vault.unavailable")
      scene.client.program.send(signal: SIGCONT)
      #expect(try scene.client.kindOfError("card/list") == "vault.changed")
      try other.unlock()
      try other.createNote("answered")
      #expect(try Self.titles(other) == ["answered", "in the copy"])
      for client in [scene.client, owner, other] { _ = try client.program.finish() }
      let last = try ProgramClient(vault: scene.vault)
      try last.unlock()
      #expect(try Self.titles(last) == ["answered", "in the copy"])
      #expect(try last.call("vault/verify")["integrity"] as? String == "intact")
    }
  }

  @Test("R14 The log that a killed process left is moved away, and the file is intact")
  func killed() async throws {
    try await onThread {
      let scene = try Scene(cardsSince: 40, reopened: true)
      try scene.kill()
      try scene.moveCopyOver()
      let other = try ProgramClient(vault: scene.vault)
      try other.unlock()
      #expect(try Self.titles(other) == ["in the copy"])
      #expect(try other.call("vault/verify")["integrity"] as? String == "intact")
      #expect(access(scene.vault + "-wal-stray", F_OK) == 0)
    }
  }

  @Test("R14 The log of another vault is moved away")
  func otherVault() async throws {
    try await onThread {
      let scene = try Scene(cardsSince: 3)
      let stranger = try Scene(cardsSince: 0)
      try scene.kill()
      guard rename(stranger.copy, scene.vault) == 0 else { throw Failure("rename: \(errno)") }
      let other = try ProgramClient(vault: scene.vault)
      try other.unlock()
      #expect(try Self.titles(other) == ["in the copy"])
      #expect(try other.call("vault/verify")["integrity"] as? String == "intact")
    }
  }

  @Test("R14 A log that continues the file is used, whichever copy the file is")
  func joining() async throws {
    try await onThread {
      let scene = try Scene(cardsSince: 2)
      try scene.kill()
      // A copy of the file and its log, made with cp, is as good as they are.
      let place = scene.directory.appending("moved.quickvault")
      for ending in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: scene.vault + ending, toPath: place + ending)
      }
      let other = try ProgramClient(vault: place)
      try other.unlock()
      #expect(try Self.titles(other) == ["in the copy", "since 0", "since 1"])
      #expect(access(place + "-wal-stray", F_OK) != 0)
    }
  }

  private static func titles(_ client: ProgramClient) throws -> [String] {
    let items = try client.call("card/list", #"{"limit":1000}"#)["items"] as? [[String: any Sendable]]
    return (items ?? []).compactMap { $0["title"] as? String }.sorted()
  }
}
