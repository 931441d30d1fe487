import Foundation
import Service
import TestSupport
import Testing
import Wire

/// The lock of a shared vault whose admitted clients are all in the background, a minute after the last activity (R12).
@Suite("The lock in the background", .timeLimit(.minutes(10))) struct BackgroundLockTests {
  /// Runs a test with a client in a terminal, which has an unlocked vault and has just gone to the background.
  private static func withClientInBackground(
    _ body: @escaping @Sendable (SharedVault, SharedClient) throws -> Void
  ) async throws {
    try await withSharedVault { vault in
      let client = try vault.connect(inTerminal: true)
      try client.createVault()
      try client.notify("client/didEnterBackground")
      // The answer shows that the service has read the notification before it.
      try client.call("vault/status")
      try body(vault, client)
    }
  }

  private static func end(_ client: SharedClient) throws {
    client.program.channel.closeInput()
    #expect(try client.program.exitStatus() == 0)
  }

  @Test("U R12 Programs that were not admitted, and come and go, do not delay it")
  func comingAndGoing() async throws {
    try await Self.withClientInBackground { vault, client in
      for _ in 0..<2 {
        try vault.time.advance(20_000)
        let other = try vault.connect()
        try other.call("vault/status")
        try Self.end(other)
      }
      try vault.time.advance(19_000)
      #expect(try client.call("vault/status").result?["locked"] == false)
      try vault.time.advance(1_000)
      #expect(try client.message("session/didLock")["params"]?["reason"] == "background")
    }
  }

  @Test("U R12 A program that was not admitted, and stays, does not delay it")
  func staying() async throws {
    try await Self.withClientInBackground { vault, client in
      try vault.time.advance(59_000)
      let other = try vault.connect()
      try other.call("vault/status")
      try vault.time.advance(1_000)
      #expect(try client.message("session/didLock")["params"]?["reason"] == "background")
    }
  }

  @Test("U R12 A minute begins anew with the activity of an admitted program, even if that has ended")
  func activity() async throws {
    try await Self.withClientInBackground { vault, client in
      try vault.time.advance(30_000)
      let other = try vault.connect(inTerminal: true)
      try other.call("session/unlock", SharedClient.password)
      try Self.end(other)
      try vault.time.advance(59_000)
      #expect(try client.call("vault/status").result?["locked"] == false)
      try vault.time.advance(1_000)
      #expect(try client.message("session/didLock")["params"]?["reason"] == "background")
    }
  }

  @Test("U R12 With the end of the only program in front it locks at once if its minute is over")
  func leavingFront() async throws {
    try await Self.withClientInBackground { vault, client in
      let other = try vault.connect(inTerminal: true)
      try other.call("session/unlock", SharedClient.password)
      try vault.time.advance(120_000)
      #expect(try client.call("vault/status").result?["locked"] == false)
      try Self.end(other)
      #expect(try client.message("session/didLock")["params"]?["reason"] == "background")
    }
  }
}
