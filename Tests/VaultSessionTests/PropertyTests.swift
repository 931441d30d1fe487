import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Properties over random operations")
  struct PropertyTests {
    private struct Run {
      let vault: TestVault
      let session: VaultSession
      var model: [Identifier: Card] = [:]
      var random: SeededGenerator

      var expected: [Card] { model.values.sorted { $0.order < $1.order } }

      /// One random change, made of the vault and of the model.
      mutating func step() throws {
        let clockSteps: [Int64] = [0, 0, 1, 17, -5, 4_000, -20_000]
        vault.clock.setWall(by: clockSteps[Int.random(in: 0..<clockSteps.count, using: &random)])
        let target = model.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<10, using: &random), target) {
        case (0...4, _), (_, nil):
          let pinned = Int.random(in: 0..<5, using: &random) == 0
          let title = "card \(Int.random(in: 0..<30, using: &random))"
          let group: CardGroup = Bool.random(using: &random) ? .personal : .company
          let card = try session.note(
            title, group: group, tags: title.hasSuffix("7") ? ["seven"] : [], pinned: pinned)
          model[card.id] = card
        case (5...6, let id?):
          let title = "changed \(Int.random(in: 0..<30, using: &random))"
          let revision = model[id].map { Int($0.revision) }
          model[id] = try session.updateCard(id, revision: revision, CardChange(title: title)).card
        case (7, let id?):
          let change = CardChange(pinned: Bool.random(using: &random))
          model[id] = try session.updateCard(id, revision: nil, change).card
        case (_, let id?):
          try session.deleteCard(id, revision: nil)
          model[id] = nil
        }
      }

      /// Compares every list, in pages of a random length, with the model sorted.
      mutating func check() async throws {
        let limit = Int.random(in: 1...9, using: &random)
        #expect(try session.allCards(limit: limit).map(\.id) == expected.map(\.id))
        let company = expected.filter { $0.group == .company }
        #expect(
          try session.allCards(CardFilter(group: .company), limit: limit).map(\.id) == company.map(\.id)
        )
        let seven = expected.filter { $0.tags == ["seven"] }
        #expect(
          try session.allCards(CardFilter(tag: "seven"), limit: limit).map(\.id) == seven.map(\.id))
        let changed = expected.filter { $0.title.contains("changed") }
        let found = try session.search("CHANGED", limit: 1_000, cursor: nil)
        #expect(found.items.map(\.card) == changed.map(\.withoutValues))
        #expect(try session.summary().cardCount == model.count)
      }

      /// Goes through the pages while cards change in between: whatever did not change comes exactly once.
      mutating func checkWhileChanging() async throws {
        let before = model
        var seen: [Identifier] = []
        var cursor: String?
        repeat {
          let page = try session.cards(CardFilter(), limit: 4, cursor: cursor)
          #expect(page.total == model.count)
          seen += page.items.map(\.id)
          cursor = page.nextCursor
          try step()
        } while cursor != nil
        for (id, card) in before where model[id] == card {
          #expect(seen.filter { $0 == id }.count == 1)
        }
      }
    }

    @Test(
      "R14 R15 R16 the list is the model sorted, after any operations and after opening again",
      arguments: 1...4)
    func listIsModel(seed: UInt64) async throws {
      let vault = try TestVault()
      var run = Run(vault: vault, session: try await vault.create(), random: SeededGenerator(seed: seed))
      for round in 0..<10 {
        for _ in 0..<20 { try run.step() }
        try await run.check()
        if round % 3 == 2 { try await run.checkWhileChanging() }
      }
      let other = try await vault.unlock()
      #expect(try other.summary().isIntact)
      #expect(try other.allCards(limit: 7).map(\.id) == run.expected.map(\.id))
      for card in run.expected { #expect(try other.card(card.id) == card) }
      let ours = try run.session.unlocked()
      let theirs = try other.unlocked()
      #expect(Array(ours.index.cards(after: nil)) == Array(theirs.index.cards(after: nil)))
      #expect(ours.head == theirs.head)
    }

    @Test("R16 the index is a sorted list whatever is inserted, moved and removed", arguments: 1...3)
    func index(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var index = CardIndex()
      var model: [Identifier: CardOrder] = [:]
      for _ in 0..<2_000 {
        let id = Identifier(high: 0, low: UInt64.random(in: 0..<60, using: &random))
        if let old = model.removeValue(forKey: id) {
          if Bool.random(using: &random) { index.replace([old], with: []) } else { index.remove(id) }
        } else {
          index.remove(id)
        }
        guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
        let order = Self.order(of: id, &random)
        index.insert(order)
        model[id] = order
      }
      let sorted = model.values.sorted()
      #expect(Array(index.cards(after: nil)) == sorted)
      #expect(index.count == sorted.count)
      #expect(index.newestModification == sorted.map(\.modifiedAt).max())
      for (position, order) in sorted.enumerated() {
        #expect(Array(index.cards(after: order)) == Array(sorted[(position + 1)...]))
      }
    }

    @Test("R16 the index is a sorted list when many cards are replaced at once", arguments: 1...3)
    func indexOfMany(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var index = CardIndex()
      var model: [Identifier: CardOrder] = [:]
      for _ in 0..<300 {
        var (removed, inserted) = ([CardOrder](), [CardOrder]())
        for _ in 0..<Int.random(in: 0..<60, using: &random) {
          let id = Identifier(high: 0, low: UInt64.random(in: 0..<200, using: &random))
          // One that comes twice was written, and is written again, in the same change.
          if let old = model.removeValue(forKey: id) { removed.append(old) }
          guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
          let order = Self.order(of: id, &random)
          inserted.append(order)
          model[id] = order
        }
        index.replace(removed, with: inserted)
        #expect(Array(index.cards(after: nil)) == model.values.sorted())
      }
    }

    private static func order(of id: Identifier, _ random: inout SeededGenerator) -> CardOrder {
      let time = Timestamp(milliseconds: Int64.random(in: -3...3, using: &random))
      return CardOrder(pinned: Bool.random(using: &random), modifiedAt: time, id: id)
    }
  }
}
