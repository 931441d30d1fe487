import Glibc
import SessionSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Locking")
  struct LockingTests {
    @Test("R12 a vault locks while another process writes, without its log entry")
    func besideAWriter() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let writer = try RawFile(vault)
      try writer.run("BEGIN IMMEDIATE")
      let isLocked = Box(false)
      let task = Task {
        await owner.lock()
        isLocked.value = true
      }
      // A writer waits for its turn for half a minute.
      try await waitUntil(within: 20) { isLocked.value }
      try writer.run("ROLLBACK")
      await task.value
      #expect(await owner.isLocked)
      let events = try vault.session().log(limit: 10).map(\.event)
      #expect(events == ["unlocked", "locked", "created"])
      #expect(try await vault.unlock().summary().isIntact)
    }

    @Test("R12 R17 a deletion that fails after closing the file locks the vault, and another can be created")
    func afterDeletionHalfDone() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let obstacle = vault.path + "-journal"
      try #require(mkdir(obstacle, 0o700) == 0)
      let refusal = await errorOf {
        try await session.delete(password: TestVault.password, confirmation: "vault.quickvault")
      }
      #expect(refusal != nil && session.isLocked)
      #expect(throws: (any Error).self) { try session.note("into nothing") }
      #expect(!session.lock(.request) && session.isLocked)
      try #require(rmdir(obstacle) == 0)
      #expect(try !session.status().exists)
      try await session.create(password: TestVault.password, keyDerivation: TestVault.derivation)
      #expect(try session.summary().cardCount == 0)
    }

    @Test("R10 the key is released before the log entry is written")
    func keyFirst() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let clock = ProbeClock()
      let session = VaultSession(path: vault.path, clock: clock)
      try await session.unlock(password: TestVault.password)
      nonisolated(unsafe) weak var open: OpenVault?
      open = session.opened
      let hadKey = Box([Bool]())
      clock.probe.value = { hadKey.value.append(open != nil) }
      session.lock(.request)
      clock.probe.value = {}
      #expect(hadKey.value == [false])
      #expect(try session.log(limit: 1).map(\.event) == ["locked"])
    }
  }
}

/// A stopped clock that reports when it is read.
private final class ProbeClock: Clock {
  let probe = Box<@Sendable () -> Void>({})

  var wall: Int64 {
    probe.value()
    return 1_795_000_000_000
  }
  let boot: Int64 = 5_000_000
  let bootIdentifier = "first-boot"
}
