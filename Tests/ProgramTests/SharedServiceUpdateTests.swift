import Foundation
import Glibc
import TestSupport
import Testing

/// A new version of the program that is installed while the old one serves a vault.
@Suite("Shared service: updates", .serialized) struct SharedServiceUpdateTests {
  @Test(
    "U a lock ends the service of a program that was replaced, all clients are told, and the next is the new one"
  )
  func replaced() async throws {
    try await onThread {
      let shared = try SharedVault()
      let installed = try Self.install()
      func client() throws -> ProgramClient {
        try ProgramClient(
          vault: shared.vault, command: [installed.path, "--shared"], environment: shared.environment)
      }
      let (one, other) = (try client(), try client())
      try one.createVault()
      try other.unlock()
      let old = try shared.service
      // Not before the lock: what is open goes on.
      try Self.replace(installed.path)
      try one.createNote("Note")
      try other.call("session/lock")
      for client in [one, other] {
        #expect(try Self.rest(of: client).contains { $0.contains("program.updated") })
        #expect(try client.program.exitStatus() == 0)
        #expect(client.program.standardError.isEmpty, "\(client.program.standardError)")
      }
      let next = try client()
      try next.unlock()
      #expect(try next.call("card/list")["total"] as? Int == 1)
      let new = try shared.service
      #expect(new != old)
      #expect(try Self.file("/proc/\(new)/exe") == Self.file(installed.path))
      // It replaces itself by itself again.
      try next.call("session/lock")
      try next.unlock()
      #expect(try shared.service == new)
    }
  }

  @Test("U a program that was removed, or serves one client alone, goes on after a lock")
  func goesOn() async throws {
    try await onThread {
      let shared = try SharedVault()
      let installed = try Self.install()
      let client = try ProgramClient(
        vault: shared.vault, command: [installed.path, "--shared"], environment: shared.environment)
      try client.createVault()
      try FileManager.default.removeItem(atPath: installed.path)
      try client.call("session/lock")
      try client.unlock()
      try client.call("session/lock")
      _ = try client.program.finish()

      try Self.copy(to: installed.path)
      let alone = try ProgramClient(
        vault: shared.vault, command: [installed.path], environment: shared.environment)
      try alone.unlock()
      try Self.replace(installed.path)
      try alone.call("session/lock")
      try alone.unlock()
    }
  }

  /// A copy of the program in a directory of its own.
  private static func install() throws -> (path: String, directory: TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    let path = directory.appending("quickvault")
    try copy(to: path)
    return (path, directory)
  }

  private static func copy(to path: String) throws {
    // By another process: one that this starts meanwhile would have the file open for writing.
    try #require(try run("/bin/cp", [Repository.program(), path]).status == 0)
  }

  /// Installs another file in the place of the program, as package managers do.
  private static func replace(_ path: String) throws {
    try copy(to: path + ".new")
    try #require(rename(path + ".new", path) == 0)
  }

  /// What a client receives until the end.
  private static func rest(of client: ProgramClient) throws -> [String] {
    var messages: [String] = []
    while let message = try? client.program.channel.message() { messages.append(message) }
    return messages
  }

  private static func file(_ path: String) throws -> ino_t {
    var information = stat()
    try #require(stat(path, &information) == 0)
    return information.st_ino
  }
}
