import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface
import VaultStore
import Wire

@testable import Vault
@testable import VaultCrypto

extension MachineTests {
  @Suite("A new vault key")
  struct RekeyTests {
    private static let new = "the new password"

    private func rekey(_ machine: Machine) async throws {
      try await machine.edit { session async throws in
        let status = try await session.rekey(from: TestVault.password, to: Self.new)
        #expect(status?.hasNewKey == false && status?.published == 1)
        #expect(try await session.verify({ _ in }).integrity == .intact)
      }
    }

    private func carry(_ machines: Machines) throws {
      try machines.carry()
    }

    private func rejoin(_ machine: Machine) async throws {
      try await machine.edit { session async throws in
        #expect(try await session.synchronize().hasNewKey)
        let status = try await session.rejoin(password: Self.new)
        #expect(!status.hasNewKey)
        #expect(try await session.verify({ _ in }).integrity == .intact)
      }
    }

    private func settle(_ machines: Machines) async throws {
      for _ in 0..<3 {
        for machine in machines.all {
          try await machine.edit(password: Self.new) { try await $0.synchronize() }
        }
        try machines.carry()
      }
    }

    private func contents(_ machine: Machine) async throws -> [String] {
      try await machine.edit(password: Self.new) { try await machine.contents(of: $0) }
    }

