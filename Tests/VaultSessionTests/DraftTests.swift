import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Drafts of forms")
  struct DraftTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    private func form(_ client: String, _ card: Identifier? = nil) -> FormDraft.Form {
      FormDraft.Form(client: client, type: .text, card: card)
    }

    @Test("R12 a draft outlives the lock, and is of one client and form")
    func kept() async throws {
      let card = try Identifier.random()
      try session.putDraft(form("emacs"), revision: nil, text: "first\nC:\\é=")
      try session.putDraft(form("vim"), revision: nil, text: "other")
      try session.putDraft(form("emacs", card), revision: 3, text: "edited")
      try session.putDraft(form("emacs"), revision: nil, text: "second\nC:\\é=")
      let other = try await vault.unlock()
      let drafts = try other.drafts(of: "emacs")
      #expect(drafts.map(\.text) == ["second\nC:\\é=", "edited"])
      #expect(drafts.map(\.form) == [form("emacs"), form("emacs", card)])
      #expect(drafts.map(\.revision) == [nil, 3])
      #expect(try other.summary().integrity == .intact)
    }

    @Test("R12 forms of two processes of a client keep their drafts of one card")
    func named() throws {
      let card = try Identifier.random()
      let forms = [nil, "4711 1", "4712 1"].map {
        FormDraft.Form(client: "vim", type: .text, card: card, name: $0)
      }
      for form in forms { try session.putDraft(form, revision: 1, text: form.name ?? "") }
      try session.putDraft(forms[1], revision: 1, text: "again")
      try session.discardDraft(forms[0])
      let drafts = try session.drafts(of: "vim")
      #expect(drafts.map(\.form) == [forms[1], forms[2]])
      #expect(drafts.map(\.text) == ["again", "4712 1"])
    }

    @Test("R12 the document goes with the last draft, and nothing of it stays in the file")
    func discarded() throws {
      try session.putDraft(form("emacs"), revision: nil, text: "text")
      let file = try RawFile(vault)
      #expect(try file.value("SELECT count(*) FROM document WHERE name = 'drafts'") == "1")
      try session.discardDraft(form("vim"))
      try session.discardDraft(form("emacs"))
      #expect(try session.drafts(of: "emacs").isEmpty)
      #expect(try file.value("SELECT count(*) FROM document WHERE name = 'drafts'") == "0")
    }

    @Test("R12 the newest drafts are kept, in number and size")
    func bounded() throws {
      for number in 0..<Limits.drafts + 2 {
        try session.putDraft(form("client \(number)"), revision: nil, text: "\(number)")
      }
      #expect(try session.drafts(of: "client 1").isEmpty)
      #expect(try session.drafts(of: "client 2").count == 1)
      let long = String(repeating: "🗝", count: Limits.draftText)
      try session.putDraft(form("long"), revision: nil, text: long)
      try session.putDraft(form("longer"), revision: nil, text: long)
      #expect(try session.drafts(of: "long").isEmpty)
      #expect(try session.drafts(of: "longer").first?.text == long)
    }
  }
}
