import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  /// Copies of a vault that parted for longer than their histories reach: 64 contents of a card.
  @Suite("Merge beyond the histories")
  struct MergedPastLimitTests {
    /// A copy, and what was ever replaced or deleted in it or in those that it took in: what a history without a limit would know.
    private final class Witness {
      let replica: Replica
      var replaced: Set<String> = []

      init(_ replica: Replica, replaced: Set<String> = []) {
        (self.replica, self.replaced) = (replica, replaced)
      }

      func forked() throws -> Witness {
        Witness(try replica.forked(), replaced: replaced)
      }

      /// The text of every card; no two are ever written alike.
      func texts() async throws -> Set<String> {
        let session = try await replica.vault.unlock()
        defer { session.lock(.request) }
        let texts = try session.allCards(limit: 200).map {
          try session.card($0.id).fields["text"] ?? ""
        }
        #expect(Set(texts).count == texts.count, "two cards with one text")
        return Set(texts)
      }

      /// Merges, and holds that nothing is lost that nobody on either side has replaced or deleted.
      func merge(_ other: Witness, _ what: Comment) async throws {
        let before = try await texts().union(other.texts())
        replaced.formUnion(other.replaced)
        try await replica.merge(other.replica)
        let after = try await texts()
        #expect(before.subtracting(replaced).isSubset(of: after), what)
        #expect(after.isSubset(of: before), what)
      }
    }

    /// Edits of cards, each with a text of its own.
    private struct Editor {
      var count = 0

      mutating func edit(_ id: Identifier, times: Int, of witness: Witness, _ session: VaultSession)
        throws
      {
        for _ in 0..<times {
          witness.replaced.insert(try session.card(id).fields["text"] ?? "")
          count += 1
          witness.replica.vault.clock.advance(seconds: 1)
          let change = CardChange(fields: ["text": "text \(count)"])
          _ = try session.updateCard(id, revision: nil, change)
        }
      }
    }

    private static func base() async throws -> (Witness, Identifier) {
      let witness = Witness(try Replica())
      let session = try await witness.replica.vault.create()
      defer { session.lock(.request) }
      return (witness, try session.note("card", text: "base").id)
    }

    /// Two copies that both have a card and a conflict copy of it.
    private static func parted(_ editor: inout Editor) async throws -> (
      Witness, Witness, card: Identifier, copy: Identifier
    ) {
      let (mine, card) = try await base()
      let other = try mine.forked()
      for witness in [mine, other] {
        let session = try await witness.replica.vault.unlock()
        try editor.edit(card, times: 1, of: witness, session)
        session.lock(.request)
      }
      let merge = try await mine.replica.merge(other.replica)
      mine.replaced.formUnion(other.replaced)
      return (mine, try mine.forked(), card, try #require(merge.conflicts.first?.copy))
    }

    @Test(
      "R14 a conflict copy that was changed stays as it is, however often the card and it were changed since",
      arguments: [(1, 3), (1, 64), (1, 70), (70, 3), (70, 70)])
    func changedCopy(copyEdits: Int, cardEdits: Int) async throws {
      // Which of the two ids comes first decides what is planned first.
      var orders: Set<Bool> = []
      while orders.count < 2 {
        var editor = Editor()
        let (mine, lagging, card, copy) = try await Self.parted(&editor)
        guard orders.insert(copy < card).inserted else { continue }
        try await mine.replica.edit { session in
          try editor.edit(copy, times: copyEdits, of: mine, session)
          try editor.edit(card, times: cardEdits, of: mine, session)
        }
        let (first, second) = (try mine.forked(), try lagging.forked())
        try await first.merge(lagging, "copy \(copyEdits), card \(cardEdits)")
        try await second.merge(mine, "the other way round")
        #expect(try await first.replica.contents() == second.replica.contents())
        // The card's old content is forgotten after 64 others, and the copy's when neither history has it any longer: those are
        // kept, and nothing else is.
        let count = 2 + (cardEdits > 64 ? 1 : 0) + (cardEdits > 64 && copyEdits > 64 ? 1 : 0)
        #expect(try await first.texts().count == count)
        #expect(try await first.replica.merge(second.replica) == Merge(unchanged: count))
      }
    }

    @Test("R14 a deleted conflict copy does not come back, however often the card was changed since")
    func deletedCopy() async throws {
      var editor = Editor()
      let (mine, lagging, card, copy) = try await Self.parted(&editor)
      var deleted = ""
      try await mine.replica.edit { session in
        deleted = try session.card(copy).fields["text"] ?? ""
        mine.replaced.insert(deleted)
        try session.deleteCard(copy, revision: nil)
        try editor.edit(card, times: 70, of: mine, session)
      }
      try await mine.merge(lagging, "deleted")
      #expect(try await !mine.texts().contains(deleted))
    }

    @Test("R14 attachments of a changed copy stay with it if its old content comes back as another copy")
    func attachments() async throws {
      let (mine, card) = try await Self.base()
      let lagging = try mine.forked()
      var editor = Editor()
      for witness in [lagging, mine] {
        try await witness.replica.edit { session in
          let name = witness === mine ? "mine.png" : "theirs.png"
          try Replica.attach(name, to: session.card(card), session)
          try editor.edit(card, times: 1, of: witness, session)
        }
      }
      let merge = try await mine.replica.merge(lagging.replica)
      let copy = try #require(merge.conflicts.first?.copy)
      try await mine.replica.edit { session in
        try editor.edit(copy, times: 70, of: mine, session)
        try editor.edit(card, times: 70, of: mine, session)
      }
      try await mine.merge(lagging, "attachments")
      try await mine.replica.edit { session in
        let kept = try session.card(copy).attachments.map(\.name)
        #expect(try kept.count == 1 && session.summary().cardCount == 3)
      }
      try await lagging.merge(mine, "attachments, the other way round")
      #expect(try await lagging.replica.contents() == mine.replica.contents())
    }

    /// How many histories are tried.
    private static let histories = Replica.histories(usually: 24)

    @Test(
      "R14 three copies converge however often they were changed, and no merge loses a content that was not replaced"
    )
    func nothingLost() async throws {
      for seed in 1...Self.histories {
        var random = SeededGenerator(seed: seed)
        var editor = Editor()
        let (first, second, _, _) = try await Self.parted(&editor)
        let all = [first, second, try first.forked()]
        for step in 0..<10 {
          let witness = all[Int.random(in: 0..<3, using: &random)]
          if Int.random(in: 0..<3, using: &random) == 0 {
            let other = all[Int.random(in: 0..<3, using: &random)]
            guard other !== witness else { continue }
            try await witness.merge(other, "history \(seed), step \(step)")
            continue
          }
          let session = try await witness.replica.vault.unlock()
          defer { session.lock(.request) }
          let ids = try session.allCards(limit: 200).map(\.id).sorted()
          guard let card = ids.randomElement(using: &random) else { continue }
          if Int.random(in: 0..<8, using: &random) == 0, ids.count > 1 {
            witness.replaced.insert(try session.card(card).fields["text"] ?? "")
            try session.deleteCard(card, revision: nil)
          } else {
            let times = [1, 1, 2, 66, 66][Int.random(in: 0..<5, using: &random)]
            try editor.edit(card, times: times, of: witness, session)
          }
        }
        for round in 0..<3 {
          for witness in all {
            for other in all where other !== witness {
              try await witness.merge(other, "history \(seed), round \(round)")
            }
          }
        }
        let contents = try await all[0].replica.contents()
        for witness in all[1...] {
          #expect(try await witness.replica.contents() == contents, "history \(seed)")
        }
      }
    }
  }
}
