import Foundation
import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Two sessions on one file")
  struct TwoSessionsTests {
    let vault: TestVault
    let one: VaultSession
    let two: VaultSession

    init() async throws {
      vault = try TestVault()
      one = try await vault.create()
      two = try await vault.unlock()
      _ = try one.refresh()
      _ = try two.refresh()
    }

    @Test("R14 each sees the cards that the other creates, changes and deletes with its next request")
    func everyChange() async throws {
      let card = try one.note("one")
      #expect(try two.refresh() == .cards(changed: [card.id], deleted: []))
      #expect(try two.refresh() == nil)
      #expect(try two.card(card.id) == card)

      let changed = try two.updateCard(card.id, revision: 1, CardChange(title: "two", pinned: true)).card
      #expect(try one.refresh() == .cards(changed: [card.id], deleted: []))
      #expect(try one.allCards().map(\.title) == ["two"])
      #expect(try one.card(card.id) == changed)

      try one.deleteCard(card.id, revision: 2)
      #expect(try two.refresh() == .cards(changed: [], deleted: [card.id]))
      #expect(try two.allCards().isEmpty)
      #expect(try two.summary().cardCount == 0)
    }

    @Test("R14 a change made in the background is not reported as another process's; one that follows it is")
    func changedInBackground() async throws {
      let own = try await one.changeInBackground({ _ in }) {
        [vault] copy, _ -> Card? in
        let card = try Card(
          Samples.address.checked().draft, id: .random(), at: copy.timeOfChange(vault.clock))
        try copy.change { try copy.insert(card, $0, &$1) }
        return card
      }
      #expect(try one.refresh() == nil)
      #expect(try one.card(own.id) == own)
      #expect(try two.refresh() == .cards(changed: [own.id], deleted: []))

      let open = try one.unlocked()
      let copy = try #require(try OpenVault.Copy(open).open())
      try copy.change { _, _ in }
      let changes = try #require(copy.commits)
      copy.close()
      let foreign = try two.note("foreign")
      open.takeOver(changes)
      #expect(try one.refresh() == .cards(changed: [foreign.id], deleted: []))
      #expect(try one.summary().isIntact && one.summary().cardCount == 2)
    }

    @Test("R14 a change in the background fails if another process writes each time")
    func busyInBackground() async throws {
      let calls = Box(0)
      let error = await errorOf {
        try await one.changeInBackground({ _ in }) { _, _ in
          calls.value += 1
          return nil as Void?
        }
      }
      #expect(error == .unavailable(.busy) && calls.value == 3)
    }

    @Test("R14 a status request reads the changes of the other session")
    func status() async throws {
      let card = try one.note("one")
      let status = try two.status()
      #expect(status == VaultSession.Status(exists: true, failedAttempts: 0, retryAfterSeconds: 0))
      #expect(two.takeExternalChanges() == .cards(changed: [card.id], deleted: []))
      #expect(try two.refresh() == nil)
      #expect(try two.allCards().map(\.id) == [card.id])
      try await one.changePassword(
        from: TestVault.password, to: "a new password", keyDerivation: nil, dropsDevices: false)
      #expect(vaultError { _ = try two.status() } == .changed)
    }

    @Test("R11 R14 the cached status is the one that a session without a cache reads")
    func rememberedStatus() async throws {
      var random = SystemRandomNumberGenerator()
      for _ in 0..<60 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: _ = await two.errorOfUnlock("wrong")
        case 1: try await two.unlock(password: TestVault.password)
        case 2: try two.note("two")
        case 3:
          // What is changed between two looks, by either, is seen at the next, and what was seen is not seen again.
          _ = try one.refresh()
          try one.note("one")
          let other = Bool.random(using: &random) ? try two.note("two").id : nil
          #expect(try one.refresh() == other.map { .cards(changed: [$0], deleted: []) })
        default: break
        }
        if Bool.random(using: &random) { _ = try one.refresh() }
        let status = try one.status()
        #expect(try status == vault.session().status())
        #expect(try one.status() == status)
        if status.retryAfterSeconds > 0 { vault.clock.advance(seconds: Int64(status.retryAfterSeconds)) }
        #expect(try one.allCards().count == two.allCards().count)
      }
    }

    @Test("R13 settings that another session changed apply here, and no card is reported as changed")
    func settings() throws {
      _ = try one.updateSettings([.autoLockSeconds: .seconds(15), .language: .text("en")])
      #expect(try two.refresh() == nil)
      #expect(try two.settings().seconds(.autoLockSeconds) == 15)
      #expect(two.chosenLanguage == .english)
    }

    @Test(
      "R14 up to 64 changes are reported per card, more as a change of all cards",
      arguments: [63, 64, 65])
    func manyChanges(count: Int) async throws {
      var ids: Set<Identifier> = []
      for number in 0..<count { ids.insert(try one.note("note \(number)").id) }
      #expect(try two.refresh() == (count > 64 ? .all : .cards(changed: ids, deleted: [])))
      #expect(try two.allCards(limit: 50).map(\.id) == one.allCards(limit: 50).map(\.id))
      #expect(try two.summary().isIntact)
    }

    @Test("R14 a session reads neither its own writes nor already applied changes again")
    func ownWrites() async throws {
      let open = try one.unlocked()
      // Reading everything again would correct this.
      open.settingsRevision = -7
      let card = try one.note("one")
      _ = try one.updateCard(card.id, revision: 1, CardChange(title: "two"))
      one.record(.memoryNotLocked)
      try open.file.checkpoint()
      try one.deleteCard(card.id, revision: 2)
      #expect(try one.allCards().isEmpty)
      #expect(try one.refresh() == nil)
      #expect(open.settingsRevision == -7)
      try two.note("other")
      _ = try one.refresh()
      #expect(open.settingsRevision == 0)
    }

    @Test("R14 changes that were applied during an own write are reported with the next request")
    func takenInByWriting() async throws {
      let theirs = try one.note("theirs")
      let ours = try two.note("ours")
      #expect(try two.refresh() == .cards(changed: [theirs.id], deleted: []))
      #expect(try two.allCards().map(\.id) == [ours.id, theirs.id])
    }

    @Test("R1 no update is lost: an update based on an older revision is refused with the current card")
    func lostUpdate() throws {
      let card = try one.note("base")
      _ = try two.refresh()
      let first = try one.updateCard(card.id, revision: 1, CardChange(title: "first")).card
      #expect(
        vaultError { _ = try two.updateCard(card.id, revision: 1, CardChange(title: "second")) }
          == .conflict(first))
      #expect(vaultError { try two.deleteCard(card.id, revision: 1) } == .conflict(first))
      // Without a revision the change is made of what is there by now, not of what was seen.
      let merged = try two.updateCard(card.id, revision: nil, CardChange(tags: ["x"])).card
      #expect(merged.title == "first" && merged.revision == 3)
      try one.deleteCard(card.id, revision: 3)
      #expect(
        vaultError { _ = try two.updateCard(card.id, revision: nil, CardChange()) } == .cardNotFound(card.id))
    }

    @Test(
      "R16 a card changed after another session's is listed first, even if the clock has stopped")
    func orderAcrossSessions() async throws {
      var ids: [Identifier] = []
      for number in 0..<10 { ids.insert(try (number % 2 == 0 ? one : two).note("note").id, at: 0) }
      _ = try one.refresh()
      #expect(try one.allCards().map(\.id) == ids)
      _ = try two.updateCard(ids[9], revision: nil, CardChange(title: "moved"))
      _ = try one.updateCard(ids[8], revision: nil, CardChange(title: "moved later"))
      #expect(try one.allCards().map(\.id) == [ids[8], ids[9]] + ids[0..<8])
    }

    @Test(
      "R15 a list and a search during another session's changes show one snapshot")
    func listWithoutLook() async throws {
      let gone = try one.note("gone", tags: ["t"])
      let kept = try one.note("kept", tags: ["t"])
      _ = try two.refresh()
      try one.deleteCard(gone.id, revision: nil)
      let added = try one.note("added", tags: ["t"])
      let page = try two.cards(CardFilter(), limit: 10, cursor: nil)
      #expect(page.items.map(\.id) == [added.id, kept.id])
      #expect(page.total == 2)
      try one.deleteCard(kept.id, revision: nil)
      #expect(try two.search("body", limit: 10, cursor: nil).items.map(\.card.id) == [added.id])
      try one.deleteCard(added.id, revision: nil)
      #expect(try two.cards(CardFilter(tag: "t"), limit: 10, cursor: nil).total == 0)
      #expect(try two.tags().isEmpty)
      #expect(try two.refresh() == .cards(changed: [], deleted: [gone.id, kept.id, added.id]))
    }

    @Test("R12 a password change locks the vault in the other session, but not in this one")
    func passwordChange() async throws {
      try await one.changePassword(
        from: TestVault.password, to: "another password", keyDerivation: nil, dropsDevices: false)
      #expect(vaultError { _ = try two.refresh() } == .changed)
      #expect(vaultError { _ = try two.note("too late") } == .changed)
      #expect(two.lock(.passwordChanged))
      #expect(try one.refresh() == nil)
      try one.note("still open")
      #expect(await two.errorOfUnlock("another password") == nil)
      #expect(try two.allCards().count == 1)
    }

    @Test(
      "R17 a file that is deleted or replaced under a session is reported, and the new one is not written to")
    func replaced() async throws {
      let card = try one.note("one")
      let other = try TestVault()
      let foreign = try await other.create()
      foreign.close()
      _ = rename(other.path, vault.path)
      for session in [one, two] {
        #expect(vaultError { _ = try session.refresh() } == .changed)
        #expect(vaultError { _ = try session.card(card.id) } == .changed)
        #expect(vaultError { _ = try session.note("nowhere") } == .changed)
        #expect(session.lock(.passwordChanged))
      }
      let error = await one.errorOfUnlock(TestVault.password)
      #expect(error == nil)
      #expect(try one.allCards().isEmpty)
    }

    @Test("L a vault that another session deleted no longer exists for this one")
    func deleted() async throws {
      try await one.delete(password: TestVault.password, confirmation: "vault.quickvault")
      #expect(one.isLocked)
      #expect(vaultError { _ = try two.refresh() } == .changed)
      two.lock(.passwordChanged)
      #expect(
        try two.status()
          == VaultSession.Status(exists: false, isBound: false, failedAttempts: 0, retryAfterSeconds: 0))
      #expect(await two.errorOfUnlock(TestVault.password) == .notFound)
      #expect(try FileManager.default.contentsOfDirectory(atPath: vault.directory).isEmpty)
    }

    @Test("R10 a file that was rolled back under a session is reported as changed")
    func rolledBackVault() throws {
      try one.note("first")
      let raw = try RawFile(vault)
      let earlier = try raw.rows("SELECT generation, hex(head) FROM vault")[0]
      let card = try one.note("second")
      _ = try two.refresh()
      try raw.run(
        "DELETE FROM card WHERE number = \(Int64(bitPattern: card.id.high));"
          + "UPDATE vault SET generation = \(earlier[0]), head = x'\(earlier[1])'")
      #expect(vaultError { _ = try two.refresh() } == .changed)
      #expect(vaultError { _ = try one.note("third") } == .changed)
    }

    @Test("R14 an index update that fails is repeated")
    func failedLook() async throws {
      let raw = try RawFile(vault)
      let card = try one.note("one")
      let id = try raw.value("SELECT hex(id) FROM card")
      try raw.run("UPDATE card SET id = x'01'")
      #expect(vaultError { _ = try two.refresh() } == .damaged(nil))
      try raw.run("UPDATE card SET id = x'\(id)'")
      #expect(try two.refresh() == .cards(changed: [card.id], deleted: []))
      #expect(try two.allCards().map(\.id) == [card.id])
    }
  }
}
