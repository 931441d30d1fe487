import SessionSupport
import Testing
import VaultCrypto
import VaultInterface
import VaultStore
import Wire

@testable import Vault

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

    /// Changes the card in another copy, later deletes its attachment in this one, and merges the other.
    private func mergeConflict(with second: Replica) async throws {
      try await second.edit { [card] in
        _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "second"))
      }
      first.vault.clock.advance(seconds: 60)
      try await first.edit { [card] session in
        try session.deleteAttachment(session.card(card.id).attachments[0].id)
      }
      try await first.merge(second)
    }

    @Test("R5 R14 each content of a card keeps its attachments, whichever of them is the card")
    func everyContent() async throws {
      let (second, third) = (try first.forked(), try first.forked())
      try await mergeConflict(with: second)
      #expect(try await counts(first) == ["one": 0, "second (conflict copy)": 1])

      third.vault.clock.advance(seconds: 600)
      try await third.edit { [card] in
        _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "third"))
      }
      try await first.merge(third)
      let expected = ["third": 1, "second (conflict copy)": 1, "one (conflict copy)": 0]
      #expect(try await counts(first) == expected)
      #expect(try await first.merge(third) == Merge(unchanged: 3))
      #expect(try await counts(first) == expected)
    }

    @Test(
      "R5 R14 a conflict copy of version 0.1.0 has the ids of the card, or has lost its attachment, and is written again",
      arguments: [true, false])
    func oldCopy(keepsAttachment: Bool) async throws {
      let (second, third) = (try first.forked(), try first.forked())
      try await mergeConflict(with: second)
      try await first.edit { try Self.makeOld($0, keepsAttachment: keepsAttachment) }
      #expect(try await counts(first) == ["one": 0, "second (conflict copy)": keepsAttachment ? 1 : 0])

      third.vault.clock.advance(seconds: 600)
      try await third.edit { [card] in
        _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "third"))
      }
      try await first.merge(third)
      try await first.merge(second)
      #expect(
        try await counts(first) == ["third": 1, "second (conflict copy)": 1, "one (conflict copy)": 0])
      #expect(try await first.contents().count == 4)
      try await first.edit { [card] in try $0.deleteCard(card.id, revision: nil) }
      #expect(try await counts(first) == ["second (conflict copy)": 1, "one (conflict copy)": 0])
      #expect(try await first.contents().count == 3)
    }

    @Test(
      "R5 R14 a changed conflict copy of version 0.1.0 gets a copy of an attachment that the card has again")
    func oldChangedCopy() async throws {
      let second = try first.forked()
      try await mergeConflict(with: second)
      try await first.edit { [card] session in
        try Self.makeOld(session, keepsAttachment: true)
        let copy = try #require(try session.allCards(limit: 50).first(where: { $0.id != card.id }))
        _ = try session.updateCard(copy.id, revision: nil, CardChange(title: "changed"))
      }
      second.vault.clock.advance(seconds: 600)
      try await second.edit { [card] in
        _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "newest"))
      }
      try await first.merge(second)
      #expect(try await counts(first) == ["newest": 1, "changed": 1, "one (conflict copy)": 0])
      #expect(try await first.contents().count == 4)
      try await first.edit { [card] in try $0.deleteCard(card.id, revision: nil) }
      #expect(try await counts(first)["changed"] == 1)
      #expect(try await first.contents().count == 3)
    }

    @Test(
      "R10 R14 an attachment that a repair dropped comes back from another copy, beside what the repair left")
    func repairedCopy() async throws {
      let second = try first.forked()
      let session = try await second.vault.unlock()
      let victim = try session.card(card.id).attachments[0].id
      session.lock(.request)
      let raw = try RawFile(second.vault)
      try raw.flip("sealed", of: "content", where: "number = \(victim.number)", byte: 20)
      try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
      let repair = try await second.vault.session().repair(password: TestVault.password, copy: nil)
      #expect(repair.dropped == [.attachment(victim)])
      try await second.merge(first)
      #expect(try await Set(counts(second).keys) == ["one", "one (conflict copy)"])
      #expect(try await counts(second).values.sorted() == [0, 1])
      try await first.merge(second)
      #expect(try await first.contents() == second.contents())
    }

    /// Makes the conflict copies what version 0.1.0 made of them.
    private static func makeOld(_ session: VaultSession, keepsAttachment: Bool) throws {
      let vault = try session.unlocked()
      for copy in try session.allCards(limit: 50).map(\.id) {
        try vault.change { transaction, change in
          guard var history = try vault.history(of: copy, in: transaction.read), let tag = history.own.first,
            history.origin != nil, let row = try transaction.read.card(copy)
          else { return }
          let mask = try AttachmentMask(ofCopy: copy, tag: tag, in: vault.reader.vault)
          var card = try vault.card(copy, at: nil, in: transaction.read, isInTrash: false)
          for (index, attachment) in card.attachments.enumerated() {
            let sealed = try transaction.read.content(attachment.id) {
              try vault.reader.seal(vault.reader.content(of: attachment, $0), of: attachment, with: mask)
            }
            try vault.removeContent(of: IndexedAttachment(attachment), transaction, &change)
            guard keepsAttachment, let sealed else { continue }
            let id = mask.applied(to: attachment.id)
            let seal = try sealed.withRawSpan { try ContentSeal(of: $0) }
            card.attachments[index] = attachment.copy(id: id, seal: seal)
            try sealed.withRawSpan { try transaction.insertContent(id, $0) }
            try change.head.add(
              vault.reader.element(of: IndexedAttachment(card.attachments[index])), kind: .attachment)
          }
          if !keepsAttachment { card.attachments = [] }
          let new = CardRow(
            id: copy, revision: row.revision,
            sealed: try vault.reader.seal(.card, copy, row.revision, CardRecord.encode(card)))
          try transaction.updateCard(new, expected: row.revision)
          change.head.replace(
            try vault.reader.element(.card, copy, row.revision, row.sealed),
            with: try vault.reader.element(.card, copy, new.revision, new.sealed))
          change.markChanged(copy)
          change.attachments.append((copy, card.attachments.map(IndexedAttachment.init)))
          history.origin?.copiesAttachments = false
          try vault.put(history, of: copy, transaction, &change)
        }
      }
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
