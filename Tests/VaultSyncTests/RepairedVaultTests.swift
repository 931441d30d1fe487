import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("Repaired vaults on several machines")
  struct RepairedVaultTests {
    /// What is damaged: a card, and perhaps its history.
    enum Damage: CaseIterable {
      case card, cardAndHistory, history

      var tables: [String] {
        switch self {
        case .card: ["card"]
        case .cardAndHistory: ["card", "history"]
        case .history: ["history"]
        }
      }
    }

    struct Case: CustomTestStringConvertible {
      let damage: Damage
      /// Whether the machine that is repaired wrote and published the card.
      let isPublisher: Bool
      /// Whether the card was changed oftener than its history says one by one.
      let isLong: Bool
      var testDescription: String { "\(damage), \(isPublisher), \(isLong)" }
    }

    static let cases = Damage.allCases.flatMap { damage in
      [true, false].flatMap { isPublisher in
        [true, false].map { Case(damage: damage, isPublisher: isPublisher, isLong: $0) }
      }
    }

    @Test("S R10 what a repair dropped comes back from the folder, and goes nowhere else", arguments: cases)
    func comesBack(_ given: Case) async throws {
      var machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let writer = given.isPublisher ? b : a
      let card = try await writer.edit { try $0.note("card") }
      try await machines.settle()
      if given.isLong { try await writer.change(card.id, "card", times: 80) }
      try await b.edit { _ = try $0.note("other") }
      try await machines.settle()
      let before = try await a.titles()

      for table in given.damage.tables { try b.damage(table, card.id) }
      try await b.repair()
      try await machines.settle()

      try await machines.expectSame()
      #expect(try await a.titles() == before)
      try await machines.join()
      #expect(try await machines[2].titles() == before)
      try await machines.settle()
      try await machines.expectSame()
    }

    @Test(
      "S R10 what is written after a repair that dropped a history is not taken for an earlier write",
      arguments: [true, false])
    func writtenAfterwards(isLong: Bool) async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await b.edit { try $0.note("card") }
      try await b.change(card.id, "card", times: isLong ? 80 : 2)
      try await machines.settle()
      try b.damage("history", card.id)
      let session = try await b.vault.unlock()
      #expect(throws: VaultError.damaged(card.id)) {
        _ = try session.updateCard(card.id, revision: nil, CardChange(title: "refused"))
      }
      session.lock(.request)
      try await b.repair()
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "written")) }
      try await machines.settle()
      #expect(try await a.titles().contains("written"))
      try await machines.expectSame()
    }

    @Test(
      "S R10 a card that was rolled back does not stay as it was after a repair", arguments: [true, false])
    func rolledBack(isPublisher: Bool) async throws {
      var machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let writer = isPublisher ? b : a
      let card = try await writer.edit { try $0.note("older") }
      try await machines.settle()
      let older = try RawFile(b.vault).rows(
        "SELECT revision, hex(sealed) FROM card WHERE number = \(card.id.number)")
      try await writer.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "newer")) }
      try await machines.settle()
      let row = try #require(older.first)
      try RawFile(b.vault).run(
        "UPDATE card SET revision = \(row[0]), sealed = x'\(row[1])' WHERE number = \(card.id.number)")
      try await b.repair()
      try await machines.settle()
      try await machines.join()
      try await machines.settle()
      try await machines.expectSame()
      #expect(try await machines[2].titles().contains("newer"))
    }

    @Test(
      "S R10 a conflict copy that a repair dropped comes back, and goes nowhere else",
      arguments: [true, false])
    func conflictCopy(isLong: Bool) async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      for machine in machines.all {
        try await machine.change(card.id, machine.folder == a.folder ? "a" : "b", times: isLong ? 50 : 1)
      }
      try await machines.settle()
      let before = try await a.titles()
      #expect(before.count == 2)
      let copy = try await b.edit { try $0.copy(of: card.id).id }
      try b.damage("card", copy)
      try await b.repair()
      try await b.edit { _ = try $0.note("other") }
      try await machines.settle()
      #expect(try await a.titles() == before + ["other"])
      try await machines.expectSame()
    }
  }
}

extension Machine {
  /// Changes a card in one session, without synchronising.
  fileprivate func change(_ card: Identifier, _ title: String, times: Int) async throws {
    try await edit { session in
      for number in 0..<times {
        _ = try session.updateCard(card, revision: nil, CardChange(title: "\(title) \(number)"))
      }
    }
  }
}
