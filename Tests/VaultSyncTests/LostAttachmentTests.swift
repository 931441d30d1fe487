import Foundation
import Identifiers
import SessionSupport
import Testing
import VaultModel

@testable import VaultSession
@testable import VaultSync

extension SessionTests {
  /// An attachment of two contents of a card stays with one of them, the other loses it where both are.
  @Suite("Attachments of several contents") struct LostAttachmentTests {
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
      "S an attachment that a content lost to another comes back when a machine that had not heard of it deletes the other",
      arguments: Change.allCases)
    func attachmentComesBack(_ change: Change) async throws {
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
        #expect(try session.card(session.copy(of: card.id).id).attachments == [])
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
      for machine in machines.all {
        for file in try machines.files(of: machine) where file.contains("/contents/") {
          try FileManager.default.removeItem(atPath: machine.folder + "/" + file)
        }
      }
      try await machines.settle()
      #expect(try await c.titles().filter { $0 == "of a again" }.count == cards.count)
      try await machines.expectSame()
    }
  }
}
