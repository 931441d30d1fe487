import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("Earlier versions and the trash on several machines")
  struct EarlierVersionSyncTests {
    private func versions(_ machine: Machine, _ id: Identifier) async throws -> [String] {
      try await machine.edit { try $0.earlierVersions(of: id).map(\.card.title) }
    }

    @Test("S R1 a machine gets the versions that it has not seen, and a merge keeps those of both")
    func versionsOfBoth() async throws {
      let machines = try await Machines(count: 3)
      let (a, b, c) = (machines[0], machines[1], machines[2])
      let id = try await a.edit { try $0.note("one").id }
      try await machines.settle()
      for title in ["two", "three"] {
        try await a.edit { _ = try $0.updateCard(id, revision: nil, CardChange(title: title)) }
      }
      try await machines.settle()
      #expect(try await versions(b, id) == ["two", "one"])
      try await b.edit { _ = try $0.revertCard(id, to: nil, revision: nil) }
      try await machines.settle()
      #expect(try await versions(c, id) == ["three", "two", "one"])
      #expect(try await c.titles() == ["two"])
      // Both change it at once: the content that stays has the versions of both.
      try await a.edit { session in
        _ = try session.updateCard(id, revision: nil, CardChange(title: "a"))
        _ = try session.updateCard(id, revision: nil, CardChange(title: "a again"))
      }
      c.vault.clock.advance(seconds: 1_000)
      try await c.edit { session in
        _ = try session.updateCard(id, revision: nil, CardChange(title: "c"))
        _ = try session.updateCard(id, revision: nil, CardChange(title: "c again"))
      }
      try await machines.settle()
      for machine in [a, b, c] {
        let known = try await versions(machine, id)
        #expect(Set(known) == ["c", "a", "two", "three", "one"])
        #expect(try await machine.titles() == ["a again (conflict copy)", "c again"])
      }
      try await machines.expectSame()
    }

    @Test("S R1 a card in the trash is in that of every machine, comes back everywhere, and goes everywhere")
    func trash() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let id = try await a.edit { session in
        _ = try session.updateSettings([.keepDeletedDays: .number(30)])
        return try session.note("one").id
      }
      try await a.edit { try $0.attach("picture", to: id) }
      try await machines.settle()
      try await a.edit { try $0.deleteCard(id, revision: nil) }
      try await machines.settle()
      #expect(try await b.titles() == [])
      #expect(try await b.edit { try $0.cardsInTrash().map(\.id) } == [id])
      _ = try await b.edit { try $0.restoreCard(id) }
      try await machines.settle()
      #expect(try await a.titles() == ["one"])
      #expect(try await a.edit { try $0.card(id).attachments.count } == 1)
      try await a.edit { try $0.deleteCard(id, revision: nil) }
      try await machines.settle()
      try await b.edit { _ = try $0.purge(nil) }
      try await machines.settle()
      #expect(try await a.edit { try $0.cardsInTrash().isEmpty })
      try await machines.expectSame()
    }
  }
}
