import Glibc
import SessionSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Concurrent password attempts")
  struct ConcurrentUnlockTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      session.lock(.request)
    }

    /// Unlocks in several sessions at once, each on its own actor, as processes would.
    private func unlockAtOnce(_ vault: TestVault, _ passwords: [String]) async -> [VaultError?] {
      await withTaskGroup(of: VaultError?.self) { group in
        for password in passwords {
          group.addTask {
            let owner = SessionOwner(vault)
            do {
              try await owner.unlock(password)
              return nil
            } catch {
              return VaultError(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }

    @Test("R11 eight concurrent right passwords all open the vault, even after two wrong ones")
    func rightAtOnce() async throws {
      for _ in 0..<2 {
        let errors = await unlockAtOnce(vault, Array(repeating: TestVault.password, count: 8))
        #expect(errors == Array(repeating: nil, count: 8))
        #expect(try WaitingTests.failedAttempts(vault) == "0")
        for _ in 0..<2 { _ = await session.errorOfUnlock(WaitingTests.wrong) }
      }
    }

    @Test("R11 of eight concurrent wrong passwords three are tried")
    func wrongAtOnce() async throws {
      let errors = await unlockAtOnce(vault, Array(repeating: WaitingTests.wrong, count: 8))
      #expect(errors.count { $0 == .lockedOut(retryAfterSeconds: 30) } == 5, "\(errors)")
      #expect(Set(errors).count == 4 && !errors.contains(nil))
      #expect(try WaitingTests.failedAttempts(vault) == "3")
    }

    @Test(
      "R11 a process that keeps the attempt lock neither blocks others nor prevents counting"
    )
    func placeKept() async throws {
      // While it has the vault open, the log stays.
      let keeper = vault.session()
      defer { keeper.close() }
      #expect(try keeper.status().exists)
      let log = open(vault.path + "-wal", O_RDONLY | O_CLOEXEC)
      defer { close(log) }
      #expect(flock(log, LOCK_EX | LOCK_NB) == 0)
      session.attemptTimeout = .milliseconds(3)
      #expect(await session.errorOfUnlock(TestVault.password) == nil)
      session.lock(.request)
      let other = vault.session()
      other.attemptTimeout = .milliseconds(3)
      #expect(flock(log, LOCK_UN) == 0 && flock(log, LOCK_EX | LOCK_NB) == 0)
      for left in [2, 1, 0] {
        #expect(
          await other.errorOfUnlock(WaitingTests.wrong)
            == .wrongPassword(attemptsLeft: left, retryAfterSeconds: left == 0 ? 30 : 0))
      }
      #expect(await other.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
      #expect(try WaitingTests.failedAttempts(vault) == "3")
    }
  }
}
