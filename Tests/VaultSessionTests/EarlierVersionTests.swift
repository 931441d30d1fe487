import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Earlier versions")
  struct EarlierVersionTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    private func retitle(_ id: Identifier, _ title: String) throws {
      vault.clock.advance(seconds: 60)
      _ = try session.updateCard(id, revision: nil, CardChange(title: title))
    }

    private func titles(_ session: VaultSession, _ id: Identifier) throws -> [String] {
      try session.earlierVersions(of: id).map(\.card.title)
    }

    @Test(
      "R1 what an edit replaces is kept with its time, also across a lock, and nothing else makes a version")
    func kept() async throws {
      let first = try session.note("one")
      #expect(try session.earlierVersions(of: first.id).isEmpty)
      try retitle(first.id, "two")
      _ = try session.updateCard(first.id, revision: nil, CardChange(pinned: true))
      try retitle(first.id, "three")
      #expect(try titles(session, first.id) == ["two", "one"])
      let reopened = try await vault.unlock()
      let versions = try reopened.earlierVersions(of: first.id)
      #expect(versions.map(\.card.title) == ["two", "one"])
      #expect(versions[1].card.modifiedAt == first.modifiedAt && versions[1].card.draft == first.draft)
      #expect(Set(versions.map(\.name)).count == 2)
      #expect(try reopened.allCards().map(\.title) == ["three"])
      for query in ["one", "two"] {
        #expect(try reopened.search(query, limit: 9, cursor: nil).items.isEmpty)
      }
      #expect(try reopened.summary().isIntact)
    }

    @Test("R1 an edit is taken back, and so is that")
    func reverted() throws {
      let card = try session.note("one", tags: ["t"])
      try retitle(card.id, "two")
      _ = try session.updateCard(card.id, revision: nil, CardChange(tags: [], pinned: true))
      let back = try session.revertCard(card.id, to: nil, revision: nil)
      #expect(back.title == "two" && back.tags == ["t"] && back.pinned && back.revision == 4)
      let name = try #require(try session.earlierVersions(of: card.id).last).name
      #expect(try session.revertCard(card.id, to: name.uppercased(), revision: 4).title == "one")
      #expect(try session.revertCard(card.id, to: nil, revision: 5).title == "two")
      guard case .conflict = vaultError({ _ = try session.revertCard(card.id, to: nil, revision: 5) }) else {
        Testing.Issue.record("an older revision was taken")
        return
      }
      for name in ["", "00000000", "zz"] {
        #expect(
          vaultError { _ = try session.revertCard(card.id, to: name, revision: nil) } == .versionNotFound)
        #expect(vaultError { _ = try session.earlierVersion(of: card.id, named: name) } == .versionNotFound)
      }
      let other = try session.note("other")
      #expect(vaultError { _ = try session.revertCard(other.id, to: nil, revision: nil) } == .versionNotFound)
    }

    @Test("R1 ten versions are kept, or as many as the settings say, and none for more than a year")
    func limits() throws {
      let id = try session.note("0").id
      for number in 1...12 { try retitle(id, "\(number)") }
      #expect(try titles(session, id) == (2...11).reversed().map(String.init))
      _ = try session.updateSettings([.keptVersions: .number(2)])
      #expect(try titles(session, id) == ["11", "10"])
      try retitle(id, "13")
      _ = try session.updateSettings([.keptVersions: .number(50)])
      #expect(try titles(session, id) == ["12", "11"])
      vault.clock.advance(seconds: 366 * 86_400)
      try retitle(id, "14")
      try retitle(id, "15")
      #expect(try titles(session, id) == ["14"])
      _ = try session.updateSettings([.keptVersions: .number(0)])
      try retitle(id, "16")
      _ = try session.updateSettings([.keptVersions: .number(50)])
      #expect(try titles(session, id).isEmpty)
    }

    @Test("R1 versions beyond 256 KiB together are not kept")
    func size() throws {
      let id = try session.note("0", text: String(repeating: "字", count: 40_000)).id
      for number in 1...4 { try retitle(id, "\(number)") }
      #expect(try titles(session, id) == ["3", "2"])
      _ = try session.updateCard(
        id, revision: nil, CardChange(fields: ["text": String(repeating: "字", count: 100_000)]))
      try retitle(id, "5")
      #expect(try titles(session, id).isEmpty)
    }

    @Test("R1 a deletion removes the versions from storage, and its undoing brings them back")
    func deleted() throws {
      let id = try session.note("secret one").id
      try retitle(id, "two")
      try session.deleteCard(id, revision: nil)
      let history = try session.unlocked().reading { try session.unlocked().history(of: id, in: $0) }
      #expect(history?.earlier.isEmpty == true)
      #expect(try session.restoreCard(id).title == "two")
      #expect(try titles(session, id) == ["secret one"])
    }

    @Test("R1 a vault of the format before takes the step with the first edit, and stays intact")
    func olderFormat() async throws {
      let id = try session.note("one").id
      session.lock(.request)
      try RawFile(vault).run("DELETE FROM migration WHERE position = 6")
      let again = try await vault.unlock()
      _ = try again.updateCard(id, revision: nil, CardChange(title: "two"))
      #expect(try titles(again, id) == ["one"])
      #expect(try RawFile(vault).value("SELECT count(*) FROM migration") == "7")
      #expect(try await vault.unlock().summary().isIntact)
    }

    @Test("R1 histories with malformed versions do not open")
    func malformed() throws {
      let record = try CardRecord.encode(
        Card(Samples.address, id: Identifier.random(), at: Timestamp(milliseconds: 5)))
      var history = CardHistory(replaced: [7])
      history.earlier = EarlierContents().adding(record, upTo: 9, since: .min)
      let good = history.encoded()
      #expect(try CardHistory(decoding: good) == history)
      for length in 0..<good.count {
        #expect(throws: CryptoError.malformed) { try CardHistory(decoding: Array(good.prefix(length))) }
      }
      let place = good.count - record.count - 5
      for (offset, byte) in [
        (place, UInt8(0)), (place, 51), (place, 2), (place + 5, 9), (1, 0), (1, 33), (1, 34),
      ] {
        var bad = good
        bad[offset] = byte
        #expect(throws: CryptoError.malformed) { try CardHistory(decoding: bad) }
      }
    }
  }

  @Suite("The trash")
  struct TrashTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      _ = try session.updateSettings([.keepDeletedDays: .number(30)])
    }

    @Test(
      "R1 a deleted card is nowhere but in the trash, and comes back with its attachments, also after a lock")
    func restored() async throws {
      let card = try session.note("Wi-Fi", text: "needle", tags: ["net"])
      let kept = try session.note("kept")
      vault.clock.advance(seconds: 60)
      try session.deleteCard(card.id, revision: nil)
      for session in [session, try await vault.unlock()] {
        #expect(try session.allCards().map(\.id) == [kept.id])
        #expect(try session.search("needle", limit: 9, cursor: nil).items.isEmpty)
        #expect(try session.tags().isEmpty)
        #expect(try session.summary().cardCount == 1)
        #expect(vaultError { _ = try session.card(card.id) } == .cardNotFound(card.id))
        #expect(vaultError { _ = try session.names(of: card.id) } == .cardNotFound(card.id))
        #expect(vaultError { _ = try session.deleteCard(card.id, revision: nil) } == .cardNotFound(card.id))
        #expect(vaultError { _ = try session.earlierVersions(of: card.id) } == .cardNotFound(card.id))
        #expect(
          vaultError { _ = try session.updateCard(card.id, revision: nil, CardChange(title: "x")) }
            == .cardNotFound(card.id))
        #expect(try session.cardsInTrash().map(\.title) == ["Wi-Fi"])
        #expect(try session.summary().isIntact)
      }
      let back = try session.restoreCard(named: "ＷＩ-fi")
      #expect(back.draft == card.draft && back.id == card.id && back.revision == 3)
      #expect(try session.allCards().map(\.title) == ["Wi-Fi", "kept"])
      #expect(try session.cardsInTrash().isEmpty)
      #expect(try await vault.unlock().allCards().count == 2)
    }

    @Test("R1 the oldest cards go when the attachments of all are too large, and the last one stays")
    func attachmentLimit() throws {
      var cards: [Card] = []
      for number in 0..<3 {
        let card = try session.note("\(number)")
        let content = try #require(PrivateBytes(capacity: 1_000))
        content.append([UInt8](repeating: 7, count: 1_000))
        let draft = AttachmentDraft(
          name: "a.png", mediaType: .png, width: 1, height: 1, watermark: nil, content: content)
        _ = try session.addAttachment(draft, to: card.id)
        try session.deleteCard(card.id, revision: nil)
        cards.append(card)
      }
      #expect(try session.attachmentBytesInTrash() == 3_000)
      let vault = try session.unlocked()
      try vault.limitTrash(to: 2_000, self.vault.clock)
      #expect(try session.cardsInTrash().map(\.title) == ["2", "1"])
      try vault.limitTrash(to: 10, self.vault.clock)
      #expect(try session.cardsInTrash().map(\.title) == ["2"])
      #expect(try session.restoreCard(cards[2].id).attachments.count == 1)
      #expect(try session.summary().isIntact)
    }

    @Test("R1 a card goes for good after its days, on demand, and when the trash is turned off")
    func purged() async throws {
      let cards = try ["one", "two", "three", "four"].map { try session.note($0) }
      try session.deleteCard(cards[0].id, revision: nil)
      vault.clock.advance(seconds: 86_400)
      for card in cards[1...] { try session.deleteCard(card.id, revision: nil) }
      #expect(Set(try session.cardsInTrash().map(\.title)) == ["one", "two", "three", "four"])
      try session.purgeExpired()
      #expect(try session.cardsInTrash().count == 4)
      vault.clock.advance(seconds: 29 * 86_400 + 1)
      try session.purgeExpired()
      #expect(Set(try session.cardsInTrash().map(\.title)) == ["two", "three", "four"])
      #expect(try session.purge(cards[1].id) == 1)
      #expect(vaultError { try session.purge(cards[1].id) } == .cardNotFound(cards[1].id))
      #expect(vaultError { _ = try session.restoreCard(cards[1].id) } == .cardNotFound(cards[1].id))
      #expect(try RawFile(vault).value("SELECT count(*) FROM card") == "2")
      _ = try session.updateSettings([.keepDeletedDays: .number(0)])
      try session.purgeExpired()
      #expect(try RawFile(vault).value("SELECT count(*) FROM card") == "0")
      #expect(try session.purge(nil) == 0)
      #expect(try session.summary().isIntact)
    }
  }
}
