import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Passwords and waiting")
  struct WaitingTests {
    static let wrong = "not the password"

    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      session.lock(.request)
    }

    static func failedAttempts(_ vault: TestVault) throws -> String {
      try RawFile(vault).rows("SELECT failed_attempts FROM lockout").first?.first ?? "none"
    }

    /// Tries wrong passwords until the wait begins.
    private func useUpAttempts(_ session: VaultSession) async {
      for left in [2, 1, 0] {
        let error = await session.errorOfUnlock(Self.wrong)
        #expect(error == .wrongPassword(attemptsLeft: left, retryAfterSeconds: left == 0 ? 30 : 0))
      }
    }

    @Test("R11 during the wait even the right password is refused without being tried")
    func rightPasswordDuringWait() async throws {
      await useUpAttempts(session)
      let status = try session.status()
      #expect(
        status == VaultSession.Status(exists: true, isBound: false, failedAttempts: 3, retryAfterSeconds: 30))
      #expect(await session.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
      vault.clock.advance(seconds: 29)
      #expect(await session.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 1))
      // What is not tried is not counted.
      #expect(try Self.failedAttempts(vault) == "3")
      #expect(session.isLocked)
      vault.clock.advance(seconds: 1)
      #expect(await session.errorOfUnlock(TestVault.password) == nil)
      #expect(try Self.failedAttempts(vault) == "0")
      #expect(try session.status().failedAttempts == 0)
    }

    @Test("R11 the count continues after the wait, is shared by sessions, and survives a restart")
    func sharedCount() async throws {
      let other = vault.session()
      #expect(
        await session.errorOfUnlock(Self.wrong) == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
      #expect(await other.errorOfUnlock(Self.wrong) == .wrongPassword(attemptsLeft: 1, retryAfterSeconds: 0))
      #expect(
        await session.errorOfUnlock(Self.wrong) == .wrongPassword(attemptsLeft: 0, retryAfterSeconds: 30))
      #expect(await other.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
      session.close()
      other.close()
      vault.clock.restart(boot: 1_000)
      let later = vault.session()
      #expect(await later.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
      vault.clock.setWall(by: 86_400_000)
      #expect(await later.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 29))
      vault.clock.advance(seconds: 29)
      for left in [2, 1, 0] {
        let wait = left == 0 ? 60 : 0
        #expect(
          await later.errorOfUnlock(Self.wrong) == .wrongPassword(attemptsLeft: left, retryAfterSeconds: wait)
        )
      }
    }

    @Test("R11 changing and deleting follow the same rules, and an unlocked vault checks its password too")
    func sameRulesEverywhere() async throws {
      #expect(await session.errorOfUnlock(TestVault.password) == nil)
      let change = await errorOf {
        try await session.changePassword(
          from: Self.wrong, to: "a new password", keyDerivation: nil, dropsDevices: false)
      }
      #expect(change == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
      let deletion = await errorOf {
        try await session.delete(password: Self.wrong, confirmation: "vault.quickvault")
      }
      #expect(deletion == .wrongPassword(attemptsLeft: 1, retryAfterSeconds: 0))
      #expect(
        await session.errorOfUnlock(Self.wrong) == .wrongPassword(attemptsLeft: 0, retryAfterSeconds: 30))
      for error in [
        await session.errorOfUnlock(TestVault.password),
        await errorOf {
          try await session.changePassword(
            from: TestVault.password, to: "a new password", keyDerivation: nil, dropsDevices: false)
        },
        await errorOf {
          try await session.delete(password: TestVault.password, confirmation: "vault.quickvault")
        },
      ] {
        #expect(error == .lockedOut(retryAfterSeconds: 30))
      }
      #expect(try Self.failedAttempts(vault) == "3")
      // The vault was unlocked by the right password, and stays so.
      #expect(try session.allCards().isEmpty)
      #expect(try session.refresh() == nil)
    }

    @Test("L a wrong confirmation is refused before the password is checked")
    func confirmation() async throws {
      for name in ["", "vault", vault.path, "vault.quickvault "] {
        let error = await errorOf { try await session.delete(password: Self.wrong, confirmation: name) }
        #expect(error == .confirmationMismatch)
      }
      #expect(try Self.failedAttempts(vault) == "0")
    }

    @Test("R11 an attempt that is cancelled, or whose process dies, counts, and the vault stays locked")
    func cancelled() async throws {
      let slow = try await slowVault()
      let owner = SessionOwner(slow)
      for attempt in 1...3 {
        let task = Task { try await owner.unlock(TestVault.password) }
        try await waitUntil({ try Self.failedAttempts(slow) == "\(attempt)" }, then: { task.cancel() })
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await owner.isLocked)
        #expect(try Self.failedAttempts(slow) == "\(attempt)")
      }
      let later = slow.session()
      #expect(await later.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 30))
      #expect(try later.log(limit: 10).map(\.event) == ["refused", "locked", "created"])
    }

    /// A vault whose password takes long enough to be tried that something can happen meanwhile.
    private func slowVault() async throws -> TestVault {
      let slow = try TestVault()
      let session = slow.session()
      try await session.create(
        password: TestVault.password, keyDerivation: .pbkdf2(iterations: 6_000_000))
      session.lock(.request)
      return slow
    }

    @Test("R11 an attempt that was cancelled before it began may be counted, and never unlocks")
    func cancelledBefore() async throws {
      let owner = SessionOwner(vault)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await owner.unlock(TestVault.password)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await owner.isLocked)
      #expect(await session.errorOfUnlock(TestVault.password) == nil)
    }

    @Test("R11 a password's length is counted in characters, and has a maximum")
    func passwordLengths() async throws {
      let family = "👨‍👩‍👧‍👦"
      let tests: [(String, VaultError?)] = [
        ("", .passwordTooShort(minimum: 8)), ("1234567", .passwordTooShort(minimum: 8)),
        (String(repeating: family, count: 7), .passwordTooShort(minimum: 8)),
        ("e\u{301}e\u{301}e\u{301}e\u{301}", .passwordTooShort(minimum: 8)),
        (String(repeating: "密", count: 1_025), .passwordTooLong(maximum: 1_024)),
        ("12345678", nil), (String(repeating: "密", count: 8), nil),
        (String(repeating: family, count: 8), nil),
        (String(repeating: "密", count: 1_024), nil),
      ]
      for (password, expected) in tests {
        let vault = try TestVault()
        let session = vault.session()
        let error = await errorOf {
          try await session.create(password: password, keyDerivation: TestVault.derivation)
        }
        #expect(error == expected)
        #expect(try session.status().exists == (expected == nil))
        session.lock(.request)
        if expected == nil { #expect(await session.errorOfUnlock(password) == nil) }
      }
      let tooLong = String(repeating: "x", count: 1_025)
      #expect(await session.errorOfUnlock(tooLong) == .passwordTooLong(maximum: 1_024))
      #expect(try Self.failedAttempts(vault) == "0")
    }

    @Test("R11 composed and decomposed letters make the same password")
    func normalization() async throws {
      let vault = try TestVault()
      let session = vault.session()
      try await session.create(password: "cafe\u{301}-가-pass", keyDerivation: TestVault.derivation)
      session.lock(.request)
      #expect(await session.errorOfUnlock("caf\u{e9}-\u{1100}\u{1161}-pass") == nil)
      session.lock(.request)
      #expect(await session.errorOfUnlock("cafe-가-pass") != nil)
    }

    @Test(
      "R10 R11 slot parameters that were weakened or are outside the limits open nothing, without a derivation",
      arguments: [
        ("iterations = 1", VaultError.unsupportedParameters), ("iterations = 99999", .unsupportedParameters),
        ("iterations = 4294967295", .unsupportedParameters), ("algorithm = 3", .unsupportedParameters),
        ("algorithm = 2, iterations = 1, memory_kib = 4294967295", .unsupportedParameters),
        ("memory_kib = 1", .unsupportedParameters), ("algorithm = 255", .unsupportedParameters),
        ("iterations = -1", .damaged(nil)), ("iterations = 9223372036854775807", .damaged(nil)),
        ("kind = 2", .damaged(nil)), ("sealed = x'00'", .damaged(nil)),
        ("iterations = 100001", .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)),
        ("salt = zeroblob(16)", .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)),
      ])
    func weakenedSlot(_ assignment: String, _ expected: VaultError) async throws {
      try RawFile(vault).run("UPDATE slot SET \(assignment)")
      #expect(await session.errorOfUnlock(TestVault.password) == expected)
      if case .wrongPassword = expected {} else { #expect(try Self.failedAttempts(vault) == "0") }
    }

    @Test("R11 a wait that starts in the future restarts with the first attempt, and ends")
    func futureStart() async throws {
      try RawFile(vault).run(
        "INSERT OR REPLACE INTO lockout VALUES (1, 99, 9223372036854775807, 0, 9223372036854775807, '\(vault.clock.bootIdentifier)')"
      )
      #expect(await session.errorOfUnlock(TestVault.password) == .lockedOut(retryAfterSeconds: 900))
      vault.clock.advance(seconds: 900)
      #expect(await session.errorOfUnlock(TestVault.password) == nil)
    }

    @Test("R11 a password that another session changes during the attempt opens nothing")
    func changedWhileTried() async throws {
      let slow = try await slowVault()
      let owner = SessionOwner(slow)
      let task = Task { try await owner.unlock(TestVault.password) }
      try await waitUntil(
        { try Self.failedAttempts(slow) == "1" },
        then: { try RawFile(slow).run("UPDATE slot SET id = zeroblob(16)") })
      await #expect(throws: VaultError.changed) { try await task.value }
      #expect(await owner.isLocked)
    }

    @Test("R11 a vault that locks while its password is checked does not count a right one")
    func lockedWhileTried() async throws {
      let slow = try await slowVault()
      let owner = try await SessionOwner.unlocked(slow)
      let task = Task { try await owner.unlock(TestVault.password) }
      try await waitUntil { try Self.failedAttempts(slow) == "1" }
      await owner.lock()
      try await task.value
      #expect(try Self.failedAttempts(slow) == "0")
    }
  }
}
