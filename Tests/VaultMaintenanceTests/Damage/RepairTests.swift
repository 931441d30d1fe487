import Foundation
import Glibc
import SessionSupport
import TestSamples
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Repair")
  struct RepairTests {
    private func names(_ vault: TestVault) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: vault.directory).sorted()
    }

    private func repair(_ vault: TestVault) async throws -> (Repair, VaultSession) {
      let session = vault.session()
      let repair = try await session.repair(password: TestVault.password, copy: nil)
      #expect(session.isLocked)
      let opened = try await vault.unlock()
      #expect(try opened.summary().isIntact)
      #expect(try await opened.verify { _ in }.integrity == .intact)
      return (repair, opened)
    }

    @Test(
      "R10 a history or a document that does not open is found, and repaired",
      arguments: ["history", "document"])
    func openedWhenNeeded(table: String) async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let card = try session.note("card")
      _ = try session.updateCard(card.id, revision: nil, CardChange(title: "changed"))
      try session.unlocked().change { transaction, change in
        let unlocked = try session.unlocked()
        _ = try unlocked.write("of another program", as: "other", transaction, &change)
      }
      session.lock(.request)
      let condition = table == "history" ? "number = \(card.id.number)" : "name = 'other'"
      try RawFile(vault).flip("sealed", of: table, where: condition, byte: 20)
      let damaged = try await vault.unlock()
      #expect(try await damaged.verify { _ in }.integrity == .damaged)
      damaged.lock(.request)
      let (repair, opened) = try await repair(vault)
      #expect(repair.backup != nil && repair.kept.cards == 1)
      #expect(repair.dropped == (table == "history" ? [] : [.document("other")]))
      #expect(try opened.card(card.id).title == "changed")
    }

    @Test(
      "R10 readable records are kept, others are dropped and reported, and the damaged file stays unchanged")
    func records() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let cards = try (0..<6).map { try session.note("card \($0)") }
      _ = try session.updateSettings([.autoLockSeconds: .seconds(77), .language: .text("en")])
      session.lock(.request)
      let raw = try RawFile(vault)
      let numbers = cards.map { Int64(bitPattern: $0.id.high) }
      try raw.flip("sealed", of: "card", where: "number = \(numbers[1])", byte: 30)
      try raw.run("DELETE FROM card WHERE number = \(numbers[2])")
      try raw.run("INSERT INTO card SELECT 17, id, revision, sealed FROM card WHERE number = \(numbers[3])")
      try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
      let damaged = try Data(contentsOf: URL(filePath: vault.path))

      let (repair, opened) = try await repair(vault)
      let copy = try #require(repair.backup)
      #expect(copy == vault.directory + "/" + URL(filePath: copy).lastPathComponent)
      #expect(copy.contains("/vault-damaged-2026") && copy.hasSuffix("Z.quickvault"))
      // The password was tried before the copy was made, and is counted and taken back in it.
      #expect(try Data(contentsOf: URL(filePath: copy)).count == damaged.count)
      #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
      let twin = Identifier(high: 17, low: cards[3].id.low)
      #expect(Set(repair.dropped) == [.card(cards[1].id), .card(twin)])
      #expect(repair.kept.cards == 4 && repair.missing == 0)
      let kept = [0, 3, 4, 5].map { cards[$0] }
      for card in kept { #expect(try opened.card(card.id) == card) }
      #expect(try opened.summary().cardCount == 4 && opened.settings().seconds(.autoLockSeconds) == 77)
      #expect(try opened.log(limit: 9).contains { $0.event == "repaired" })
      try opened.note("goes on")
      opened.lock(.request)
      #expect(try names(vault) == [URL(filePath: copy).lastPathComponent, "vault.quickvault"])

      // The copy is as damaged as the vault was, and can be read as far.
      let old = VaultSession(path: copy, clock: vault.clock)
      try await old.unlock(password: TestVault.password)
      #expect(try !old.summary().isIntact)
      #expect(try old.card(cards[0].id) == cards[0])
    }

    @Test("R10 lost rows are counted as missing, and a lost head is created again")
    func missing() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      for number in 0..<5 { try session.note("card \(number)") }
      session.lock(.request)
      let raw = try RawFile(vault)
      try raw.run("DELETE FROM card WHERE number IN (SELECT number FROM card LIMIT 2)")
      #expect(try await repair(vault).0.missing == 2)
      try RawFile(vault).run("UPDATE vault SET head = zeroblob(99)")
      let (second, opened) = try await repair(vault)
      #expect(second.missing == nil && second.kept.cards == 3 && second.dropped == [])
      opened.lock(.request)
      try RawFile(vault).run("UPDATE vault SET generation = 9223372036854775807")
      #expect(try await repair(vault).0.kept.cards == 3)
    }

    @Test("R10 an intact vault is left unchanged; an unlocked session is repaired without its password")
    func unlocked() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let card = try session.note("kept")
      let lost = try session.note("lost")
      let before = try names(vault)
      let open = session.opened
      #expect(
        try await session.repair(password: nil, copy: nil)
          == Repair(backup: nil, kept: .init(cards: 2, attachments: 0), dropped: [], missing: 0))
      #expect(session.opened === open)
      #expect(try names(vault) == before)
      let other = try await vault.unlock()
      try RawFile(vault).run(
        "UPDATE card SET sealed = zeroblob(99) WHERE number = \(Int64(bitPattern: lost.id.high))")
      #expect(vaultError { _ = try session.note("more") } == .damaged(lost.id))
      let path = vault.directory + "/elsewhere.copy"
      let repair = try await session.repair(password: nil, copy: UserPath(path))
      #expect(repair.backup == path && repair.dropped == [.card(lost.id)])
      #expect(try session.card(card.id) == card)
      try session.note("goes on")
      #expect(vaultError { _ = try other.refresh() } == .changed)
      #expect(vaultError { _ = try other.card(card.id) } == .changed)
      other.lock(.passwordChanged)
      #expect(try await vault.unlock().summary().cardCount == 2)

      try RawFile(vault).run("UPDATE card SET sealed = zeroblob(99)")
      let error = await errorOf { _ = try await session.repair(password: nil, copy: UserPath(path)) }
      #expect(error == .file(.exists))
      session.lock(.request)
      #expect(await errorOf { _ = try await session.repair(password: nil, copy: nil) } == .locked)
      let wrong = await errorOf { _ = try await session.repair(password: "wrong password", copy: nil) }
      #expect(wrong == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
    }

    @Test("R10 a repair that fails leaves an unlocked session unlocked")
    func failedUnlocked() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let card = try session.note("kept")
      let lost = try session.note("lost")
      try RawFile(vault).run("DELETE FROM card WHERE number = \(Int64(bitPattern: lost.id.high))")
      for password in [nil, TestVault.password] {
        let error = await errorOf {
          _ = try await session.repair(password: password, copy: UserPath(vault.path))
        }
        #expect(error == .file(.exists))
        #expect(!session.isLocked)
        #expect(try session.card(card.id) == card)
        #expect(try !session.summary().isIntact)
      }
      #expect(try await session.repair(password: nil, copy: nil).missing == 1)
      try session.note("goes on")
    }

    @Test(
      "R10 whatever byte is flipped, a repair keeps what can be read, or refuses and changes nothing",
      .timeLimit(.minutes(15)))
    func everywhere() async throws {
      let small = try await SmallVault.make()
      var random = SeededGenerator(seed: 7)
      var repaired = 0
      for _ in 0..<80 {
        var bytes = small.image
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        bytes[offset] ^= 0xff
        try small.put(bytes)
        let before = try await small.look()
        try small.put(bytes)
        let session = small.vault.session()
        do {
          let repair = try await session.repair(password: TestVault.password, copy: nil)
          if repair.backup != nil { repaired += 1 }
          let after = try await small.look(isRepaired: true)
          #expect(
            after.error == nil && after.readable.isSuperset(of: before.readable)
              && after.contents.isSuperset(of: before.contents), "byte \(offset): \(after)")
          #expect(
            repair.kept.cards == after.readable.count && repair.kept.attachments == after.contents.count,
            "byte \(offset)")
          let opened = try await small.vault.unlock()
          #expect(try opened.summary().isIntact, "byte \(offset)")
          opened.lock(.request)
        } catch {
          #expect(before.error != nil, "byte \(offset): \(error)")
          session.close()
          // A password that does not fit was tried all the same, and is counted.
          if case .wrongPassword = VaultError(error) {
          } else {
            #expect(
              try Array(Data(contentsOf: URL(filePath: small.vault.path))) == bytes,
              "byte \(offset): \(error)")
          }
          #expect(try names(small.vault) == ["vault.quickvault"], "byte \(offset): \(error)")
        }
        session.close()
        for name in try names(small.vault) where name.contains("damaged") {
          try FileManager.default.removeItem(atPath: small.vault.directory + "/" + name)
        }
      }
      #expect(repaired > 0)
    }

    @Test("R14 after a kill at any moment of a repair, the vault is either the damaged or the repaired one")
    func killed() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      for number in 0..<40 { try session.note("card \(number)", text: String(repeating: "x", count: 2_000)) }
      let lost = try session.note("lost")
      session.lock(.request)
      try RawFile(vault).run(
        "UPDATE card SET sealed = zeroblob(99) WHERE number = \(Int64(bitPattern: lost.id.high))")
      let damaged = try Data(contentsOf: URL(filePath: vault.path))
      var outcomes: Set<Bool> = []
      for round in 0..<24 {
        for name in try names(vault) {
          try FileManager.default.removeItem(atPath: vault.directory + "/" + name)
        }
        try damaged.write(to: URL(filePath: vault.path))
        try repairAndKill(vault, afterNames: round % 8)
        let opened = try await vault.unlock()
        #expect(try opened.allCards(limit: 50).count == 40)
        let isIntact = try opened.summary().isIntact
        let copies = try names(vault).filter { $0.contains("-damaged-") && $0.hasSuffix(".quickvault") }
        #expect(!isIntact || !copies.isEmpty)
        outcomes.insert(isIntact)
        opened.lock(.request)
      }
      #expect(outcomes.contains(false))
    }

    /// Has the program repair the vault, and kills it when the directory has changed so many times.
    private func repairAndKill(_ vault: TestVault, afterNames count: Int) throws {
      let program = try RunningProgram(Repository.program(), ["--vault", vault.path])
      try program.channel.send(
        #"{"jsonrpc":"2.0","id":1,"method":"vault/repair","params":{"password":"\#(TestVault.password)"}}"#)
      program.channel.closeInput()
      var (seen, changes) = (try names(vault), 0)
      let deadline = ContinuousClock.now + .seconds(20)
      while changes < count, ContinuousClock.now < deadline {
        let now = try names(vault)
        if now != seen { changes += 1 }
        seen = now
        if now.count == 2, now.contains(where: { $0.contains("-damaged-") }), changes > 3 { break }
      }
      program.send(signal: SIGKILL)
      _ = try program.exitStatus()
    }

    @Test("R12 a vault that is locked during its repair stays locked, and the log has the lock")
    func lockedMeanwhile() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      try session.note("note")
      let (key, slot) = try await session.authenticateForRepair(nil)
      try await session.repairingFile(vaultKey: key, slot: slot) {
        #expect(session.lock(.deviceLocked))
        #expect(!session.lock(.deviceLocked))
        return ((), nil)
      }
      #expect(session.isLocked)
      #expect(try vault.session().log(limit: 2).map(\.event).contains("locked"))
    }

    @Test("R12 a repair that is cancelled changes nothing, and does not read the vault again")
    func cancelled() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      try session.note("note")
      session.close()
      let owner = try await SessionOwner.unlocked(vault)
      let open = await owner.opened
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await owner.repair()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await owner.opened == open)
      #expect(try await owner.cardCount() == 1)
      #expect(try names(vault) == ["vault.quickvault", "vault.quickvault-shm", "vault.quickvault-wal"])
    }
  }
}
