import Foundation
import SessionSupport
import Testing
import VaultCrypto
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Bound devices")
  struct DeviceTests {
    let vault: TestVault
    let session: VaultSession
    let secret: [UInt8]

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      let binding = try session.newBinding()
      secret = binding.secret
      _ = try session.bind(binding, name: "laptop", fingerprints: "right-index-finger")
    }

    private func errorOf(_ body: () async throws -> Void) async -> BiometricError? {
      do {
        try await body()
        return nil
      } catch {
        return error as? BiometricError
      }
    }

    @Test("T the device's secret opens the vault, and each use is recorded")
    func opens() async throws {
      try session.note("kept")
      session.lock(.request)
      vault.clock.advance(seconds: 60)
      let other = vault.session()
      #expect(try other.status().isBound)
      try await other.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
      #expect(try other.allCards().map(\.title) == ["kept"])
      let device = try #require(try other.devices().first)
      #expect(device.name == "laptop" && device.isThisDevice)
      #expect(device.lastUsedAt?.milliseconds == vault.clock.wall)
      #expect(try other.log(limit: 1).first?.means == "fingerprint")
      #expect(try await other.verify { _ in }.integrity == .intact)
    }

    @Test(
      "R13 R9 with the setting off no fingerprint opens the vault, whatever is stored in plaintext")
    func turnedOff() async throws {
      let turnedOff = BiometricError.biometryNotAvailable(.turnedOff)
      _ = try session.updateSettings([.biometricUnlock: .flag(false)])
      #expect(try session.status().isBound && !session.status().allowsFingerprint)
      session.lock(.request)
      #expect(try session.status().isBound && !session.status().allowsFingerprint)
      // The setting in clear tells what to ask for; the sealed one decides. A forged one is damage.
      let stored = try RawFile(vault).value("SELECT open_settings FROM vault")
      try RawFile(vault).run("UPDATE vault SET open_settings = 'language=auto\n'")
      #expect(try session.status().allowsFingerprint)
      #expect(
        await errorOf {
          try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
        } == turnedOff)
      #expect(session.isLocked)
      #expect(try session.log(limit: 1).map(\.event) == ["settingsForged"])
      try RawFile(vault).run("UPDATE vault SET open_settings = '\(stored)'")
      #expect(try !session.status().allowsFingerprint)
      try await session.unlock(password: TestVault.password)
      #expect(try session.devices().count == 1)
      _ = try session.updateSettings([.biometricUnlock: .flag(true)])
      session.lock(.request)
      try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
    }

    @Test("R13 binding is offered only while the setting is on")
    func turnedOffAndNotAsked() async throws {
      let other = VaultSession(path: vault.path, clock: vault.clock, device: "another")
      try await other.unlock(password: TestVault.password)
      _ = try other.updateSettings([.biometricUnlock: .flag(false)])
      #expect(!other.shouldOfferBinding())
      _ = try other.updateSettings([.biometricUnlock: .flag(true)])
      #expect(other.shouldOfferBinding())
    }

    @Test("T another secret, or one of the wrong length, opens nothing and deletes nothing")
    func otherSecret() async throws {
      session.lock(.request)
      var changed = secret
      changed[31] ^= 1
      for wrong in [changed, Array(secret.dropLast()), secret + [0], []] {
        #expect(
          await errorOf {
            try await session.unlock(deviceSecret: wrong, fingerprints: "right-index-finger")
          } == .invalidContext)
        #expect(session.isLocked)
      }
      try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
    }

    @Test("T other fingerprints void the binding: slot and entry are deleted, and the vault stays locked")
    func otherPrints() async throws {
      session.lock(.request)
      #expect(
        await errorOf {
          try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger,left-thumb")
        } == .enrollmentChanged)
      #expect(session.isLocked)
      #expect(try !session.status().isBound)
      #expect(
        await errorOf {
          try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
        } == .notEnabled)
      try await session.unlock(password: TestVault.password)
      #expect(try session.devices().isEmpty)
      #expect(try session.log(limit: 2).map(\.event) == ["unlocked", "deviceVoided"])
      #expect(try await session.verify { _ in }.integrity == .intact)
    }

    @Test("T a device's id is the same for one user of one machine, and differs between vaults")
    func identity() async throws {
      let here = try session.devices()[0].id
      let elsewhere = VaultSession(path: vault.path, clock: vault.clock, device: "another")
      #expect(try !elsewhere.status().isBound)
      try await elsewhere.unlock(password: TestVault.password)
      vault.clock.advance(seconds: 1)
      #expect(try elsewhere.devices().map(\.isThisDevice) == [false])
      _ = try elsewhere.bind(elsewhere.newBinding(), name: "desk", fingerprints: "")
      #expect(try elsewhere.devices().map(\.name) == ["laptop", "desk"])
      #expect(try elsewhere.devices()[0].id == here)
      let otherVault = try TestVault()
      let otherSession = try await otherVault.create()
      _ = try otherSession.bind(otherSession.newBinding(), name: "laptop", fingerprints: "")
      #expect(try otherSession.devices()[0].id != here)
    }

    @Test("T one of two devices is revoked, and the other still works")
    func revoked() async throws {
      let elsewhere = VaultSession(path: vault.path, clock: vault.clock, device: "another")
      try await elsewhere.unlock(password: TestVault.password)
      let binding = try elsewhere.newBinding()
      let other = try elsewhere.bind(binding, name: "desk", fingerprints: "p")
      elsewhere.lock(.request)
      try await elsewhere.unlock(deviceSecret: binding.secret, fingerprints: "p")
      try session.revoke(other.id)
      #expect(vaultError { _ = try elsewhere.refresh() } == .changed)
      elsewhere.lock(.passwordChanged)
      #expect(
        await errorOf { try await elsewhere.unlock(deviceSecret: binding.secret, fingerprints: "p") }
          == .notEnabled)
      #expect(try session.devices().map(\.name) == ["laptop"])
      #expect(throws: BiometricError.deviceNotFound(other.id)) { try session.revoke(other.id) }
      session.lock(.request)
      try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
    }

    @Test("T the password's slot is not a device and cannot be revoked")
    func passwordSlot() throws {
      let slots = try session.unlocked().file.read { try $0.slots() }
      let password = try #require(slots.first { !$0.isDevice })
      #expect(throws: BiometricError.self) { try session.revoke(password.id) }
    }

    @Test(
      "R11 T a password change keeps devices unless it drops them; sessions opened with a dropped one lock")
    func passwordChange() async throws {
      session.lock(.request)
      try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
      let other = try await vault.unlock()
      try await other.changePassword(
        from: TestVault.password, to: "another one", keyDerivation: nil, dropsDevices: false)
      #expect(vaultError { _ = try session.refresh() } == .changed)
      session.lock(.passwordChanged)
      try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
      try await session.changePassword(
        from: "another one", to: "and another", keyDerivation: nil, dropsDevices: true)
      #expect(try session.devices().isEmpty)
      try session.note("still open")
      other.lock(.request)
      try await other.unlock(password: "and another")
      #expect(try session.refresh() == nil)
    }

    @Test("T binding again replaces the secret")
    func again() async throws {
      let binding = try session.newBinding()
      _ = try session.bind(binding, name: "laptop", fingerprints: "p")
      #expect(try session.devices().count == 1)
      session.lock(.request)
      #expect(
        await errorOf { try await session.unlock(deviceSecret: secret, fingerprints: "p") } == .invalidContext
      )
      try await session.unlock(deviceSecret: binding.secret, fingerprints: "p")
    }

    @Test("T a revoked slot that was restored opens nothing")
    func slotPutBack() async throws {
      let raw = try RawFile(vault)
      try raw.run("CREATE TEMP TABLE kept AS SELECT * FROM slot")
      try session.revoke(session.devices()[0].id)
      session.lock(.request)
      try raw.run("INSERT OR IGNORE INTO slot SELECT * FROM kept")
      #expect(
        await errorOf {
          try await session.unlock(deviceSecret: secret, fingerprints: "right-index-finger")
        } == .notEnabled)
      #expect(try !session.status().isBound)
    }

    @Test("R22 binding is offered once per device, and never to a bound one")
    func asked() async throws {
      #expect(!session.shouldOfferBinding())
      let elsewhere = VaultSession(path: vault.path, clock: vault.clock, device: "another")
      try await elsewhere.unlock(password: TestVault.password)
      #expect(elsewhere.shouldOfferBinding())
      #expect(!elsewhere.shouldOfferBinding())
      let again = VaultSession(path: vault.path, clock: vault.clock, device: "another")
      try await again.unlock(password: TestVault.password)
      #expect(!again.shouldOfferBinding())
    }

    @Test("R22 binding is not offered to a device whose binding was revoked")
    func notAskedAfterRevoking() throws {
      try session.revoke(session.devices()[0].id)
      #expect(!session.shouldOfferBinding())
    }

    @Test("R10 the device, its name and its fingerprints are not in the file in plaintext")
    func clear() throws {
      let bytes = try vault.bytesOnDisk()
      for text in ["laptop", "right-index-finger", "prints"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil)
      }
      #expect(bytes.range(of: Data(secret)) == nil)
    }
  }
}
