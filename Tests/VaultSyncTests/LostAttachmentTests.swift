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
  }
}
