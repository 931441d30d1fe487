import Identifiers
import SessionSupport
import Testing
import VaultModel

@testable import VaultSession
@testable import VaultSync

extension SessionTests {
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
      if given.isLong {
        try await writer.edit { session in
          for number in 0..<80 {
            _ = try session.updateCard(card.id, revision: nil, CardChange(title: "card \(number)"))
          }
        }
      }
      try await b.edit { _ = try $0.note("other") }
      try await machines.settle()
      let before = try await a.titles()

      try await b.damage(given.damage.tables.map { ($0, card.id) })
      _ = try await b.vault.session().repair(password: TestVault.password, copy: nil)
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
      try await b.edit { session in
        for number in 0..<(isLong ? 80 : 2) {
          _ = try session.updateCard(card.id, revision: nil, CardChange(title: "card \(number)"))
        }
      }
      try await machines.settle()
      try await b.damage([("history", card.id)])
      let session = try await b.vault.unlock()
      #expect(throws: VaultError.damaged(card.id)) {
        _ = try session.updateCard(card.id, revision: nil, CardChange(title: "refused"))
      }
      session.lock(.request)
      _ = try await b.vault.session().repair(password: TestVault.password, copy: nil)
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
      _ = try await b.vault.session().repair(password: TestVault.password, copy: nil)
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
        try await machine.edit { session in
          for number in 0..<(isLong ? 50 : 1) {
            let title = "\(machine.folder == a.folder ? "a" : "b") \(number)"
            _ = try session.updateCard(card.id, revision: nil, CardChange(title: title))
          }
        }
      }
      try await machines.settle()
      let before = try await a.titles()
      #expect(before.count == 2)
      let copy = try await b.edit { try $0.copy(of: card.id).id }
      try await b.damage([("card", copy)])
      _ = try await b.vault.session().repair(password: TestVault.password, copy: nil)
      try await b.edit { _ = try $0.note("other") }
      try await machines.settle()
      #expect(try await a.titles() == before + ["other"])
      try await machines.expectSame()
    }
  }
}

extension Machine {
  /// Damages sealed records.
  fileprivate func damage(_ records: [(table: String, id: Identifier)]) async throws {
    let raw = try RawFile(vault)
    for record in records {
      try raw.flip("sealed", of: record.table, where: "number = \(record.id.number)", byte: 20)
    }
    try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
