import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension MachineTests {
  @Suite("Imported cards of synchronised vaults")
  struct ImportedCardTests {
    private static func draft(_ title: String) throws -> CardDraft {
      try CardDraft(title: title, group: .personal, type: .text, fields: ["text": "text"]).checked().draft
    }

    @Test("S R14 imported cards reach the other machines", arguments: [0, 1])
    func imported(importer: Int) async throws {
      let machines = try await Machines(count: 2)
      let cards = try (0..<300).map { CardImport(try Self.draft("card \($0)")) }
      try await machines[importer].edit { session in
        _ = try await session.importCards(cards, keepsDuplicates: true, isDryRun: false) { _ in }
      }
      try await machines.settle()
      #expect(try await machines[1 - importer].titles().count == 300)
      try await machines.expectSame()
      // What was imported can be changed and deleted like any other card.
      try await machines[1 - importer].edit { session in
        let cards = try session.allCards(limit: 500)
        _ = try session.updateCard(cards[0].id, revision: nil, CardChange(title: "changed"))
        try session.deleteCard(cards[1].id, revision: nil)
      }
      try await machines.settle()
      #expect(try await machines[importer].titles().count == 299)
      try await machines.expectSame()
    }

    @Test("S R14 cards that an earlier program imported without versions reach the other machines")
    func importedBefore() async throws {
      let machines = try await Machines(count: 2)
      try await machines[1].edit { session in
        let vault = try session.unlocked()
        try vault.change { transaction, change in
          let card = try vault.seal(Card(Self.draft("imported"), id: .random(), at: session.now))
          try transaction.insertCard(card.row)
          try change.head.add(card.element, kind: .card)
          change.markChanged(card.row.id)
          change.indexed.append(card.order)
          var document = try #require(try vault.syncDocument(transaction.read))
          document.values["own.versions"] = nil
          try vault.write(document, transaction, &change)
        }
      }
      try await machines.settle()
      #expect(try await machines[0].titles() == ["imported"])
      try await machines.expectSame()
    }
  }
}
