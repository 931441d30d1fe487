import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Merged versions and trash")
  struct MergedVersionTests {
    private let mine: Replica

    init() async throws {
      mine = try Replica()
      try await mine.vault.create().lock(.request)
    }

    @Test("R14 a merge keeps the versions of both sides, in whichever order it is done")
    func merged() async throws {
      let id = try await mine.edit { (session) throws in
        let id = try session.note("base").id
        _ = try session.updateCard(id, revision: nil, CardChange(title: "second"))
        return id
      }
      let other = try mine.forked()
      try await mine.edit { _ = try $0.updateCard(id, revision: nil, CardChange(title: "mine")) }
      other.vault.clock.advance(seconds: 60)
      try await other.edit { (session) throws in
        _ = try session.updateCard(id, revision: nil, CardChange(title: "theirs"))
        _ = try session.updateCard(id, revision: nil, CardChange(title: "theirs again"))
      }
      let third = try other.forked()
      _ = try await third.merge(mine)
      _ = try await mine.merge(other)
      for side in [mine, third] {
        let titles = try await side.edit { try $0.earlierVersions(of: id).map(\.card.title) }
        #expect(titles == ["theirs", "second", "base"])
      }
    }

    @Test("R14 a card in the trash of one side is in that of the other, unless it was changed there")
    func trash() async throws {
      let ids = try await mine.edit { (session) throws in
        _ = try session.updateSettings([.keepDeletedDays: .number(30)])
        return [try session.note("one").id, try session.note("two").id]
      }
      let other = try mine.forked()
      try await mine.edit { (session) throws in
        for id in ids { try session.deleteCard(id, revision: nil) }
      }
      other.vault.clock.advance(seconds: 60)
      try await other.edit { _ = try $0.updateCard(ids[1], revision: nil, CardChange(title: "TWO")) }
      _ = try await mine.merge(other)
      _ = try await other.merge(mine)
      #expect(try await mine.titles() == ["TWO"])
      #expect(try await other.titles() == ["TWO"])
      #expect(try await other.contents() == mine.contents())
    }
  }
}
