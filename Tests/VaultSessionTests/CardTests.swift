import SessionSupport
import Testing
import Vault
import VaultInterface

extension SessionTests {
  @Suite("Cards")
  struct CardTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    @Test("R1 R14 a created card is read back unchanged, in another session too")
    func createAndRead() async throws {
      let (card, warnings) = try session.createCard(Samples.address)
      #expect(card.revision == 1)
      #expect(card.createdAt == Timestamp(milliseconds: vault.clock.wall))
      #expect(card.modifiedAt == card.createdAt)
      #expect(card.draft == Samples.address)
      #expect(warnings.isEmpty)
      #expect(try session.card(card.id) == card)
      #expect(try await vault.unlock().card(card.id) == card)
    }

    @Test("R1 an update merges fields, null removes one, and the rest stays")
    func update() throws {
      let card = try session.createCard(Samples.address).card
      vault.clock.advance(seconds: 5)
      let change = CardChange(title: "Office", fields: ["name": "李四", "postalCode": nil])
      let (changed, _) = try session.updateCard(card.id, revision: 1, change)
      var expected = Samples.address
      expected.title = "Office"
      expected.fields["name"] = "李四"
      expected.fields["postalCode"] = nil
      #expect(changed.draft == expected)
      #expect(changed.revision == 2)
      #expect(changed.createdAt == card.createdAt)
      #expect(changed.modifiedAt == Timestamp(milliseconds: vault.clock.wall))
      #expect(try session.card(card.id) == changed)
    }

    @Test("R1 R3 a wrong check character is a warning and saved")
    func warning() throws {
      var draft = Samples.invoice
      draft.fields["taxId"] = "91350100m000100y44"
      let (card, warnings) = try session.createCard(draft)
      #expect(warnings.map(\.code) == [.checkCharacter])
      #expect(try session.card(card.id).fields["taxId"] == "91350100M000100Y44")
    }

    @Test("R1 pinning sets the time and the revision, and moves the card before all that are not pinned")
    func pin() async throws {
      let first = try session.note("first")
      vault.clock.advance(seconds: 1)
      let second = try session.note("second")
      vault.clock.advance(seconds: 1)
      let pinned = try session.updateCard(first.id, revision: nil, CardChange(pinned: true)).card
      #expect(pinned.revision == 2)
      #expect(pinned.modifiedAt > second.modifiedAt)
      vault.clock.advance(seconds: 1)
      let third = try session.note("third")
      #expect(try session.allCards().map(\.id) == [first.id, third.id, second.id])
      _ = try session.updateCard(first.id, revision: nil, CardChange(pinned: false))
      vault.clock.advance(seconds: 1)
      _ = try session.updateCard(second.id, revision: nil, CardChange(title: "second again"))
      #expect(try session.allCards().map(\.id) == [second.id, first.id, third.id])
    }

    @Test("R1 a deleted card cannot be read, and its record is deleted")
    func delete() async throws {
      let card = try session.createCard(Samples.address).card
      let kept = try session.note("kept")
      try session.deleteCard(card.id, revision: 1)
      #expect(vaultError { _ = try session.card(card.id) } == .cardNotFound(card.id))
      #expect(vaultError { try session.deleteCard(card.id, revision: nil) } == .cardNotFound(card.id))
      #expect(
        vaultError { _ = try session.updateCard(card.id, revision: nil, CardChange()) }
          == .cardNotFound(card.id))
      #expect(try session.allCards().map(\.id) == [kept.id])
      #expect(try RawFile(vault).value("SELECT count(*) FROM card") == "1")
      #expect(try await vault.unlock().summary().isIntact)
    }

    @Test("R1 a stale revision is a conflict with the current card, and nothing is changed")
    func conflict() throws {
      let card = try session.note("one")
      let current = try session.updateCard(card.id, revision: 1, CardChange(title: "two")).card
      let stale = CardChange(title: "three")
      for revision in [1, 3, 0, -1, Int.max, Int.min] {
        #expect(
          vaultError { _ = try session.updateCard(card.id, revision: revision, stale) } == .conflict(current))
        #expect(vaultError { try session.deleteCard(card.id, revision: revision) } == .conflict(current))
      }
      #expect(try session.card(card.id) == current)
    }

    @Test("R21 all issues are reported at once, and nothing is saved")
    func validation() throws {
      let card = try session.createCard(Samples.address).card
      let raw = try RawFile(vault)
      let before = try raw.rows("SELECT generation, hex(head), (SELECT count(*) FROM card) FROM vault")
      var draft = Samples.address
      draft.title = " "
      draft.fields["phone"] = "12"
      draft.fields["city"] = ""
      draft.fields["colour"] = "red"
      guard case .cardInvalid(let issues) = vaultError({ _ = try session.createCard(draft) }) else {
        Testing.Issue.record("not refused")
        return
      }
      #expect(Set(issues.map(\.field)) == ["title", "phone", "city", "colour"])
      let change = CardChange(fields: ["city": nil, "phone": "x"])
      guard
        case .cardInvalid(let more) = vaultError({ _ = try session.updateCard(card.id, revision: 1, change) })
      else {
        Testing.Issue.record("not refused")
        return
      }
      #expect(Set(more.map(\.field)) == ["phone", "city"])
      #expect(try raw.rows("SELECT generation, hex(head), (SELECT count(*) FROM card) FROM vault") == before)
      #expect(try session.card(card.id) == card)
    }

    @Test("R16 times increase strictly if the clock stops or is set back by minutes or a time zone")
    func strictTimes() async throws {
      var times: [Timestamp] = []
      for step: Int64 in [0, 0, -1, -30_000, -300_000, 0, -8 * 3_600_000, 0, 1, 30_000] {
        vault.clock.setWall(by: step)
        times.append(try session.note("note").modifiedAt)
      }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      #expect(try session.allCards().map(\.modifiedAt) == times.reversed())
    }

    @Test("R16 after a clock that was wrong by days is corrected, times are correct again")
    func wrongByDays() throws {
      vault.clock.setWall(by: 40 * 86_400_000)
      try session.note("from the future")
      vault.clock.setWall(by: -40 * 86_400_000)
      #expect(try session.note("now").modifiedAt == Timestamp(milliseconds: vault.clock.wall))
    }

    @Test("R17 every method on cards fails with locked while the vault is locked")
    func locked() async throws {
      let card = try session.note("note")
      session.lock(.request)
      #expect(vaultError { _ = try session.card(card.id) } == .locked)
      #expect(vaultError { _ = try session.createCard(Samples.address) } == .locked)
      #expect(vaultError { _ = try session.updateCard(card.id, revision: nil, CardChange()) } == .locked)
      #expect(vaultError { try session.deleteCard(card.id, revision: nil) } == .locked)
      #expect(await errorOf { _ = try session.cards(CardFilter(), limit: 1, cursor: nil) } == .locked)
      #expect(await errorOf { _ = try session.search("note", limit: 1, cursor: nil) } == .locked)
      #expect(await errorOf { _ = try session.tags() } == .locked)
      #expect(vaultError { _ = try session.copy(card.id, as: .field("text"), in: .english) } == .locked)
      #expect(vaultError { _ = try session.settings() } == .locked)
      #expect(vaultError { _ = try session.updateSettings(SettingsChange()) } == .locked)
      #expect(vaultError { _ = try session.summary() } == .locked)
      #expect(try session.refresh() == nil)
    }
  }
}
