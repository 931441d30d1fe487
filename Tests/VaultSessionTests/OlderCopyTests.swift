import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  /// An older copy of the file that replaced a newer one.
  @Suite("Older copies")
  struct OlderCopyTests {
    let vault: TestVault
    let stateDirectory: String
    var copy: String { vault.directory + "/copy" }

    init() throws {
      vault = try TestVault()
      stateDirectory = vault.directory + "/state/quickvault"
    }

    private func newSession(_ directory: String? = nil) -> VaultSession {
      VaultSession(
        path: vault.path, clock: vault.clock, states: StateDirectory(directory ?? stateDirectory))
    }

    private func unlock(_ directory: String? = nil) async throws -> VaultSession {
      let session = newSession(directory)
      try await session.unlock(password: TestVault.password)
      return session
    }

    /// Creates the vault with a card, and locks it.
    private func make() async throws {
      let session = newSession()
      try await session.create(password: TestVault.password, keyDerivation: TestVault.derivation)
      try session.note("first")
      session.lock(.request)
    }

    @Test("L nothing is remembered of a vault that was deleted")
    func deleted() async throws {
      try await make()
      #expect(try FileManager.default.contentsOfDirectory(atPath: stateDirectory).count == 2)
      try await unlock().delete(password: TestVault.password, confirmation: "vault.quickvault")
      #expect(try FileManager.default.contentsOfDirectory(atPath: stateDirectory).isEmpty)
    }

    private func keepCopy() throws {
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: vault.path, toPath: copy)
    }

    private func putCopyBack() throws {
      for companion in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: vault.path + companion)
      }
      try FileManager.default.copyItem(atPath: copy, toPath: vault.path)
    }

    private func changeAndLock(_ title: String) async throws {
      let session = try await unlock()
      vault.clock.advance(seconds: 60)
      try session.note(title)
      session.lock(.request)
    }

    private func expectOlder(
      _ session: VaultSession, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(try session.summary().integrity == .older, sourceLocation: sourceLocation)
      #expect(try await session.verify { _ in }.integrity == .older, sourceLocation: sourceLocation)
      let card = try #require(try session.allCards().first, sourceLocation: sourceLocation)
      for write in [
        { _ = try session.note("new") },
        { _ = try session.updateCard(card.id, revision: nil, CardChange(title: "x")) },
        { try session.deleteCard(card.id, revision: nil) },
        { _ = try session.updateSettings([.language: .text("en")]) },
        { _ = try session.bind(session.newBinding(), name: "laptop", fingerprints: "thumb") },
      ] {
        #expect(vaultError(write) == .older, sourceLocation: sourceLocation)
      }
    }

    @Test(
      "R14 an older copy is noticed that replaces a vault after its log or index was replaced, which locked it",
      arguments: ["-wal", "-shm"])
    func replacedAfterCompanion(companion: String) async throws {
      try await make()
      try keepCopy()
      let session = try await unlock()
      try session.note("second")
      let (name, old) = (vault.path + companion, vault.path + companion + ".old")
      try FileManager.default.copyItem(atPath: name, toPath: old)
      #expect(rename(old, name) == 0)
      #expect(vaultError { try session.note("third") } == .changed)
      session.lock(.request)
      try putCopyBack()
      #expect(try await unlock().summary().integrity == .older)
    }

    @Test("R14 a copy of the file of an unlocked vault without its log is an older copy")
    func withoutLog() async throws {
      try await make()
      let session = try await unlock()
      vault.clock.advance(seconds: 60)
      try session.note("second")
      try keepCopy()
      session.lock(.request)
      try putCopyBack()
      try await expectOlder(unlock())
    }

    @Test("R14 an older copy is read and reported with its time, and can be changed once it was accepted")
    func older() async throws {
      try await make()
      try keepCopy()
      let before = vault.clock.wall
      try await changeAndLock("second")
      try putCopyBack()
      let session = try await unlock()
      let older = try #require(try session.summary().older)
      #expect(older.modifiedAt?.milliseconds == before)
      #expect(older.lastSeenModifiedAt?.milliseconds == before + 60_000)
      try await expectOlder(session)
      let password = await errorOf {
        try await session.changePassword(
          from: TestVault.password, to: "another password", keyDerivation: nil, dropsDevices: false)
      }
      #expect(password == .older)
      session.lock(.request)
      // Looking at it does not make it the newest.
      let again = try await unlock()
      try await expectOlder(again)
      try again.acceptOlder()
      try again.note("goes on")
      #expect(try await again.verify { _ in }.integrity == .intact)
      again.lock(.request)
      #expect(try await unlock().summary().integrity == .intact)
    }

    @Test("R11 R14 the password of an older copy is not changed while it is locked")
    func lockedPassword() async throws {
      try await make()
      try keepCopy()
      try await changeAndLock("second")
      try putCopyBack()
      let error = await errorOf {
        try await newSession().changePassword(
          from: TestVault.password, to: "another password", keyDerivation: nil, dropsDevices: false)
      }
      #expect(error == .older)
    }

    @Test("R14 a copy that diverged from the known one counts as older, a newer one does not")
    func diverged() async throws {
      try await make()
      try keepCopy()
      try await changeAndLock("here")
      try putCopyBack()
      let elsewhere = vault.session()
      try await elsewhere.unlock(password: TestVault.password)
      try elsewhere.note("elsewhere")
      elsewhere.lock(.request)
      let diverged = try await unlock()
      #expect(try diverged.summary().integrity == .older)
      diverged.close()
      try await elsewhere.unlock(password: TestVault.password)
      try elsewhere.note("elsewhere again")
      elsewhere.lock(.request)
      #expect(try await unlock().summary().integrity == .intact)
    }

    @Test("R14 after a kill the last changes may be unknown, but no newer file counts as older")
    func killed() async throws {
      try await make()
      try keepCopy()
      let killed = try await unlock()
      for number in 0..<40 { try killed.note("card \(number)") }
      killed.close()
      #expect(try await unlock().summary().integrity == .intact)
      let state = try Data(contentsOf: URL(filePath: Self.file(in: stateDirectory)))
      try putCopyBack()
      #expect(try await unlock().summary().integrity == .older)
      #expect(try Data(contentsOf: URL(filePath: Self.file(in: stateDirectory))) == state)
    }

    @Test(
      "R10 the state is sealed and private; without a directory, or with a foreign file, nothing is known")
    func directory() async throws {
      try await make()
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      let file = try Self.file(in: stateDirectory)
      #expect(try mode(file) == 0o600 && mode(stateDirectory) == 0o700)
      #expect(try Data(contentsOf: URL(filePath: file)).count == 82)
      try keepCopy()
      try await changeAndLock("second")
      try putCopyBack()
      for directory in ["/dev/null/state", vault.directory + "/elsewhere/quickvault"] {
        let session = try await unlock(directory)
        #expect(try session.summary().integrity == .intact)
        session.lock(.request)
      }
      for content in [Data(), Data(count: 82), Data(count: 5_000)] {
        try content.write(to: URL(filePath: file))
        let session = try await unlock()
        #expect(try session.summary().integrity == .intact)
        session.lock(.request)
      }
    }

    private static func file(in directory: String) throws -> String {
      let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
        $0.hasPrefix("vault-")
      }
      #expect(names.count == 1)
      return directory + "/" + (names.first ?? "")
    }
  }
}
