import Foundation
import SessionSupport
import Testing
import VaultCrypto
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Password change")
  struct PasswordChangeTests {
    static let new = "a new password 新"

    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    private func change(
      _ session: VaultSession? = nil, _ derivation: KeyDerivationRequest? = nil, dropsDevices: Bool = false
    ) async throws {
      try await (session ?? self.session).changePassword(
        from: TestVault.password, to: Self.new, keyDerivation: derivation, dropsDevices: dropsDevices)
    }

    private func expectOnlyNewOpens() async throws {
      let other = vault.session()
      #expect(
        await other.errorOfUnlock(TestVault.password) == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)
      )
      #expect(await other.errorOfUnlock(Self.new) == nil)
      #expect(try other.allCards().map(\.title) == ["kept"])
      other.close()
    }

    @Test("R11 the old password no longer opens anything, and slot id, salt and seal are new")
    func changed() async throws {
      try session.note("kept")
      let raw = try RawFile(vault)
      let before = try raw.rows("SELECT hex(id), hex(salt), hex(sealed), algorithm, iterations FROM slot")
      try await change()
      let after = try raw.rows("SELECT hex(id), hex(salt), hex(sealed), algorithm, iterations FROM slot")
      #expect(after.count == 1)
      for column in 0..<3 { #expect(before[0][column] != after[0][column]) }
      #expect(before[0][3...] == after[0][3...])
      #expect(!session.isLocked)
      try await expectOnlyNewOpens()
    }

    @Test("R11 a locked vault's password is changed too, and the vault stays locked")
    func changeLocked() async throws {
      try session.note("kept")
      session.lock(.request)
      try await change()
      #expect(session.isLocked)
      #expect(try session.log(limit: 10).map(\.event) == ["passwordChanged", "locked", "created"])
      try await expectOnlyNewOpens()
    }

    @Test("R10 the derivation is kept unless another is chosen: PBKDF2, Argon2id and back")
    func derivations() async throws {
      let raw = try RawFile(vault)
      let slot = "SELECT algorithm, iterations, memory_kib FROM slot"
      try session.note("kept")
      try await change(nil, .argon2id(iterations: 1, memoryKiB: 19_456))
      #expect(try raw.rows(slot) == [["2", "1", "19456"]])
      try await session.changePassword(
        from: Self.new, to: TestVault.password, keyDerivation: nil, dropsDevices: false)
      #expect(try raw.rows(slot) == [["2", "1", "19456"]])
      try await change(nil, .pbkdf2(iterations: 100_001))
      #expect(try raw.rows(slot) == [["1", "100001", "0"]])
      try await expectOnlyNewOpens()
    }

    @Test(
      "R10 a derivation outside the limits, or a short password, is rejected before the old one is tried",
      arguments: [
        KeyDerivationRequest.pbkdf2(iterations: 99_999), .pbkdf2(iterations: 10_000_001),
        .pbkdf2(iterations: -1), .argon2id(iterations: 0, memoryKiB: nil),
        .argon2id(iterations: 65, memoryKiB: nil),
        .argon2id(iterations: nil, memoryKiB: 19_455), .argon2id(iterations: nil, memoryKiB: Int.max),
      ])
    func refused(_ request: KeyDerivationRequest) async throws {
      #expect(await errorOf { try await change(nil, request) } == .unsupportedParameters)
      let short = await errorOf {
        try await session.changePassword(from: "x", to: "1234567", keyDerivation: nil, dropsDevices: false)
      }
      #expect(short == .passwordTooShort(minimum: 8))
      #expect(try RawFile(vault).value("SELECT failed_attempts FROM lockout") == "0")
      let fresh = try TestVault()
      let error = await errorOf {
        try await fresh.session().create(password: Self.new, keyDerivation: request)
      }
      #expect(error == .unsupportedParameters)
      #expect(try FileManager.default.contentsOfDirectory(atPath: fresh.directory).isEmpty)
    }

    @Test("T bound devices keep their slots unless they are dropped", arguments: [false, true])
    func devices(drops: Bool) async throws {
      let open = try session.unlocked()
      let device = try KeySlot.seal(
        open.keys.vaultKey, under: SecretBytes(randomCount: 32), of: open.identifier, kind: .device,
        derivation: .hkdf)
      try open.file.write { try open.reader.changeSlots($0) { try $0.insertSlot(device.row) } }
      try session.note("kept")
      try await change(nil, nil, dropsDevices: drops)
      let slots = try open.file.read { try $0.slots() }
      #expect(slots.map(\.kind).sorted() == (drops ? [1] : [1, 2]))
      #expect(slots.contains(device.row) == !drops)
      try await expectOnlyNewOpens()
    }

    @Test("R11 if two sessions change the password at once, one succeeds and the other gets an error")
    func twice() async throws {
      try session.note("kept")
      let other = SessionOwner(vault)
      let second = Task { try await other.changePassword(to: "quite another one") }
      try await waitUntil { [vault] in
        try RawFile(vault).rows(
          "SELECT 1 FROM lockout WHERE failed_attempts > 0 UNION ALL SELECT 1 FROM event WHERE kind = 'passwordChanged'"
        )
        .isEmpty == false
      }
      let first = await errorOf { try await change() }
      let secondError: VaultError?
      do {
        try await second.value
        secondError = nil
      } catch {
        secondError = VaultError(error)
      }
      #expect((first == nil) != (secondError == nil))
      #expect(try RawFile(vault).value("SELECT count(*) FROM slot") == "1")
      let working = first == nil ? Self.new : "quite another one"
      #expect(await vault.session().errorOfUnlock(working) == nil)
    }

    /// What a process leaves that is killed is the file and the log as far as it had written it: SQLite writes the log
    /// from its beginning to its end and never back, and here nothing is moved into the file meanwhile.
    @Test("R11 R14 with the log cut anywhere in the change, exactly one of the two passwords opens the vault")
    func everyStep() async throws {
      try session.note("kept")
      try session.unlocked().file.checkpoint()
      let file = try Data(contentsOf: URL(filePath: vault.path))
      try await change()
      let log = try Data(contentsOf: URL(filePath: vault.path + "-wal"))
      session.close()
      let frame = 24 + 4_096
      let frames = (log.count - 32) / frame
      #expect(frames > 2)
      var opened: [String] = []
      for position in 0...(2 * frames) {
        let end = min(32 + position / 2 * frame + (position % 2) * 2_000, log.count)
        let copy = try TestVault()
        try file.write(to: URL(filePath: copy.path))
        try log.prefix(end).write(to: URL(filePath: copy.path + "-wal"))
        let oldOpens = await copy.session().errorOfUnlock(TestVault.password) == nil
        let newOpens = await copy.session().errorOfUnlock(Self.new) == nil
        #expect(oldOpens != newOpens)
        opened.append(oldOpens ? "old" : "new")
      }
      #expect(opened.first == "old" && opened.last == "new")
      #expect(opened == opened.sorted(by: >))
    }
  }
}
