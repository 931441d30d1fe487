import Foundation
import Service
import TestSupport
import Testing
import Wire

/// A program that was not admitted and takes every connection of a shared vault (U).
@Suite("A crowd of connections", .timeLimit(.minutes(10))) struct CrowdTests {
  /// Runs a test with a client that has an unlocked vault.
  private static func withClient(
    _ body: @escaping @Sendable (SharedVault, SharedClient) throws -> Void
  ) async throws {
    try await withSharedVault { vault in
      let client = try vault.connect()
      try client.createVault()
      try body(vault, client)
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
        #expect(try client.call("session/unlock", SharedClient.password).result != nil)
      }
      try Self.end(crowd)
    }
  }

  @Test("U Little is kept for a program that was not admitted, and a lock drops a message that it has begun")
  func begunMessage() async throws {
    try await Self.withClient { vault, client in
      let stranger = try vault.connect()
      let long = #"{"password":"\#(String(repeating: "x", count: 100_000))"}"#
      _ = try stranger.send("password/check", long)
      // What was not read has no id.
      #expect(
        try JSONReader.read(Array(stranger.program.channel.message().utf8)).errorKind == "rpc.frameTooLarge")
      #expect(try client.call("password/check", long).errorKind != "rpc.frameTooLarge")
      let other = try vault.connect()
      // Written at once, so that the service has read all of it when it answers the first message.
      let status = #"{"jsonrpc":"2.0","id":1000,"method":"vault/status"}"# + "\n"
      let begun = status + #"{"jsonrpc":"2.0","id":1,"method":"password/check","params":{"password":""#
      try stranger.program.channel.write([UInt8](begun.utf8) + [UInt8](repeating: 0x78, count: 10_000))
      #expect(try stranger.answer(to: 1_000).result != nil)
      #expect(try client.call("session/lock").result == .null)
      #expect(try other.message("session/didLock")["params"]?["reason"] == "request")
      while let message = try stranger.program.channel.next() {
        #expect(!message.contains("didLock"))
      }
    }
  }
}
