import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("Sync")
  struct SyncTests {
    @Test("S two machines come to the same cards over a folder, whichever way they are carried")
    func twoMachines() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("one") }
      try await machines.settle()
      #expect(try await b.titles() == ["one"])
      try await b.edit { _ = try $0.updateCard(card.id, revision: 1, CardChange(title: "ONE")) }
      try await machines.settle()
      #expect(try await a.titles() == ["ONE"])
      try await a.edit { try $0.deleteCard(card.id, revision: nil) }
      try await machines.settle()
      #expect(try await b.titles() == [])
      try await machines.expectSame()
    }

    /// Two machines that changed a card at once: the first one's version is the conflict copy on both.
    private func machinesWithConflict() async throws -> (machines: Machines, card: Identifier) {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "mine")) }
      b.vault.clock.advance(seconds: 1_000)
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "theirs")) }
      try await machines.settle()
      return (machines, card.id)
    }

    @Test("S what two machines changed at once is kept twice, once on each, and settled on both")
    func conflict() async throws {
      let (machines, card) = try await machinesWithConflict()
      let (a, b) = (machines[0], machines[1])
      #expect(try await a.titles() == ["mine (conflict copy)", "theirs"])
      try await machines.expectSame()
      try await b.edit { try $0.settleCopy(of: card, byDeleting: true) }
      try await machines.settle()
      #expect(try await a.titles() == ["theirs"])
      try await machines.expectSame()
    }

    @Test(
      "S a card with a conflict copy that is deleted, or changed by a clock that is behind, is the same everywhere",
      arguments: [true, false])
    func cardOfConflict(isDeleted: Bool) async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      b.vault.clock.advance(seconds: 1_000)
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "copy")) }
      b.vault.clock.advance(seconds: -2_000)
      a.vault.clock.advance(seconds: 2_000)
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "card")) }
      try await machines.settle()
      #expect(try await a.titles() == ["card", "copy (conflict copy)"])
      try await b.edit { session in
        if isDeleted {
          try session.deleteCard(card.id, revision: nil)
        } else {
          _ = try session.updateCard(card.id, revision: nil, CardChange(title: "changed"))
        }
      }
      try await machines.settle()
      if isDeleted { #expect(try await a.titles() == ["copy"]) }
      try await machines.expectSame()
    }

    @Test(
      "S a conflict copy that is deleted or changed before others hear of the conflict is the same everywhere",
      arguments: [true, false])
    func settledBeforeOthersHear(isDeleted: Bool) async throws {
      let machines = try await Machines(count: 3)
      let (a, b, c) = (machines[0], machines[1], machines[2])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "copy")) }
      try await b.synchronize()
      // The third machine has it as the card, and hears of the changed copy before it hears of the first machine.
      try await machines.carryStream(of: b, to: c)
      try await c.synchronize()
      a.vault.clock.advance(seconds: 1_000)
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "card, changed")) }
      try await a.synchronize()
      try await machines.carryStream(of: a, to: b)
      try await b.edit { session in
        try await session.synchronize()
        try session.settleCopy(of: card.id, byDeleting: isDeleted)
      }
      try await b.synchronize()
      try await machines.carryStream(of: b, to: c)
      try await c.synchronize()
      try await machines.settle()
      #expect(try await a.titles() == ["card, changed"] + (isDeleted ? [] : ["copy, changed"]))
      try await machines.expectSame()
    }

    @Test(
      "S a conflict that two machines settle in different ways at once is settled in the same way everywhere",
      arguments: [true, false], [true, false])
    func settledTwice(isDeleted: Bool, bySecond: Bool) async throws {
      let machines = try await Machines(count: 3)
      let (a, b) = bySecond ? (machines[1], machines[0]) : (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "copy")) }
      a.vault.clock.advance(seconds: 1_000)
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "card, changed")) }
      try await machines.settle()
      // The copy takes the card's place on one machine, while the other changes it.
      try await a.edit { try $0.deleteCard(card.id, revision: nil) }
      try await b.edit { try $0.settleCopy(of: card.id, byDeleting: isDeleted) }
      try await machines.settle()
      try await machines.settle()
      #expect(try await a.titles() == (isDeleted ? [] : ["copy, changed"]))
      try await machines.expectSame()
    }

    @Test(
      "S a conflict copy that is settled where nobody has heard that the card was deleted stays settled",
      arguments: [true, false], [true, false])
    func settledBesideDeletion(isDeleted: Bool, bySecond: Bool) async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = bySecond ? (machines[1], machines[0]) : (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "copy")) }
      a.vault.clock.advance(seconds: 1_000)
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "card, changed")) }
      try await a.synchronize()
      try await machines.carryStream(of: a, to: b)
      try await b.synchronize()
      try await a.edit { try $0.deleteCard(card.id, revision: nil) }
      try await a.synchronize()
      try await b.edit { try $0.settleCopy(of: card.id, byDeleting: isDeleted) }
      try await machines.carryStream(of: b, to: a)
      try await machines.settle()
      try await machines.settle()
      #expect(try await a.titles() == (isDeleted ? [] : ["copy, changed"]))
      try await machines.expectSame()
    }

    @Test("S a conflict copy stays until the changed copy has come with its attachment")
    func changedCopyWithAttachment() async throws {
      let (machines, card) = try await machinesWithConflict()
      let (a, b) = (machines[0], machines[1])
      try await a.edit { try $0.attach("seal", to: $0.copy(of: card).id) }
      try await a.synchronize()
      for file in try machines.files(of: a) where file.contains("/changes/") {
        try machines.copy(file, from: a, to: [b])
      }
      try await b.synchronize()
      #expect(try await b.titles() == ["mine (conflict copy)", "theirs"])
      try await machines.settle()
      #expect(try await b.titles() == ["mine (conflict copy)", "theirs"])
      try await machines.expectSame()
    }

    @Test("S a new attachment, or a conflict copy with one, does not make a machine publish everything again")
    func attachmentWithoutSnapshot() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      let published = try Set(machines.files(of: a).filter { $0.contains("/changes/") })
      try await a.edit { try $0.attach("seal", to: card.id) }
      try await machines.settle()
      a.vault.clock.advance(seconds: 1_000)
      for (machine, title) in [(b, "theirs"), (a, "mine")] {
        try await machine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: title)) }
        try await machine.synchronize()
      }
      try await machines.settle()
      #expect(try await a.titles() == ["mine", "theirs (conflict copy)"])
      #expect(published.isSubset(of: try machines.files(of: a)))
      try await machines.expectSame()
    }

    @Test("S an edit and a changed conflict copy both keep an attachment")
    func attachmentOfTwo() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await b.edit { try $0.attach("seal", to: card.id) }
      a.vault.clock.advance(seconds: 1_000)
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "mine")) }
      // Only the first machine hears of the other, and changes the conflict copy.
      try await b.synchronize()
      try machines.carry()
      try await a.edit { session in
        try await session.synchronize()
        let copy = try session.copy(of: card.id)
        #expect(try session.card(copy.id).attachments.count == 1)
        _ = try session.updateCard(copy.id, revision: nil, CardChange(title: "copy"))
      }
      b.vault.clock.advance(seconds: 2_000)
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "theirs")) }
      try await a.synchronize()
      try machines.carry()
      try await b.edit { session in
        try await session.synchronize()
        #expect(
          try session.allCards(limit: 50).map(\.title).sorted() == ["copy", "mine (conflict copy)", "theirs"])
      }
      try await machines.settle()
      #expect(try await a.titles() == ["copy", "mine (conflict copy)", "theirs"])
      try await machines.expectSame()
      for machine in machines.all {
        let contents = try await machine.edit { session in
          try session.allCards(limit: 50).flatMap { try session.card($0.id).attachments }.map(\.name)
        }
        #expect(contents == ["a.png", "a.png"])
      }
    }

    @Test("S a machine that was away for hundreds of changes makes no conflict of what it had not heard of")
    func longOffline() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card 0") }
      try await machines.settle()
      for number in 1...200 {
        try await a.edit {
          _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "card \(number)"))
        }
        if number % 20 == 0 { try await a.synchronize() }
      }
      try await machines.settle()
      #expect(try await b.titles() == ["card 200"])
      #expect(try await a.titles() == ["card 200"])
      try await machines.expectSame()
    }

    @Test(
      "S random changes on several machines with a carrier that delays, reorders, doubles, truncates, loses and rolls back files"
    )
    func randomHistories() async throws {
      for seed in 0..<Machines.histories(usually: 6) {
        try await RandomHistory(seed: seed).run()
      }
    }
  }
}
