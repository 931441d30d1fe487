import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Conflicts") struct ConflictTests {
    private let mine: Replica
    private let card: Card

    init() async throws {
      mine = try Replica()
      let session = try await mine.vault.create()
      card = try session.note("card")
      session.lock(.request)
    }

    /// Has another copy change the card after this one, and merges that.
    private func conflict(_ title: String, other: String) async throws -> CardConflict {
      let copy = try mine.forked()
      try await mine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: title)) }
      copy.vault.clock.advance(seconds: 60)
      try await copy.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: other)) }
      return try #require(try await mine.merge(copy).conflicts.first)
    }

    private func listed() async throws -> [CardConflict] {
      var listed: [CardConflict] = []
      try await mine.edit { session in listed = try await session.read { try $0.conflicts() } }
      return listed
    }

    private func edit(_ conflict: CardConflict, _ change: CardChange) async throws {
      try await mine.edit { _ = try $0.updateCard(conflict.copy, revision: nil, change) }
    }

    @Test("R14 a conflict copy is listed with its card, whatever their titles")
    func titles() async throws {
      #expect(try await listed().isEmpty)
      let copy = try await conflict("mine", other: "theirs").copy
      let expected = CardConflict(card: card.id, copy: copy, title: "mine")
      #expect(try await listed() == [expected])
      try await mine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "renamed")) }
      #expect(try await listed() == [expected])
      try await mine.edit { try $0.deleteCard(card.id, revision: nil) }
      #expect(try await listed() == [CardConflict(card: nil, copy: copy, title: "mine")])
      try await mine.edit { try $0.deleteCard(copy, revision: nil) }
      #expect(try await listed().isEmpty)
    }

    @Test("R14 an edited conflict copy is listed by its title, until that has no note")
    func edited() async throws {
      let copy = try await conflict("mine", other: "theirs").copy
      let expected = CardConflict(card: card.id, copy: copy, title: "mine")
      try await edit(expected, CardChange(fields: ["text": "edited"]))
      #expect(try await listed() == [CardConflict(card: nil, copy: copy, title: "mine")])
      try await mine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "mine")) }
      #expect(try await listed() == [expected])
      try await edit(expected, CardChange(title: "mine"))
      #expect(try await listed().isEmpty)
    }

    @Test("R14 a conflict copy whose title has no room for the note is listed")
    func longTitle() async throws {
      let title = String(repeating: "长", count: Limits.title)
      let copy = try await conflict(title, other: "theirs").copy
      #expect(try await listed() == [CardConflict(card: card.id, copy: copy, title: title)])
      try await mine.edit { session in
        let noted = try session.card(copy).title
        #expect(ConflictNote.removed(from: noted) == title)
      }
    }

    @Test("R14 a title that is nothing but the note is no conflict")
    func onlyTheNote() async throws {
      try await mine.edit { session in
        _ = try session.updateCard(card.id, revision: nil, CardChange(title: "（冲突副本）"))
      }
      #expect(try await listed().isEmpty)
    }
  }
}
