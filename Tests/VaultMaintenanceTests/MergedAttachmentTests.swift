import SessionSupport
import Testing
import VaultModel

@testable import VaultMaintenance
@testable import VaultSession

extension SessionTests {
  @Suite("Merge, with attachments")
  struct MergedAttachmentTests {
    private let first: Replica
    private let card: Card

    init() async throws {
      first = try Replica()
      let session = try await first.vault.create()
      card = try session.note("one")
      let content = try #require(PrivateBytes(capacity: 100))
      content.append([UInt8](repeating: 7, count: 100))
      let draft = AttachmentDraft(
        name: "a.jpg", mediaType: .jpeg, width: 1, height: 1, watermark: nil, content: content)
      _ = try session.addAttachment(draft, to: card.id)
      session.lock(.request)
    }

    /// How many attachments each card has, by its title.
    private func counts(_ replica: Replica) async throws -> [String: Int] {
      let session = try await replica.vault.unlock()
      defer { session.lock(.request) }
      #expect(try await session.verify({ _ in }).integrity == .intact)
      let cards = try session.allCards(limit: 50).map { try session.card($0.id) }
      return Dictionary(uniqueKeysWithValues: cards.map { ($0.title, $0.attachments.count) })
    }

    @Test("R5 R14 an attachment of a conflict copy moves back to the card whose newest content has it")
    func goesBack() async throws {
      let (second, third) = (try first.forked(), try first.forked())
      try await second.edit { [card] in
        _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "second"))
      }
      first.vault.clock.advance(seconds: 60)
      try await first.edit { [card] session in
        try session.deleteAttachment(session.card(card.id).attachments[0].id)
      }
      try await first.merge(second)
      #expect(try await counts(first) == ["one": 0, "second (conflict copy)": 1])

      third.vault.clock.advance(seconds: 600)
      try await third.edit { [card] in
        _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "third"))
      }
      try await first.merge(third)
      let expected = ["third": 1, "second (conflict copy)": 0, "one (conflict copy)": 0]
      #expect(try await counts(first) == expected)
      #expect(try await first.merge(third) == Merge(unchanged: 3))
      #expect(try await counts(first) == expected)
    }

    @Test(
      "R6 R14 a rendition with a watermark that a merge replaced is deleted, even for the same revision"
    )
    func replacedWatermark() async throws {
      let second = try first.forked()
      second.vault.clock.advance(seconds: 60)
      for (replica, text) in [(first, "mine"), (second, "theirs")] {
        try await replica.edit { [card] session in
          let attachment = try session.card(card.id).attachments[0].id
          _ = try session.setWatermark(Watermark(text: text), of: attachment)
        }
      }
      let session = try await first.vault.unlock()
      defer { session.lock(.request) }
      let before = try session.card(card.id).attachments[0]
      _ = try await session.merge(
        UserPath(second.vault.path), password: TestVault.password, isDryRun: false
      ) { _ in }
      let after = try session.card(card.id).attachments[0]
      #expect(before.revision == after.revision && before.watermark?.text == "mine")
      #expect(after.watermark?.text == "theirs")
      for (attachment, isKept) in [(before, false), (after, true)] {
        let bytes = try #require(PrivateBytes(capacity: 10))
        bytes.append([UInt8](repeating: 7, count: 10))
        session.keep(
          Rendition(mediaType: .jpeg, width: 1, height: 1, bytes: bytes), .watermarked, of: attachment)
        #expect(try (session.rendition(.watermarked, of: after) != nil) == isKept)
      }
    }
  }
}
