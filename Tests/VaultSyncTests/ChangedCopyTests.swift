import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  /// Conflict copies of several contents that are equal, changed by several machines. Which of the contents gives the copy its id is
  /// left to chance, so each test has several cards.
  @Suite("Changed conflict copies") struct ChangedCopyTests {
    private let machines: Machines
    private let cards: [Identifier]

    init() async throws {
      machines = try await Machines(count: 4)
      var cards: [Identifier] = []
      for number in 0..<8 {
        cards.append(try await machines[0].edit { try $0.note("card \(number)").id })
      }
      self.cards = cards
      try await machines.settle()
    }

    /// Gives each card a title, which the next synchronisation publishes.
    private func write(_ title: String, _ number: Int) async throws {
      try await machines[number].edit { session in
        for (index, card) in cards.enumerated() {
          _ = try session.updateCard(card, revision: nil, CardChange(title: "\(title) \(index)"))
        }
      }
    }

    /// Gives each card that is, or was, a conflict copy another title, and publishes it.
    private func changeCopies(_ old: String, to title: String, _ number: Int) async throws {
      try await machines[number].edit { session in
        for copy in try session.allCards(limit: 50)
        where copy.title.hasPrefix(old) && !cards.contains(copy.id) {
          let index = Written.title(copy.title).split(separator: " ").last ?? ""
          _ = try session.updateCard(copy.id, revision: nil, CardChange(title: "\(title) \(index)"))
        }
        try await session.synchronize()
      }
    }

    /// Reads what other machines published, and publishes what there is then.
    private func read(_ sources: [Int], _ number: Int) async throws {
      for source in sources {
        try await machines.carryStream(of: machines[source], to: machines[number])
      }
      try await machines[number].synchronize()
    }

    private func expect(_ title: String, _ comment: Comment) async throws {
      try await machines.settle()
      let titles = try await machines[0].titles()
      let wanted = cards.indices.map { "\(title) \($0)" }
      #expect(Set(wanted).subtracting(titles.map(Written.title)) == [], comment)
      try await machines.expectSame()
    }

    @Test("S what a machine writes to a conflict copy is not taken for its writes to the card")
    func numbers() async throws {
      try await write("equal", 0)
      try await read([], 0)
      try await write("equal", 3)
      try await read([], 3)
      machines[2].vault.clock.advance(seconds: 1_000)
      try await write("newer", 2)
      try await read([0], 2)
      try await read([2, 3], 1)
      try await changeCopies("equal", to: "of one", 1)
      try await write("again", 3)
      try await read([2], 3)
      try await changeCopies("equal", to: "of another", 3)
      try await expect("of another", "the writer's own change")
      try await expect("of one", "the other's change")
    }

    @Test(
      "S a content of a conflict copy stays though a card of its own has the copy's id in a later segment")
    func roles() async throws {
      try await write("equal", 0)
      try await read([], 0)
      machines[1].vault.clock.advance(seconds: 1_000)
      try await write("newer", 1)
      try await read([0], 1)
      try await write("equal", 2)
      try await read([1], 2)
      try await changeCopies("equal", to: "of one", 1)
      try await read([1], 2)
      try await changeCopies("of one", to: "of another", 2)
      try await read([2], 3)
      try await expect("of another", "the changed copy")
      try await expect("equal", "the content that nobody replaced")
    }
  }
}
