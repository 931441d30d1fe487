import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  /// R10 What a file with values of hostile lengths costs. The system counts what this thread reads.
  @Suite struct HostileLengthTests {
    static let columns = [
      ("vault", "open_settings", "printf('%.*c', 60000000, 'x')"), ("vault", "head", "zeroblob(60000000)"),
      ("slot", "sealed", "zeroblob(60000000)"), ("slot", "id", "zeroblob(60000000)"),
      ("lockout", "boot_id", "printf('%.*c', 60000000, 'x')"), ("document", "sealed", "zeroblob(60000000)"),
      ("card", "sealed", "zeroblob(60000000)"),
    ]

    @Test("R10 the status of a locked vault reads no value that is too long", arguments: columns)
    func status(_ table: String, _ column: String, _ value: String) async throws {
      let vault = try TestVault()
      try await vault.create().close()
      try RawFile(vault).run("UPDATE \(table) SET \(column) = \(value)")
      let session = vault.session()
      let before = try Self.bytesRead()
      #expect(try session.status().exists)
      session.readPlaintextSettings()
      #expect(try Self.bytesRead() - before < 1_000_000)
      session.close()
    }

    @Test("R10 plain settings and a head that are too long are damage, and the cards can be read")
    func cardsStay() async throws {
      let vault = try TestVault()
      try await vault.create().close()
      let owner = try await SessionOwner.unlocked(vault)
      try await owner.addNotes(["one"])
      await owner.lock()
      for (table, column, value) in Self.columns[..<2] {
        try RawFile(vault).run("UPDATE \(table) SET \(column) = \(value)")
      }
      let session = vault.session()
      try await session.unlock(password: TestVault.password)
      let summary = try session.summary()
      #expect(summary.integrity == .damaged)
      #expect(summary.cardCount == 1)
      session.close()
    }

    /// The bytes that this thread has asked the system for (proc(5)).
    private static func bytesRead() throws -> Int {
      let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
      return try #require(Int(line.dropFirst("rchar: ".count)))
    }
  }
}
