import Foundation
import JSON
import TestSupport
import Testing
import VaultServer

/// A program that was not admitted and takes every connection of a shared vault (U).
@Suite("A crowd of connections", .timeLimit(.minutes(10))) struct CrowdTests {
  private static let password = #"{"password":"correct horse 电池"}"#

  /// Runs a test with a client that has an unlocked vault.
  private static func withClient(
    _ body: @escaping @Sendable (SharedVault, SharedClient) throws -> Void
  ) async throws {
    try await onThread {
      let vault = try SharedVault()
      let client = try vault.connect()
      let created = try client.call(
        "vault/create",
        #"{"password":"correct horse 电池","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}"#)
      try #require(created.result != nil, "\(created.text)")
      do {
        try body(vault, client)
      } catch {
        throw vault.failure.map { Failure("\(error); the service: \($0)") } ?? error
      }
    }
  }

  private static func end(_ crowd: RunningProgram) throws {
    crowd.channel.closeInput()
    _ = try crowd.exitStatus()
  }

  @Test(
    "U A program that takes every connection, and one that forks for each, keep nobody from locking",
    arguments: [1, 256])
  func keeping(processes: Int) async throws {
    try await Self.withClient { vault, first in
      let crowd = try vault.crowd(processes: processes, connections: 256 / processes)
      let second = try vault.connect()
      // The admitted client has kept its connection.
      #expect(try first.call("card/list").result != nil)
      #expect(try second.call("session/lock").result == .null)
      #expect(try first.message("session/didLock")["params"]?["reason"] == "request")
      #expect(try second.call("vault/status").result?["locked"] == true)
      try Self.end(crowd)
    }
  }

  @Test("U A program that connects over and over keeps no admitted program from locking")
  func flooding() async throws {
    try await Self.withClient { vault, client in
      let crowd = try vault.crowd(processes: 4, connections: 70, floods: true)
      for handoffs in 1...5 {
        #expect(try client.call("session/lock").result == .null)
        #expect(try client.call("vault/status").result?["locked"] == true)
        #expect(vault.handoffCount == handoffs)
        #expect(try client.call("session/unlock", Self.password).result != nil)
      }
      try Self.end(crowd)
    }
  }
}
