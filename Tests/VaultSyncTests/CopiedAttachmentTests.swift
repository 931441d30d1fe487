import Foundation
import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  /// Every content of a card has its attachments, which its conflict copies copy.
  @Suite("Attachments of conflict copies") struct CopiedAttachmentTests {
    enum Change: String, CaseIterable {
      case deletesCard, deletesAttachment

      func make(_ card: Identifier, in session: VaultSession) throws {
        switch self {
        case .deletesCard: try session.deleteCard(card, revision: nil)
        case .deletesAttachment:
          for attachment in try session.card(card).attachments { try session.deleteAttachment(attachment.id) }
        }
      }

      var titles: [String] { self == .deletesCard ? ["of b"] : ["of a", "of b (conflict copy)"] }
    }

    @Test(
      "S a conflict copy keeps its attachment when a machine that has not heard of it deletes that of the card",
      arguments: Change.allCases)
    func attachmentStays(_ change: Change) async throws {
      let machines = try await Machines(count: 4)
      let (a, b, c, d) = (machines[0], machines[1], machines[2], machines[3])
      let card = try await a.edit { try $0.note("card") }
      try await a.edit { try $0.attach("seal", to: card.id) }
      try await machines.settle()
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "of b")) }
      a.vault.clock.advance(seconds: 1_000)
      try await a.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "of a")) }
      for machine in [a, b] { try await machine.synchronize() }
      try await machines.carryStream(of: a, to: c)
      try await c.edit { session in
        try await session.synchronize()
        try change.make(card.id, in: session)
      }
      for machine in [a, b] { try await machines.carryStream(of: machine, to: d) }
      try await d.edit { session in
        try await session.synchronize()
        let copy = try #require(try session.card(session.copy(of: card.id).id).attachments.first)
        #expect(try session.card(card.id).attachments.map(\.id) != [copy.id])
        #expect(try session.content(of: copy.id).prefix(9) == Array("seal".utf8))
      }
      try await machines.settle()
      for machine in machines.all {
        try await machine.edit { session in
          let cards = try session.allCards(limit: 50)
          #expect(cards.map(\.title).sorted() == change.titles)
          for listed in cards {
            let attachments = try session.card(listed.id).attachments
            #expect(attachments.count == (listed.title == "of a" ? 0 : 1), "\(listed.title)")
          }
        }
      }
      try await machines.expectSame()
    }

    @Test(
      "S R10 an attachment that a repair dropped stays on other machines when the repaired one changes the card"
    )
    func repaired() async throws {
      let machines = try await Machines(count: 2)
      let (a, b) = (machines[0], machines[1])
      let card = try await a.edit { try $0.note("card") }
      try await a.edit { try $0.attach("seal", to: card.id) }
      try await machines.settle()
      let victim = try await b.edit { try #require(try $0.card(card.id).attachments.first).id }
      try b.damage("content", victim)
      #expect(try await b.repair().dropped == [.attachment(victim)])
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "changed")) }
      try await machines.settle()
      #expect(try await a.titles() == ["card (conflict copy)", "changed"])
      for machine in machines.all {
        let counts = try await machine.edit { session in
          try session.allCards(limit: 50).map { try session.card($0.id).attachments.count }
        }
        #expect(counts.sorted() == [0, 1])
      }
      try await machines.expectSame()
    }

    @Test("S equal contents of different times keep their own when one of them is replaced")
    func equalContents() async throws {
      let machines = try await Machines(count: 4)
      let (a, b, c, d) = (machines[0], machines[1], machines[2], machines[3])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      for machine in [a, b] {
        machine.vault.clock.advance(seconds: machine.folder == b.folder ? 1_000 : 0)
        try await machine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "equal")) }
        try await machine.synchronize()
      }
      // One knows both contents as one, one the older one alone, and one replaces the newer one alone.
      for machine in [a, b] { try await machines.carryStream(of: machine, to: c) }
      try await machines.carryStream(of: a, to: d)
      for machine in [c, d] { try await machine.synchronize() }
      let (both, older) = (try await c.modifiedAt(card.id), try await d.modifiedAt(card.id))
      #expect(both > older)
      try await b.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "replaced")) }
      try await machines.settle()
      #expect(try await c.titles() == ["equal (conflict copy)", "replaced"])
      for machine in machines.all {
        let copy = try await machine.edit { try $0.copy(of: card.id) }
        #expect(copy.modifiedAt == older)
      }
      try await machines.expectSame()
    }

    @Test("S of contents of the same time, the same one is the card everywhere, with its attachments")
    func equalTimes() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("card") }
      try await machines[0].edit { try $0.attach("seal", to: card.id) }
      try await machines.settle()
      let clocks = machines.all.map(\.vault.clock)
      clocks[1].setWall(by: clocks[0].wall - clocks[1].wall)
      for machine in machines.all {
        let name = machine.folder == machines[0].folder ? "a" : "b"
        try await machine.edit { session in
          _ = try session.updateCard(card.id, revision: nil, CardChange(title: "of \(name)"))
        }
      }
      let times = [try await machines[0].modifiedAt(card.id), try await machines[1].modifiedAt(card.id)]
      #expect(times[0] == times[1])
      try await machines.settle()
      #expect(try await machines[0].titles() == ["of a (conflict copy)", "of b"])
      try await machines.expectSame()
    }

    @Test("S a machine waits for no attachment of a former conflict copy, though the card has another one")
    func formerCopy() async throws {
      let machines = try await Machines(count: 4)
      let (a, b, c, d) = (machines[0], machines[1], machines[2], machines[3])
      let card = try await a.edit { try $0.note("card") }
      try await machines.settle()
      try await b.edit { try $0.attach("seal", to: card.id) }
      for (machine, title) in [(c, "of c"), (a, "of a")] {
        a.vault.clock.advance(seconds: 1_000)
        try await machine.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: title)) }
      }
      for machine in [b, c] {
        try await machine.synchronize()
        try await machines.carryStream(of: machine, to: a)
      }
      try await a.synchronize()
      try await a.edit { session in
        let copy = try #require(try session.allCards(limit: 50).first { $0.title == "card (conflict copy)" })
        for attachment in try session.card(copy.id).attachments {
          try session.deleteAttachment(attachment.id)
        }
        try await session.synchronize()
      }
      try machines.removeContents()
      try await machines.carryStream(of: a, to: d)
      try await d.synchronize()
      // What the others published has not arrived here.
      let replica = try await a.edit { try $0.syncStatus().replica }
      let status = try await d.synchronize()
      let published = try #require(status.others.first(where: { $0.id == replica }))
      #expect(published.problem == nil)
      try await machines.settle()
      try await machines.expectSame()
    }

    @Test("S a machine waits for no attachment of a conflict copy that was changed and lost it since")
    func attachmentOfChangedCopy() async throws {
      let machines = try await Machines(count: 3)
      let (a, b, c) = (machines[0], machines[1], machines[2])
      var cards: [Identifier] = []
      // Whether the id of a conflict copy is above that of its card is left to chance.
      for number in 0..<6 { cards.append(try await a.edit { try $0.note("card \(number)").id }) }
      try await machines.settle()
      a.vault.clock.advance(seconds: 1_000)
      for card in cards {
        try await b.edit { try $0.attach("seal", to: card) }
        try await a.edit { _ = try $0.updateCard(card, revision: nil, CardChange(title: "of a")) }
      }
      for _ in 0..<2 {
        for machine in [b, a] { try await machine.synchronize() }
        for (source, target) in [(a, b), (b, a)] {
          try await machines.carryStream(of: source, to: target)
        }
      }
      try await b.edit { session in
        try await session.synchronize()
        let copies = try session.allCards(limit: 50).filter { $0.title.hasSuffix("(conflict copy)") }
        #expect(copies.count == cards.count)
        for copy in copies {
          _ = try session.updateCard(copy.id, revision: nil, CardChange(title: "of b"))
        }
      }
      for card in cards {
        try await a.edit { _ = try $0.updateCard(card, revision: nil, CardChange(title: "of a again")) }
      }
      for machine in [a, b] { try await machine.synchronize() }
      try await machines.carryStream(of: b, to: a)
      try await a.synchronize()
      try await b.edit { session in
        for card in try session.allCards(limit: 50) {
          for attachment in try session.card(card.id).attachments {
            try session.deleteAttachment(attachment.id)
          }
        }
        try await session.synchronize()
      }
      try await machines.carryStream(of: b, to: a)
      try await a.synchronize()
      try machines.removeContents()
      try await machines.settle()
      #expect(try await c.titles().filter { $0 == "of a again" }.count == cards.count)
      try await machines.expectSame()
    }
  }
}

extension Machines {
  /// Removes the contents of attachments from all folders.
  fileprivate func removeContents() throws {
    for machine in all {
      for file in try files(of: machine) where file.contains("/contents/") {
        try FileManager.default.removeItem(atPath: machine.folder + "/" + file)
      }
    }
  }
}

extension Machine {
  fileprivate func modifiedAt(_ card: Identifier) async throws -> Timestamp {
    try await edit { try $0.card(card).modifiedAt }
  }
}
