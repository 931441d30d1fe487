import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Merging restored cards")
  struct MergedRestoredTests {
    @Test("R14 a merge takes a restored card, and not the deletion before it")
    func restored() async throws {
      let mine = try Replica()
      let session = try await mine.vault.create()
      let card = try session.note("one")
      session.lock(.request)
      let other = try mine.forked()
      try await other.edit { session in
        try session.deleteCard(card.id, revision: nil)
        _ = try session.restoreCard(card.id)
      }
      let merge = try await mine.merge(other)
      #expect(merge.deleted == 0 && merge.conflicts.isEmpty)
      #expect(try await mine.titles() == ["one"])
      #expect(try await other.merge(mine).deleted == 0)
    }
  }
}
