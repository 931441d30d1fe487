import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Repair, with attachments")
  struct RepairedAttachmentTests {
    private let vault: TestVault
    private let cards: [Card]
    private let raw: RawFile

    /// Three cards: two attachments, one, and none.
    init() async throws {
      vault = try TestVault()
      let session = try await vault.create()
      let made = try (0..<3).map { try session.note("card \($0)") }
      try Replica.attach("a.png", to: made[0], session)
      try Replica.attach("b.png", to: made[0], session)
      try Replica.attach("c.png", to: made[1], session)
      _ = try session.setWatermark(Watermark(text: "mark"), of: session.card(made[0].id).attachments[1].id)
      cards = try made.map { try session.card($0.id) }
      session.lock(.request)
      raw = try RawFile(vault)
    }

    private func number(_ attachment: VaultInterface.Attachment) -> Int64 {
      Int64(bitPattern: attachment.id.high)
    }

    /// Repairs the vault, which is damaged, and looks at what became of it.
    private func repair(losing lost: [VaultInterface.Attachment], extra: [Repair.Dropped] = []) async throws {
      try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
      let session = vault.session()
      let repair = try await session.repair(password: TestVault.password, copy: nil)
      #expect(repair.kept.cards == 3 && repair.kept.attachments == 3 - lost.count && repair.missing == 0)
      #expect(Set(repair.dropped) == Set(lost.map { .attachment($0.id) } + extra))
      let opened = try await vault.unlock()
      defer { opened.lock(.request) }
      #expect(
        try await opened.verify { _ in }
          == Verification(cards: 3, attachments: 3 - lost.count, damaged: [], integrity: .intact))
      for card in cards {
        let now = try opened.card(card.id)
        #expect(now.title == card.title && now.fields == card.fields)
        #expect(now.attachments == card.attachments.filter { !lost.contains($0) })
        // A card that lost something is a revision anew, for clients that have seen it otherwise.
        #expect((now.revision > card.revision) == (now.attachments.count < card.attachments.count))
        for attachment in now.attachments {
          let content = try opened.content(of: attachment.id)
          #expect(content.prefix(100) == Array((attachment.name + " content").utf8))
        }
      }
      try Replica.attach("new.png", to: cards[2], opened)
    }

    @Test(
      "R5 R10 a content that does not open is dropped and reported; its card and the others stay",
      arguments: [0, 20, -1])
    func changed(byte: Int) async throws {
      let victim = cards[0].attachments[0]
      let position = byte < 0 ? victim.size + 20 : byte
      try raw.flip("sealed", of: "content", where: "number = \(number(victim))", byte: position)
      try await repair(losing: [victim])
    }

    @Test("R5 R10 missing, truncated and swapped contents are dropped and reported")
    func rows() async throws {
      let (first, second, third) = (cards[0].attachments[0], cards[0].attachments[1], cards[1].attachments[0])
      try raw.run("DELETE FROM content WHERE number = \(number(third))")
      try raw.run(
        """
        CREATE TEMP TABLE kept AS SELECT number, sealed FROM content;
        UPDATE content SET sealed = (SELECT sealed FROM kept WHERE number = \(number(second)))
          WHERE number = \(number(first));
        UPDATE content SET sealed = (SELECT sealed FROM kept WHERE number = \(number(first)))
          WHERE number = \(number(second));
        """)
      try await repair(losing: [first, second, third])
    }

    @Test("R5 R10 a content that belongs to no card is dropped")
    func strays() async throws {
      try raw.run("INSERT INTO content SELECT 17, id, sealed FROM content LIMIT 1")
      try await repair(losing: [])
    }
  }
}
