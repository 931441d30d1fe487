import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Restoring deleted cards")
  struct RestoringTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    @Test("R1 a restored card has its attachments and times, and the vault stays intact")
    func restored() async throws {
      let note = try session.note("Papers")
      let draft = AttachmentDraft(
        name: "a.jpg", mediaType: .jpeg, width: 640, height: 480, watermark: nil,
        content: try AttachmentTests.bytes(5_000))
      let (card, attachment) = try session.addAttachment(draft, to: note.id)
      try session.deleteCard(card.id, revision: nil)
      #expect(try RawFile(vault).value("SELECT count(*) FROM content") == "0")
      let restored = try session.restoreCard(card.id)
      var expected = card
      expected.revision += 1
      #expect(restored == expected)
      #expect(
        AttachmentTests.content(try session.content(of: attachment.id))
          == AttachmentTests.content(try AttachmentTests.bytes(5_000)))
      let other = try await vault.unlock()
      #expect(try other.card(card.id) == expected)
      #expect(
        try await other.verify { _ in }
          == Verification(cards: 1, attachments: 1, damaged: [], integrity: .intact))
    }

    @Test("R1 a card is restored once, by the process that deleted it, until the lock")
    func limits() async throws {
      let card = try session.note("Note")
      #expect(vaultError { _ = try session.restoreCard(card.id) } == .cardNotFound(card.id))
      try session.deleteCard(card.id, revision: nil)
      let other = try await vault.unlock()
      #expect(vaultError { _ = try other.restoreCard(card.id) } == .cardNotFound(card.id))
      _ = try session.restoreCard(card.id)
      #expect(vaultError { _ = try session.restoreCard(card.id) } == .cardNotFound(card.id))
      try session.deleteCard(card.id, revision: nil)
      session.lock(.request)
      #expect(vaultError { _ = try session.restoreCard(card.id) } == .locked)
    }
  }
}
