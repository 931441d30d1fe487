import SessionSupport
import Testing
import VaultCrypto
import VaultInterface

@testable import Vault

extension SessionTests {
  /// Rows that are not sealed: key slots, plain settings, and the count of wrong passwords.
  @Suite("Slots and plain settings")
  struct PlainRowsTests {
    static let new = "the new password 新"
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      try session.note("kept")
    }

    /// Changes the password, and keeps the slot of the old one.
    private func changePassword() async throws {
      oldSlot.value = try RawFile(vault).rows("SELECT \(Self.columns) FROM slot")[0]
      try await session.changePassword(
        from: TestVault.password, to: Self.new, keyDerivation: nil, dropsDevices: false)
      session.close()
    }

    private let oldSlot = Box<[String]>([])
    private static let columns =
      "quote(id), kind, algorithm, iterations, memory_kib, quote(salt), quote(sealed)"

    private func putSlotBack() throws {
      try RawFile(vault).run("INSERT INTO slot VALUES (\(oldSlot.value.joined(separator: ", ")))")
    }

    private func unlock(_ password: String) async throws -> VaultSession {
      let session = vault.session()
      try await session.unlock(password: password)
      return session
    }

    private func expectDamaged(_ session: VaultSession, _ findings: [Finding]) async throws {
      #expect(try !session.summary().isIntact)
      let verification = try await session.verify { _ in }
      #expect(
        verification.integrity == .damaged && verification.findings == findings
          && verification.damaged.isEmpty)
      #expect(vaultError { try session.note("new") } == .damaged(nil))
      #expect(try session.allCards().map(\.title) == ["kept"])
    }

    @Test("R10 a restored slot of an earlier password opens the vault only as damaged")
    func putBack() async throws {
      try await changePassword()
      try RawFile(vault).run("DELETE FROM slot")
      try putSlotBack()
      let old = try await unlock(TestVault.password)
      try await expectDamaged(old, [.keySlots])
      // Changing the password would make it look right.
      let error = await errorOf {
        try await old.changePassword(
          from: TestVault.password, to: "yet another password", keyDerivation: nil, dropsDevices: false)
      }
      #expect(error == .damaged(nil))
      _ = try await old.repair(password: nil, copy: nil)
      #expect(try await old.verify { _ in }.integrity == .intact)
    }

    @Test(
      "R10 with both slots, both passwords open it as damaged; a repair keeps the slot of the given one")
    func besideTheCurrent() async throws {
      try await changePassword()
      try putSlotBack()
      for password in [TestVault.password, Self.new] {
        let opened = try await unlock(password)
        try await expectDamaged(opened, [.keySlots])
        opened.close()
      }
      let repaired = vault.session()
      _ = try await repaired.repair(password: Self.new, copy: nil)
      #expect(await repaired.errorOfUnlock(Self.new) == nil)
      #expect(try await repaired.verify { _ in }.integrity == .intact)
      try repaired.note("goes on")
      repaired.close()
      #expect(
        await vault.session().errorOfUnlock(TestVault.password)
          == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
    }

    @Test("R10 two password slots are damage in a vault of the older format too")
    func twoSlotsOfOlderFormat() async throws {
      try session.makeOlderFormat(of: vault)
      session.close()
      let before = try RawFile(vault).rows("SELECT \(Self.columns) FROM slot")[0]
      var other = before
      other[0] = "zeroblob(16)"
      try RawFile(vault).run("INSERT INTO slot VALUES (\(other.joined(separator: ", ")))")
      let opened = try await unlock(TestVault.password)
      try await expectDamaged(opened, [.keySlots])
      #expect(try RawFile(vault).value("SELECT count(*) FROM migration") == "3")
      _ = try await opened.repair(password: nil, copy: nil)
      #expect(try await opened.verify { _ in }.integrity == .intact)
      #expect(try RawFile(vault).value("SELECT count(*) FROM slot") == "1")
    }

    @Test(
      "T R10 a device's slot that was added, changed or removed is damage, also while the vault is unlocked",
      arguments: [
        "INSERT INTO slot SELECT zeroblob(16), 2, 3, 0, 0, salt, sealed FROM slot WHERE kind = 1",
        "UPDATE slot SET salt = zeroblob(16) WHERE kind = 2", "DELETE FROM slot WHERE kind = 2",
        "INSERT INTO slot SELECT zeroblob(16), 99, 3, 0, 0, salt, x'00' FROM slot WHERE kind = 1",
      ])
    func otherSlots(_ sql: String) async throws {
      _ = try session.bind(session.newBinding(), name: "laptop", fingerprints: "thumb")
      #expect(try await session.verify { _ in }.integrity == .intact)
      try RawFile(vault).run(sql)
      #expect(try session.refresh() == .all)
      try await expectDamaged(session, [.keySlots])
      session.close()
      let opened = try await vault.unlock()
      try await expectDamaged(opened, [.keySlots])
      _ = try await opened.repair(password: nil, copy: nil)
      #expect(try await opened.verify { _ in }.integrity == .intact)
      #expect(try RawFile(vault).rows("SELECT kind FROM slot") == [["1"]])
    }

    @Test("T R10 devices that the head accounts for stay bound when a repair drops an old password's slot")
    func devicesAreKept() async throws {
      let binding = try session.newBinding()
      _ = try session.bind(binding, name: "laptop", fingerprints: "thumb")
      oldSlot.value = try RawFile(vault).rows("SELECT \(Self.columns) FROM slot WHERE kind = 1")[0]
      try await session.changePassword(
        from: TestVault.password, to: Self.new, keyDerivation: nil, dropsDevices: false)
      session.close()
      try putSlotBack()
      let repaired = vault.session()
      _ = try await repaired.repair(password: Self.new, copy: nil)
      try await repaired.unlock(deviceSecret: binding.secret, fingerprints: "thumb")
      #expect(try repaired.summary().isIntact)
    }

    @Test(
      "R10 every change of a slot or a plain setting leaves the vault intact, here and in other processes")
    func changes() async throws {
      let other = try await vault.unlock()
      _ = try session.bind(session.newBinding(), name: "laptop", fingerprints: "thumb")
      _ = try session.updateSettings([.biometricUnlock: .flag(false), .language: .text("en")])
      _ = try other.refresh()
      #expect(try other.summary().isIntact)
      try other.note("by the other")
      try session.revoke(try session.devices()[0].id)
      #expect(try await session.verify { _ in }.integrity == .intact)
      try await session.changePassword(
        from: TestVault.password, to: Self.new, keyDerivation: nil, dropsDevices: true)
      try session.note("with the new password")
      #expect(try await session.verify { _ in }.integrity == .intact)
      session.lock(.request)
      try await session.changePassword(
        from: Self.new, to: TestVault.password, keyDerivation: nil, dropsDevices: true)
      #expect(try await vault.unlock().verify { _ in }.integrity == .intact)
    }

    @Test("R11 a missing count of wrong passwords is damage until a repair, whatever passwords are tried")
    func missingCount() async throws {
      session.close()
      try RawFile(vault).run("DELETE FROM lockout")
      let next = vault.session()
      #expect(await next.errorOfUnlock("wrong one") == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
      #expect(await next.errorOfUnlock("wrong one") == .wrongPassword(attemptsLeft: 1, retryAfterSeconds: 0))
      #expect(try next.status().failedAttempts == 2)
      for _ in 0..<2 {
        let opened = try await vault.unlock()
        try await expectDamaged(opened, [.attempts])
        opened.lock(.request)
      }
      _ = try await next.repair(password: TestVault.password, copy: nil)
      #expect(try await vault.unlock().verify { _ in }.integrity == .intact)
    }

    @Test(
      "R14 a vault of the older format is migrated by the first right password, completely or not at all"
    )
    func migration() async throws {
      let binding = try session.newBinding()
      _ = try session.bind(binding, name: "laptop", fingerprints: "thumb")
      try session.makeOlderFormat(of: vault)
      session.close()
      let raw = try RawFile(vault)
      let steps = "SELECT count(*) FROM migration"
      #expect(await vault.session().errorOfUnlock("wrong one") != nil)
      #expect(try raw.value(steps) == "3")
      // A finger says nothing of the password's slot.
      let byFinger = vault.session()
      try await byFinger.unlock(deviceSecret: binding.secret, fingerprints: "thumb")
      #expect(try byFinger.summary().isIntact)
      byFinger.lock(.request)
      #expect(try raw.value(steps) == "3")
      let opened = try await vault.unlock()
      #expect(try raw.value(steps) == "7")
      #expect(try await opened.verify { _ in }.integrity == .intact)
      #expect(try opened.unlocked().head.plainHash != nil)
      #expect(try raw.value("SELECT failed_attempts FROM lockout") == "0")
      try opened.note("goes on")
      opened.lock(.request)
      try raw.run(stepsRemoved)
      let damaged = try await vault.unlock()
      try await expectDamagedHead(damaged)
    }

    private func expectDamagedHead(_ session: VaultSession) async throws {
      #expect(try !session.summary().isIntact)
      #expect(try await session.verify { _ in }.findings.contains(.records))
    }

    @Test("R14 a damaged vault of the older format is not migrated")
    func damagedOlderFormat() async throws {
      try session.makeOlderFormat(of: vault)
      session.close()
      let raw = try RawFile(vault)
      try raw.run("UPDATE card SET sealed = zeroblob(99)")
      #expect(try !(await vault.unlock()).summary().isIntact)
      #expect(try raw.value("SELECT count(*) FROM migration") == "3")
    }
  }
}

extension VaultSession {
  /// Takes an unlocked vault back to the format whose head accounts for sealed records only, as a program of that time wrote it.
  func makeOlderFormat(of vault: TestVault) throws {
    let open = try unlocked()
    try open.file.write { transaction in
      try open.catchUp(transaction.read)
      var head = open.head
      head.plainHash = nil
      let sealed = try open.reader.seal(.head, .zero, open.generation + 1, head.encoded())
      try transaction.putHead(sealed, generation: open.generation + 1)
    }
    close()
    try RawFile(vault).run("\(stepsRemoved); DELETE FROM lockout")
  }
}

/// Statements that undo the steps of the format from the one that binds the plain rows on.
private let stepsRemoved = """
  DELETE FROM migration WHERE position >= 3;
  ALTER TABLE vault DROP COLUMN previous_transaction_id;
  ALTER TABLE vault DROP COLUMN transaction_id
  """
