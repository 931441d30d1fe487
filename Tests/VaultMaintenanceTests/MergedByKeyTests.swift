import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Merge without a password")
  struct MergedByKeyTests {
    private let mine: Replica
    private let other: Replica

    init() async throws {
      mine = try Replica()
      let session = try await mine.vault.create()
      try session.note("one")
      session.lock(.request)
      other = try mine.forked()
      try await other.edit { try $0.note("new") }
    }

    private func merge(_ session: VaultSession, password: String? = nil) async throws -> Merge {
      try await session.merge(UserPath(other.vault.path), password: password, isDryRun: false) { _ in }
    }

    @Test("R14 the vault's key opens a copy, whatever password that has")
    func byKey() async throws {
      let changed = other.vault.session()
      try await changed.changePassword(
        from: TestVault.password, to: "another password", keyDerivation: nil, dropsDevices: false)
      changed.close()
      let bytes = try Data(contentsOf: URL(filePath: other.vault.path))
      let session = try await mine.vault.unlock()
      #expect(try await merge(session).added == 1)
      #expect(try await merge(session) == Merge(unchanged: 2))
      #expect(try session.summary().isIntact)
      session.lock(.request)
      #expect(try Data(contentsOf: URL(filePath: other.vault.path)) == bytes)
      #expect(await mine.vault.session().errorOfUnlock(TestVault.password) == nil)
    }

    @Test("R17 a copy with another key asks for its password, and is refused with it")
    func otherKey() async throws {
      let stranger = try TestVault()
      try await stranger.create().lock(.request)
      let session = try await mine.vault.unlock()
      let identifier = try #require(session.opened?.identifier)
      // Somebody else's vault under this vault's id: its slot is bound to the other id and does not open.
      for path in [stranger.path, stranger.path + "-wal"] {
        let target = other.vault.path + (path.hasSuffix("-wal") ? "-wal" : "")
        try? FileManager.default.removeItem(atPath: target)
        try? FileManager.default.copyItem(atPath: path, toPath: target)
      }
      #expect(await errorOf { _ = try await merge(session) } == .merge(.anotherVault))
      let hexadecimal = identifier.description.replacing("-", with: "")
      try RawFile(other.vault).run("UPDATE vault SET vault_id = x'\(hexadecimal)'")
      #expect(await errorOf { _ = try await merge(session) } == .merge(.passwordRequired))
      #expect(try session.status().failedAttempts == 0)
      let refused = await errorOf { _ = try await merge(session, password: TestVault.password) }
      #expect(refused == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
      session.lock(.request)
    }

    @Test("R17 a copy with a damaged head asks for its password; other damage is told without")
    func damaged() async throws {
      let session = try await mine.vault.unlock()
      try RawFile(other.vault).run("UPDATE card SET revision = revision + 1")
      #expect(await errorOf { _ = try await merge(session) } == .merge(.damagedCopy))
      try RawFile(other.vault).run("UPDATE vault SET generation = generation + 1")
      #expect(await errorOf { _ = try await merge(session) } == .merge(.passwordRequired))
      #expect(
        await errorOf { _ = try await merge(session, password: TestVault.password) } == .merge(.damagedCopy))
      #expect(try session.allCards(limit: 9).count == 1)
      session.lock(.request)
      #expect(await errorOf { _ = try await merge(session) } == .locked)
    }
  }
}
