import Foundation
import SessionSupport
import TestSamples
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("A changed password in a folder")
  struct PasswordTests {
    private static let other = "another password"

    private func change(_ machine: Machine, from old: String = TestVault.password, to new: String)
      async throws
    {
      try await machine.edit(password: old) { session in
        try await session.changePassword(from: old, to: new, keyDerivation: nil, dropsDevices: false)
        try await session.synchronize()
      }
    }

    private func keys(_ machines: Machines, _ machine: Machine) throws -> [String] {
      try machines.files(of: machine).filter { $0.contains("/keys/") }.sorted()
    }

    /// Copies every file of the password to all folders, and removes what is not in the first any more.
    private func carryKeys(_ machines: Machines, from source: Machine) throws {
      for file in try keys(machines, source) { try machines.copy(file, from: source) }
    }

    @Test("S a changed password reaches the other machines; devices stay, and the earlier one opens nothing")
    func adopted() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      try await a.edit { try $0.note("card") }
      let device = try await b.edit { session in
        try session.bind(session.newBinding(), name: "here", fingerprints: "one").id
      }
      try await machines.settle()
      try await change(a, to: Self.other)
      try carryKeys(machines, from: a)
      try await b.edit { session in
        let second = try await b.vault.unlock()
        try await session.synchronize()
        #expect(try session.allCards(limit: 9).map(\.title) == ["card"])
        #expect(throws: VaultError.changed) { try second.allCards(limit: 9) }
        #expect(try session.devices().map(\.id) == [device])
        #expect(try await session.verify({ _ in }).integrity == .intact)
        #expect(try session.log(limit: 9).contains { $0.event == "passwordChanged" })
        try session.note("after")
        session.lock(.request)
      }
      await #expect(throws: VaultError.wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0)) {
        _ = try await b.vault.unlock()
      }
      try await b.edit(password: Self.other) { session in
        #expect(try session.status().failedAttempts == 0)
        try await session.synchronize()
      }
      #expect(try keys(machines, b).count == 3)
      let joined = try Machine("new", in: machines.directory)
      let session = joined.vault.session()
      await #expect(throws: SyncError.wrongPassword) {
        try await session.joinSync(UserPath(b.folder), password: TestVault.password, machine: "new")
      }
      _ = try await session.joinSync(UserPath(b.folder), password: Self.other, machine: "new")
      session.lock(.request)
    }

    @Test("S of two passwords that were changed at once, every machine takes the later one")
    func concurrent() async throws {
      let machines = try await Machines(count: 2)
      try await change(machines[0], to: "password of the first")
      machines[1].vault.clock.advance(seconds: 100)
      try await change(machines[1], to: "password of the second")
      for machine in machines.all { try carryKeys(machines, from: machine) }
      try await machines[0].edit(password: "password of the first") { try await $0.synchronize() }
      try await machines[1].edit(password: "password of the second") { try await $0.synchronize() }
      try await machines[0].edit(password: "password of the second") { try await $0.synchronize() }
    }

    @Test(
      "S an earlier key file that the carrier puts back changes no password, and does not let the earlier one join"
    )
    func rolledBack() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let old = try #require(try keys(machines, a).first)
      let bytes = try Data(contentsOf: URL(filePath: "\(a.folder)/\(old)"))
      try await change(a, to: Self.other)
      #expect(try !keys(machines, a).contains(old))
      try carryKeys(machines, from: a)
      try await b.synchronize()
      for file in try keys(machines, b) { try FileManager.default.removeItem(atPath: "\(b.folder)/\(file)") }
      try bytes.write(to: URL(filePath: "\(b.folder)/\(old)"))
      try await b.edit(password: Self.other) { try await $0.synchronize() }
      try await b.edit(password: Self.other) { try await $0.synchronize() }
      let session = try Machine("new", in: machines.directory).vault.session()
      await #expect(throws: SyncError.wrongPassword) {
        try await session.joinSync(UserPath(b.folder), password: TestVault.password, machine: "new")
      }
    }

    @Test("S a key file that nobody with the vault key made is ignored, whatever it says")
    func forged() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      try await change(a, to: Self.other)
      let name = try #require(try keys(machines, a).last { try !keys(machines, b).contains($0) })
      let genuine = try Data(contentsOf: URL(filePath: "\(a.folder)/\(name)"))
      for place in [17, 40, 60, 70, 90, 120, 170, genuine.count - 1] {
        var bytes = genuine
        bytes[place] ^= 1
        try bytes.write(to: URL(filePath: "\(b.folder)/\(name)"))
        try await b.synchronize()
      }
      for name in [String(name.dropLast()) + "f", name + "0"] {
        try genuine.write(to: URL(filePath: "\(b.folder)/\(name)"))
        try await b.synchronize()
      }
      try genuine.prefix(100).write(to: URL(filePath: "\(b.folder)/\(name)"))
      try await b.synchronize()
      try genuine.write(to: URL(filePath: "\(b.folder)/\(name)"))
      try await b.synchronize()
      try await b.edit(password: Self.other) { try await $0.synchronize() }
    }

    @Test(
      "S a password that was changed before the process ended, or while not synchronised, is published once")
    func interrupted() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      try await a.edit { session in
        try await session.changePassword(
          from: TestVault.password, to: Self.other, keyDerivation: nil, dropsDevices: false)
      }
      let before = try Data(contentsOf: URL(filePath: a.vault.path))
      try await a.edit(password: Self.other) { try await $0.synchronize() }
      let first = try keys(machines, a)
      try before.write(to: URL(filePath: a.vault.path))
      try await a.edit(password: Self.other) { try await $0.synchronize() }
      #expect(try keys(machines, a).count == first.count)
      try await a.edit(password: Self.other) { session in
        try session.disableSync()
        try await session.changePassword(
          from: Self.other, to: "the third password", keyDerivation: nil, dropsDevices: false)
        _ = try await session.enableSync(UserPath(a.folder), machine: "again")
      }
      try carryKeys(machines, from: a)
      try await b.synchronize()
      try await b.edit(password: "the third password") { try await $0.synchronize() }
    }

    @Test("S passwords changed at random, with a carrier that keeps and delays them, become one")
    func random() async throws {
      for seed in 0..<Machines.histories(usually: 2) {
        try await randomHistory(seed)
      }
    }

    private func randomHistory(_ seed: UInt64) async throws {
      var random = SeededGenerator(seed: seed)
      let machines = try await Machines(count: 3)
      var passwords = [TestVault.password]
      func open(_ machine: Machine, _ body: (VaultSession, String) async throws -> Void) async throws {
        machine.vault.clock.advance(seconds: Int64.random(in: 1...30, using: &random))
        for password in passwords.reversed() {
          let session = machine.vault.session()
          session.attemptTimeout = .seconds(5)
          guard (try? await session.unlock(password: password)) != nil else {
            machine.vault.clock.advance(seconds: 1_000)
            continue
          }
          defer { session.lock(.request) }
          return try await body(session, password)
        }
        Issue.record("no password opens \(machine.folder), seed \(seed)")
      }
      for step in 0..<12 {
        let machine = machines[Int.random(in: 0..<3, using: &random)]
        let choice = Int.random(in: 0..<4, using: &random)
        if choice == 0 { try carryKeys(machines, from: machine) }
        try await open(machine) { session, old in
          if choice == 1, passwords.count < 6 {
            passwords.append("password of step \(step)")
            try await session.changePassword(
              from: old, to: "password of step \(step)", keyDerivation: nil, dropsDevices: false)
          }
          if choice > 1 { try await session.synchronize() }
        }
      }
      for _ in 0..<2 {
        for machine in machines.all {
          try await open(machine) { session, _ in try await session.synchronize() }
          try carryKeys(machines, from: machine)
        }
      }
      var last: Set<String> = []
      for machine in machines.all {
        try await open(machine) { session, password in
          try await session.synchronize()
          #expect(try await session.verify({ _ in }).integrity == .intact)
          last.insert(password)
        }
      }
      #expect(last.count == 1, "seed \(seed)")
    }
  }
}
