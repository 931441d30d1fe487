import Foundation
import SessionSupport
import TestSupport
import Testing
import VaultInterface

@testable import Vault

extension MachineTests {
  @Suite("The independent reader of folders")
  struct IndependentReaderTests {
    /// Returns identifiers and titles of the cards that `read_sync.py` finds, and its exit status.
    func read(
      _ machine: Machine, password: String = TestVault.password
    ) throws -> (cards: Set<String>, status: Int32) {
      let script = Repository.protocolDirectory.appending(path: "read_sync.py").path
      let (output, _, status) = try run(
        CheckScript.python, ["-B", script, machine.folder], input: password + "\n")
      let cards = try output.split(separator: "\n").map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let card = try #require(value as? [String: Any])
        let attachments = (card["attachments"] as? [[String: Any]] ?? []).map {
          "\($0["id"] ?? "") \($0["name"] ?? "")"
        }
        return "\(card["id"] ?? "") \(card["title"] ?? "") \(attachments.sorted())"
      }
      return (Set(cards), status)
    }

    private func cards(of machine: Machine) async throws -> Set<String> {
      try await machine.edit { session in
        Set(
          try session.allCards(limit: 500).map { card in
            let card = try session.card(card.id)
            return "\(card.id) \(card.title) \(card.attachments.map { "\($0.id) \($0.name)" }.sorted())"
          })
      }
    }

    @Test("S a reader written from SYNC-FORMAT.md alone finds the same cards and conflict copies")
    func sameCards() async throws {
      for seed in 100..<103 {
        let machines = try await RandomHistory(seed: UInt64(seed)).run()
        let (found, status) = try read(machines[0])
        #expect(status == 0)
        let own = try await cards(of: machines[0])
        #expect(
          own == found, "seed \(seed): \(own.subtracting(found).sorted()) \(found.subtracting(own).sorted())")
      }
    }

    @Test("S it finds an attachment in a card and in its conflict copy")
    func attachmentOfTwo() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { session in
        let card = try session.note("card")
        try session.attach("seal", to: card.id)
        return card
      }
      try await machines.settle()
      for (machine, title) in [(a, "mine"), (b, "theirs")] {
        machine.vault.clock.advance(seconds: 1_000)
        try await machine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: title)) }
        try await machine.synchronize()
      }
      try machines.carry()
      let (found, status) = try read(a)
      #expect(status == 0)
      #expect(found.filter { $0.contains("a.png") }.count == 2)
      try await a.synchronize()
      #expect(found == (try await cards(of: a)))
    }

    @Test("S it refuses a stream of which a file is missing or changed")
    func refusal() async throws {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { try $0.note("card") }
      try await machines[0].synchronize()
      #expect(try read(machines[0]).status == 0)
      let file = try #require(try machines.files(of: machines[0]).filter { $0.contains("changes") }.min())
      let url = URL(filePath: machines[0].folder + "/" + file)
      var bytes = try Data(contentsOf: url)
      bytes[200] ^= 1
      try bytes.write(to: url)
      #expect(try read(machines[0]).status == 1)
      try FileManager.default.removeItem(at: url)
      #expect(try read(machines[0]).status == 1)
    }
  }
}