    @Test(
      "S another machine follows to the new vault key with the new password, and brings what it had not published"
    )
    func follows() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await a.edit { try $0.attach("picture", to: card.id) }
      try await machines.settle()
      let device = try await b.edit { session async throws in
        try session.bind(session.newBinding(), name: "here", fingerprints: "one").id
      }
      try await rekey(a)
      try await b.edit { session async throws in
        try session.note("of b")
        _ = try session.updateCard(card.id, revision: nil, CardChange(title: "changed by b"))
      }
      try await a.edit(password: Self.new) { session async throws in
        try session.note("of a")
        try await session.synchronize()
      }
      try carry(machines)
      let before = try machines.files(of: b)
      try await b.edit { session async throws in
        #expect(try await session.synchronize().hasNewKey)
        let after = try machines.files(of: b)
        #expect(after == before, "it publishes nothing under the former key")
        await #expect(throws: SyncError.newKey) {
          try await session.rekey(from: TestVault.password, to: "a third password")
        }
        await #expect(throws: SyncError.wrongPassword) {
          try await session.rejoin(password: TestVault.password)
        }
        await #expect(throws: SyncError.wrongPassword) {
          try await session.rejoin(password: "nobody's password")
        }
      }
      try await rejoin(b)
      await #expect(throws: VaultError.wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)) {
        _ = try await b.vault.unlock()
      }
      try await b.edit(password: Self.new) { session async throws in
        #expect(try session.devices().map(\.id) == [])
        await #expect(throws: SyncError.noVault) { try await session.rejoin(password: TestVault.password) }
      }
      #expect(device != .zero)
      try await settle(machines)
      let (first, second) = (try await contents(a), try await contents(b))
      #expect(first == second)
      let found = try IndependentReaderTests().read(b, password: Self.new)
      #expect(found.status == 0 && found.cards.count == 3)
      #expect(try IndependentReaderTests().read(b).status == 1)
      let titles = try await a.edit(password: Self.new) { try $0.allCards(limit: 9).map(\.title).sorted() }
      #expect(titles == ["changed by b", "of a", "of b"])
    }

    @Test("S whoever has the former vault key and password reads nothing that is written from then on")
    func revoked() async throws {
      let machines = try await Machines(count: 2)
      let (a, thief) = (machines[0], machines[1])
      try await a.edit { try $0.note("card") }
      try await machines.settle()
      let keys = try await thief.edit { try VaultKeys(vaultKey: $0.unlocked().reader.keys.vaultKey) }
      let former = try machines.files(of: a)
      try await rekey(a)
      let new = try machines.files(of: a).subtracting(former).filter { !$0.contains("/next/") }
      #expect(new.count == 2)
      let vault = try await a.edit(password: Self.new) { try $0.vaultIdentifier() }
      for file in new {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(a.folder)/\(file)")))
        let buffer = PlaintextBuffer()
        for kind in RecordKind.allCases {
          for replica in file.split(separator: "/").compactMap({ Identifier(String($0.prefix(36))) }) {
            let place = RecordContext(vault: vault, kind: kind, record: replica, revision: 1)
            #expect(throws: CryptoError.self) { try keys.sealer.open(bytes, at: place, into: buffer) }
          }
        }
      }
      let joined = try Machine("new", in: machines.directory)
      let session = joined.vault.session()
      await #expect(throws: SyncError.wrongPassword) {
        try await session.joinSync(UserPath(a.folder), password: TestVault.password, machine: "new")
      }
      _ = try await session.joinSync(UserPath(a.folder), password: Self.new, machine: "new")
      #expect(try session.allCards(limit: 9).map(\.title) == ["card"])
      session.lock(.request)
    }

    @Test("S a machine that is killed before anything of the new key is in the folder publishes it later")
    func killed() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      try await a.edit { try $0.note("card") }
      try await machines.settle()
      let before = try machines.files(of: a)
      try await a.edit { session async throws in
        try await session.changeKey(to: Self.new, derivation: .pbkdf2(iterations: 100_000))
      }
      #expect(try machines.files(of: a) == before)
      try machines.carry()
      #expect(try await !b.synchronize().hasNewKey)
      try await a.edit(password: Self.new) { try await $0.synchronize() }
      try machines.carry()
      try await rejoin(b)
      try await settle(machines)
      let (first, second) = (try await contents(a), try await contents(b))
      #expect(first == second)
    }

    @Test("S a change of the key that fails leaves the vault open as it was")
    func failed() async throws {
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      try session.note("card")
      let writer = try RawFile(vault)
      try writer.run("BEGIN IMMEDIATE")
      await #expect(throws: StoreError.self) {
        try await session.changeKey(to: Self.new, derivation: .pbkdf2(iterations: 100_000))
      }
      try writer.run("ROLLBACK")
      #expect(try session.allCards(limit: 9).map(\.title) == ["card"])
      try session.note("another")
      session.lock(.request)
      let again = try await vault.unlock()
      #expect(try await again.verify({ _ in }).integrity == .intact)
      again.lock(.request)
    }

    @Test("S a carrier that forges, changes or swaps what leads to the new key changes nothing")
    func forged() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await rekey(a)
      let name = try #require(try machines.files(of: a).first { $0.contains("/next/") })
      try FileManager.default.removeItem(atPath: "\(a.folder)/\(name)")
      try await a.edit(password: Self.new) { try await $0.synchronize() }
      let marker = try Data(contentsOf: URL(filePath: "\(a.folder)/\(name)"))
      let target = URL(filePath: "\(b.folder)/\(name)")
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      for place in [0, 20, marker.count - 1] {
        var bytes = marker
        bytes[place] ^= 1
        try bytes.write(to: target)
        #expect(try await !b.synchronize().hasNewKey)
      }
      let other = target.deletingLastPathComponent().appending(path: try Identifier.random().description)
      try FileManager.default.removeItem(at: target)
      try marker.write(to: other)
      #expect(try await !b.synchronize().hasNewKey)
      try marker.write(to: target)
      #expect(try await b.synchronize().hasNewKey)
      // The marker came, the new files did not.
      try await b.edit { session async throws in
        await #expect(throws: SyncError.noVault) { try await session.rejoin(password: Self.new) }
      }
      // Files of the former key under the name of the new one open nothing.
      let files = try machines.files(of: a)
      let key = try #require(files.first { $0.contains("/keys/") })
      let bytes = try Data(contentsOf: URL(filePath: "\(a.folder)/\(key)"))
      let elsewhere = "\(b.folder)/\(key.prefix(36))/\(try Identifier.random())/keys/\(key.suffix(53))"
      try FileManager.default.createDirectory(
        atPath: (elsewhere as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try bytes.write(to: URL(filePath: elsewhere))
      try await b.edit { session async throws in
        await #expect(throws: SyncError.wrongPassword) { try await session.rejoin(password: Self.new) }
        #expect(try session.allCards(limit: 9).map(\.title) == ["card"])
      }
      try carry(machines)
      try await rejoin(b)
    }

    @Test(
      "S nothing is lost when a machine makes a new key in the middle of a random history, and the others follow"
    )
    func randomHistories() async throws {
      for seed in 0..<Machines.histories(usually: 3) {
        try await RandomHistory(seed: 1_000 + seed, newKeyAt: 20).run()
      }
    }

    @Test(
      "S a vault that is not synchronised gets a new key as well; a password that does not change is refused")
    func alone() async throws {
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      let card = try session.note("card")
      try session.attach("picture", to: card.id)
      try session.deleteCard(session.note("gone").id, revision: nil)
      await #expect(throws: SyncError.samePassword) {
        try await session.rekey(from: TestVault.password, to: TestVault.password)
      }
      await #expect(throws: VaultError.passwordTooShort(minimum: 8)) {
        try await session.rekey(from: TestVault.password, to: "short")
      }
      let bytes = try session.card(card.id)
      #expect(try await session.rekey(from: TestVault.password, to: Self.new) == nil)
      #expect(try session.card(card.id).title == bytes.title)
      #expect(try await session.verify({ _ in }).integrity == .intact)
      session.lock(.request)
      let again = try await vault.unlock(Self.new)
      #expect(try again.allCards(limit: 9).map(\.title) == ["card"])
      let attachment = try #require(try again.card(card.id).attachments.first)
      #expect(try again.content(of: attachment.id).count == 7)
      again.lock(.request)
    }
  }
}
