import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Importing, with attachments") struct ImportedAttachmentTests {
    private struct Unreadable: Error {}

    private func card(_ title: String) throws -> CardImport {
      CardImport(
        try CardDraft(title: title, group: .personal, type: .text, fields: ["text": "x"]).checked().draft)
    }

    private func attachment(_ name: String, _ watermark: Watermark? = nil) -> AttachmentImport {
      AttachmentImport(
        name: name, mediaType: .png, width: 3, height: 2, watermark: watermark,
        addedAt: Timestamp(milliseconds: 1_000)
      ) {
        guard let content = PrivateBytes(capacity: 100), name != "unreadable" else { throw Unreadable() }
        content.append(Array((name + " content").utf8))
        return content
      }
    }

    @Test("R5 R14 attachments come with their cards in one transaction, also after another process wrote")
    func stored() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let clock = ActingClock(vault.clock)
      let session = VaultSession(path: vault.path, clock: clock, device: "another")
      try await session.unlock(password: TestVault.password)
      nonisolated(unsafe) let other = try await vault.unlock()
      let cards = try (0..<300).map { try card("\($0)") }
      let mark = Watermark(text: "mark", angle: -45)
      clock.actOnce { _ = try? other.note("299", text: "x") }
      let outcomes = try await session.importCards(
        cards, attachments: [0: [attachment("a"), attachment("b", mark)], 299: [attachment("c")]],
        keepsDuplicates: false, isDryRun: false
      ) { _ in }
      #expect(outcomes[299] == .duplicate)
      guard case .imported(let id) = outcomes[0] else { throw Unreadable() }
      session.lock(.request)
      for session in [try await vault.unlock(), other] {
        _ = try session.refresh()
        let attachments = try session.card(id).attachments
        #expect(attachments.map(\.name) == ["a", "b"] && attachments.map(\.watermark) == [nil, mark])
        #expect(
          attachments.map(\.addedAt) == [Timestamp(milliseconds: 1_000), Timestamp(milliseconds: 1_000)])
        for attachment in attachments {
          #expect(
            try session.content(of: attachment.id).prefix(100) == Array((attachment.name + " content").utf8))
        }
        #expect(
          try await session.verify { _ in }
            == Verification(cards: 300, attachments: 2, damaged: [], integrity: .intact))
      }
    }

    @Test("R14 if the last content cannot be read, nothing is stored")
    func nothing() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      try session.note("before")
      await #expect(throws: Unreadable.self) {
        _ = try await session.importCards(
          [card("1"), card("2")],
          attachments: [0: [attachment("a")], 1: [attachment("b"), attachment("unreadable")]],
          keepsDuplicates: true, isDryRun: false
        ) { _ in }
      }
      #expect(
        try await session.verify { _ in }
          == Verification(cards: 1, attachments: 0, damaged: [], integrity: .intact))
      #expect(try RawFile(vault).rows("SELECT count(*) FROM content") == [["0"]])
      let before = try #require(try session.allCards(limit: 1).first)
      try Replica.attach("goes on", to: try session.card(before.id), session)
    }
  }
}
