import Foundation
import SessionSupport
import TestSamples
import TestSupport
import Testing
import VaultInterface

@testable import Vault

/// What a machine remembers outside of a vault's file: attempts and events.
@Suite("State of the machine") struct MachineStateTests {
  private let vault: TestVault
  private let state: TemporaryDirectory

  init() async throws {
    vault = try TestVault()
    state = try TemporaryDirectory()
    let session = try await vault.create()
    try session.note("one")
    session.lock(.request)
  }

  private func session(in directory: String? = nil) -> VaultSession {
    VaultSession(
      path: vault.path, clock: vault.clock, states: StateDirectory(directory ?? state.path + "/quickvault"))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: vault.directory).sorted()
  }

  /// The count of wrong passwords in the file.
  private func countInFile() async throws -> Int { try vault.session().status().failedAttempts }

  @Test(
    "R10 R14 to unlock with the right password, to read, to authorize and to lock changes no byte of the file"
  )
  func unchanged() async throws {
    let bytes = try Data(contentsOf: URL(filePath: vault.path))
    for _ in 0..<2 {
      let session = session()
      try await session.unlock(password: TestVault.password)
      try await session.authorize(password: TestVault.password)
      #expect(try session.allCards(limit: 9).count == 1)
      session.record(.inserted, means: "insert", reason: "an\teditor\n")
      session.lock(.request)
      session.close()
      #expect(try Data(contentsOf: URL(filePath: vault.path)) == bytes)
      #expect(try names() == ["vault.quickvault"])
    }
    let log = try session().log(limit: 4)
    #expect(log.map(\.event) == ["locked", "inserted", "unlocked", "locked"])
    #expect(log[1].reason == "an editor " && log[0].reason == "request")
    #expect(try session().log(limit: 1_000).last?.event == "created")
    let mode = try FileManager.default.attributesOfItem(
      atPath: state.path + "/quickvault/" + name("events"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Another machine does not know the events of this one.
    #expect(try session(in: state.path + "/other").log(limit: 9).allSatisfy { $0.event != "inserted" })
  }

  private func name(_ content: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: state.path + "/quickvault")
    return try #require(names.first { $0.hasPrefix(content + "-") })
  }

  @Test("R11 a wrong password counts in the file too, and on every machine, until the right one is given")
  func wrong() async throws {
    let wrong = VaultError.wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)
    #expect(await session().errorOfUnlock("not the password") == wrong)
    #expect(try await countInFile() == 1)
    let elsewhere = session(in: state.path + "/other")
    #expect(
      await elsewhere.errorOfUnlock("not the password")
        == .wrongPassword(attemptsLeft: 1, retryAfterSeconds: 0))
    #expect(try session().status().failedAttempts == 2)
    elsewhere.close()
    #expect(
      await session().errorOfUnlock("not the password")
        == .wrongPassword(attemptsLeft: 0, retryAfterSeconds: 30))
    #expect(try session(in: state.path + "/third").status().retryAfterSeconds == 30)
    #expect(await session().errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
    vault.clock.advance(seconds: 31)
    let session = session()
    try await session.unlock(password: TestVault.password)
    #expect(try session.status().failedAttempts == 0)
    session.lock(.request)
    #expect(try await countInFile() == 0)
  }

  @Test("R11 an attempt whose process was killed counts on this machine, whatever the file says")
  func killed() async throws {
    let session = session()
    try await session.unlock(password: TestVault.password)
    let identifier = try #require(session.opened?.identifier)
    session.lock(.request)
    let machine = try #require(session.machineAttempts(identifier))
    var lockout = Lockout.none
    for _ in 0..<3 { lockout = lockout.countingAttempt(at: vault.clock) }
    #expect(machine.store(lockout))
    #expect(try session.status().failedAttempts == 3)
    #expect(await session.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
    // A start in the future is corrected, so that the wait ends.
    lockout.startedWall += 1_000_000_000
    #expect(machine.store(lockout))
    #expect(await session.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
    vault.clock.advance(seconds: 31)
    #expect(await session.errorOfUnlock(TestVault.password) == nil)
    session.lock(.request)
    #expect(machine.current == nil)
  }

  @Test("R11 where the machine can remember nothing, an attempt is counted in the file before it is made")
  func nowhere() async throws {
    let session = session(in: "/dev/null/quickvault")
    #expect(
      await session.errorOfUnlock("not the password") == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)
    )
    #expect(try await countInFile() == 1)
    try await session.unlock(password: TestVault.password)
    session.lock(.request)
    #expect(try await countInFile() == 0)
    #expect(try session.log(limit: 9).map(\.event).prefix(3) == ["locked", "unlocked", "wrongPassword"])
  }

  @Test("R11 the deleted row of the attempts is damage, whatever the machine remembers")
  func deletedRow() async throws {
    try RawFile(vault).run("DELETE FROM lockout")
    let session = session()
    #expect(
      await session.errorOfUnlock("not the password") == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)
    )
    try await session.unlock(password: TestVault.password)
    #expect(try session.summary().integrity == .damaged)
    session.lock(.request)
  }

  @Test("R14 what a machine remembers of a vault goes with the vault")
  func deleted() async throws {
    let session = session()
    try await session.unlock(password: TestVault.password)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path + "/quickvault").count == 2)
    try await session.delete(password: TestVault.password, confirmation: "vault.quickvault")
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path + "/quickvault") == [])
  }

  @Test(
    "The log of a machine is read however it was damaged",
    arguments: ["x", "1\ta\tb", "a\tb\tc\td", "\t\t\t"])
  func damagedLog(_ line: String) async throws {
    let session = session()
    try await session.unlock(password: TestVault.password)
    let log = LineLog(in: state.path + "/quickvault", name: try name("events"))
    #expect(log.append(line))
    #expect(try session.log(limit: 1).map(\.event) == ["unlocked"])
    session.lock(.request)
  }
}
