import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Damage")
  struct IntegrityTests {
    let vault: TestVault
    let session: VaultSession
    let cards: [Card]

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      let session = session
      cards = try ["one", "two", "three"].map { try session.note($0, tags: ["t"]) }
      _ = try session.updateSettings([.autoLockSeconds: .seconds(60), .language: .text("zh-Hans")])
    }

    private func row(_ card: Card) -> String { "number = \(Int64(bitPattern: card.id.high))" }

    /// Checks a damaged vault: it is reported, every write fails, and intact records can be read.
    private func expectDamaged(
      _ session: VaultSession, _ damaged: [Card] = [], missing: [Card] = [],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(try !session.summary().isIntact, sourceLocation: sourceLocation)
      let lost = damaged + missing
      let whole = cards.filter { card in !lost.contains(card) }
      #expect(
        try session.allCards().map(\.id) == whole.reversed().map(\.id), sourceLocation: sourceLocation)
      #expect(
        try session.search("body", limit: 10, cursor: nil).total == whole.count,
        sourceLocation: sourceLocation)
      for card in whole { #expect(try session.card(card.id) == card, sourceLocation: sourceLocation) }
      for card in damaged {
        #expect(
          vaultError { _ = try session.card(card.id) } == .damaged(card.id), sourceLocation: sourceLocation)
      }
      for write in [
        { _ = try session.note("new") },
        { _ = try session.updateCard(whole[0].id, revision: nil, CardChange(title: "x")) },
        { try session.deleteCard(whole[0].id, revision: nil) },
        { _ = try session.updateSettings([.language: .text("en")]) },
      ] {
        guard case .damaged = vaultError(write) else {
          Testing.Issue.record("a damaged vault is written", sourceLocation: sourceLocation)
          continue
        }
      }
      let verification = try await session.verify { _ in }
      #expect(verification.integrity == .damaged, sourceLocation: sourceLocation)
      #expect(Set(verification.damaged) == Set(damaged.map(\.id)), sourceLocation: sourceLocation)
    }

    /// Damages the file with every session closed, and unlocks it.
    private func unlockAfter(_ damage: (RawFile) throws -> Void) async throws -> VaultSession {
      session.close()
      try damage(RawFile(vault))
      return try await vault.unlock()
    }

    @Test("R10 nothing of a title, tag, group, value or setting is in the file, its log or its shared memory")
    func plaintextNowhere() async throws {
      let secrets = [
        "SECRETtitle机密", "SECRETvalue数值", "SECRETtag标签", "SECREThidden", "SECRETlabel", "SECRET{text}",
      ]
      let card = try session.createCard(
        CardDraft(
          title: secrets[0], group: .company, type: .text, fields: ["text": secrets[1]],
          extraFields: [ExtraField(label: secrets[4], value: secrets[3], concealed: true)], tags: [secrets[2]]
        )
      ).card
      _ = try session.updateCard(card.id, revision: nil, CardChange(title: secrets[0] + "!"))
      _ = try session.updateSettings([.textTemplate: .text(secrets[5])])
      for closes in [false, true] {
        if closes { session.close() }
        let bytes = try vault.bytesOnDisk()
        #expect(bytes.count > 8_192)
        for secret in secrets + ["company", "correct horse", "copyTemplates", "autoLockSeconds"] {
          #expect(bytes.range(of: Data(secret.utf8)) == nil)
          #expect(try bytes.range(of: #require(secret.data(using: .utf16LittleEndian))) == nil)
        }
        // The search can find: the settings in clear are there.
        #expect(bytes.range(of: Data("language".utf8)) != nil)
      }
    }

    @Test("R10 a changed byte of a record damages that card alone", arguments: [0, 15, 16, 30, -1])
    func changedByte(position: Int) async throws {
      let damaged = try await unlockAfter { raw in
        let count = try Int(raw.value("SELECT length(sealed) FROM card WHERE \(row(cards[1]))")) ?? 0
        try raw.flip(
          "sealed", of: "card", where: row(cards[1]), byte: position < 0 ? count + position : position)
      }
      try await expectDamaged(damaged, [cards[1]])
      #expect(try damaged.summary().cardCount == 3)
    }

    @Test(
      "R10 a record that is cut short, emptied, or of another revision damages that card alone",
      arguments: [
        "sealed = substr(sealed, 1, 31)", "sealed = x''", "sealed = substr(sealed, 2)", "revision = 2",
        "revision = 0", "revision = -1", "revision = 9223372036854775807",
        "revision = -9223372036854775807 - 1",
      ])
    func changedRow(_ assignment: String) async throws {
      let damaged = try await unlockAfter {
        try $0.run("UPDATE card SET \(assignment) WHERE \(row(cards[1]))")
      }
      try await expectDamaged(damaged, [cards[1]])
    }

    @Test("R10 a deleted card row is detected")
    func deletedRow() async throws {
      let damaged = try await unlockAfter { try $0.run("DELETE FROM card WHERE \(row(cards[1]))") }
      try await expectDamaged(damaged, missing: [cards[1]])
    }

    @Test("R10 two cards whose records were exchanged are both damaged")
    func swappedRows() async throws {
      let damaged = try await unlockAfter { raw in
        let first = try raw.value("SELECT hex(sealed) FROM card WHERE \(row(cards[0]))")
        let second = try raw.value("SELECT hex(sealed) FROM card WHERE \(row(cards[1]))")
        try raw.run("UPDATE card SET sealed = x'\(second)' WHERE \(row(cards[0]))")
        try raw.run("UPDATE card SET sealed = x'\(first)' WHERE \(row(cards[1]))")
      }
      try await expectDamaged(damaged, [cards[0], cards[1]])
    }

    @Test("R10 a card that was rolled back is detected, though it opens")
    func rolledBackRow() async throws {
      let old = try RawFile(vault).value("SELECT hex(sealed) FROM card WHERE \(row(cards[1]))")
      _ = try session.updateCard(cards[1].id, revision: 1, CardChange(title: "newer"))
      let damaged = try await unlockAfter {
        try $0.run("UPDATE card SET sealed = x'\(old)', revision = 1 WHERE \(row(cards[1]))")
      }
      try await expectDamaged(damaged)
    }

    @Test("R10 a copy of a card under another number is detected, and the card itself stays intact")
    func duplicatedRow() async throws {
      let damaged = try await unlockAfter { raw in
        try raw.run("INSERT INTO card SELECT 17, id, revision, sealed FROM card WHERE \(row(cards[1]))")
      }
      #expect(try !damaged.summary().isIntact)
      #expect(try damaged.allCards().map(\.id) == cards.reversed().map(\.id))
      #expect(try damaged.search("body", limit: 10, cursor: nil).total == 3)
      #expect(try damaged.card(cards[1].id) == cards[1])
      let verification = try await damaged.verify { _ in }
      #expect(
        verification.cards == 4 && verification.damaged.count == 1 && verification.integrity == .damaged)
    }

    @Test("R10 a card whose id was changed is detected, and the others open")
    func changedIdentifier() async throws {
      let damaged = try await unlockAfter { try $0.flip("id", of: "card", where: row(cards[1]), byte: 3) }
      #expect(try !damaged.summary().isIntact)
      #expect(try damaged.allCards().map(\.id) == [cards[2].id, cards[0].id])
      #expect(try await damaged.verify { _ in }.damaged == [cards[1].id])
    }

    @Test(
      "R10 a head that was tampered with, or is of another generation, is detected",
      arguments: [
        "head = x''", "head = zeroblob(length(head))", "generation = generation + 1",
        "generation = generation - 1",
        "generation = -1", "generation = 9223372036854775807", "generation = -9223372036854775807 - 1",
      ])
    func head(_ assignment: String) async throws {
      let damaged = try await unlockAfter { try $0.run("UPDATE vault SET \(assignment)") }
      try await expectDamaged(damaged)
    }

    @Test(
      "R10 R13 a settings document that was changed, rolled back or removed is detected",
      arguments: [
        "UPDATE document SET sealed = zeroblob(length(sealed))", "UPDATE document SET revision = 2",
        "UPDATE document SET revision = 9223372036854775807", "DELETE FROM document",
        "INSERT INTO document SELECT 'more', revision, sealed FROM document",
        "UPDATE document SET name = 'other'",
      ])
    func settings(_ sql: String) async throws {
      try await expectDamaged(try await unlockAfter { try $0.run(sql) })
    }

    @Test(
      "R13 forged plain settings are damage and logged; a repair restores them from the sealed ones",
      arguments: ["", "{}", "language=en\n", "nonsense", "language=\u{1f600}\n"])
    func forgedOpenSettings(_ text: String) async throws {
      let damaged = try await unlockAfter { try $0.run("UPDATE vault SET open_settings = '\(text)'") }
      try await expectDamaged(damaged)
      #expect(try await damaged.verify { _ in }.findings == [.plainSettings])
      #expect(damaged.chosenLanguage == .simplifiedChinese)
      #expect(try damaged.log(limit: 10).first?.event == "settingsForged")
      _ = try await damaged.repair(password: nil, copy: nil)
      #expect(try RawFile(vault).value("SELECT open_settings FROM vault") == "language=zh-Hans\n")
      #expect(try damaged.summary().isIntact)
    }

    @Test(
      "R13 in a vault of the older format they are restored from the sealed ones at unlock",
      arguments: ["", "language=en\n", "nonsense"])
    func forgedOpenSettingsOfOlderFormat(_ text: String) async throws {
      try session.makeOlderFormat(of: vault)
      let mended = try await unlockAfter { try $0.run("UPDATE vault SET open_settings = '\(text)'") }
      #expect(try mended.summary().isIntact)
      #expect(mended.chosenLanguage == .simplifiedChinese)
      #expect(try RawFile(vault).value("SELECT open_settings FROM vault") == "language=zh-Hans\n")
      #expect(try mended.log(limit: 10).first?.event == "settingsForged")
      mended.lock(.request)
      let next = vault.session()
      next.readPlaintextSettings()
      #expect(next.chosenLanguage == .simplifiedChinese)
    }

    @Test(
      "R10 damage to an unlocked vault is detected at the next read",
      arguments: [
        "UPDATE card SET sealed = zeroblob(length(sealed)) WHERE", "UPDATE card SET revision = 7 WHERE",
        "DELETE FROM card WHERE",
      ])
    func damageMeanwhile(_ sql: String) async throws {
      _ = try session.refresh()
      try RawFile(vault).run("\(sql) \(row(cards[1]))")
      #expect(try session.refresh() == .all)
      #expect(try session.refresh() == nil)
      let isMissing = sql.hasPrefix("DELETE")
      try await expectDamaged(session, isMissing ? [] : [cards[1]], missing: isMissing ? [cards[1]] : [])
    }

    @Test("R10 damage after the last read is detected by the next write or list")
    func damageWithoutLook() async throws {
      try RawFile(vault).run("UPDATE card SET sealed = zeroblob(99) WHERE \(row(cards[1]))")
      #expect(try session.cards(CardFilter(), limit: 10, cursor: nil).total == 2)
      try await expectDamaged(session, [cards[1]])
    }

    @Test("R10 the maximum settings revision, written while unlocked, is damage and does not trap")
    func settingsRevisionMeanwhile() async throws {
      try RawFile(vault).run("UPDATE document SET revision = 9223372036854775807")
      #expect(vaultError { _ = try session.updateSettings([.language: .text("en")]) } == .damaged(nil))
      #expect(try session.settings().seconds(.autoLockSeconds) == 60)
    }

    @Test("R10 another session's attempts, log entries and refused attempts do not count as damage")
    func harmlessWrites() async throws {
      _ = try session.refresh()
      let other = vault.session()
      #expect(
        await other.errorOfUnlock("wrong password") == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
      #expect(await other.errorOfUnlock(TestVault.password) == nil)
      other.lock(.request)
      #expect(try session.refresh() == nil)
      try session.note("goes on")
      #expect(try session.summary().isIntact)
    }
  }
}
