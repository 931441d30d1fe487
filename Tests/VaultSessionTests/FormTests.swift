import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Saving forms")
  struct FormTests {
    private static let format = FormText(.text, in: .english)

    let vault: TestVault
    let session: VaultSession
    let card: Card
    let form: FormDraft.Form

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      let draft = CardDraft(
        title: "Room", group: .company, type: .text, fields: ["text": "Floor 12"],
        extraFields: [ExtraField(label: "PIN", value: "4711#", concealed: true)], pinned: true)
      card = try session.createCard(draft).card
      form = FormDraft.Form(client: "vim", type: .text, card: card.id, name: "1")
    }

    private func save(_ text: String, revision: Int? = nil, asNew: Bool = false) throws -> SavedForm {
      try session.saveForm(form, EditedForm(text, Self.format), revision: revision, makesNewCard: asNew)
    }

    private var text: String { Self.format.write(card.draft) }

    @Test("R1 R12 a form is stored and its draft deleted in one transaction")
    func transaction() throws {
      try session.putDraft(form, revision: 1, text: text)
      let generation = try session.unlocked().generation
      let saved = try save(text.replacing("Room", with: "Hall"), revision: 1)
      #expect(saved.effect == .updated && saved.card.title == "Hall" && saved.card.revision == 2)
      #expect(saved.card.extraFields == card.extraFields && saved.card.pinned)
      #expect(try session.unlocked().generation == generation + 1)
      #expect(try session.drafts(of: "vim").isEmpty)
      #expect(try session.card(card.id) == saved.card)
    }

    @Test("R1 R12 a form that changes nothing is not written, and its draft goes")
    func unchanged() throws {
      try session.putDraft(form, revision: 1, text: "x")
      #expect(try save(text, revision: 1).effect == .none)
      #expect(try session.drafts(of: "vim").isEmpty)
      let generation = try session.unlocked().generation
      #expect(try save(text).effect == .none)
      #expect(try session.unlocked().generation == generation)
      #expect(try session.card(card.id) == card)
    }

    @Test("R21 an invalid form changes nothing, and its draft stays")
    func invalid() throws {
      try session.putDraft(form, revision: 1, text: "x")
      #expect(throws: InvalidValues.self) { try save(text.replacing("Room", with: "")) }
      #expect(throws: InvalidValues.self) { try save("stray\n" + text, asNew: true) }
      #expect(try session.drafts(of: "vim").count == 1 && session.summary().cardCount == 1)
      #expect(try session.card(card.id) == card)
    }

    @Test("R14 an older revision is a conflict; a mask stands for the value that is stored now")
    func conflict() throws {
      let changed = ExtraField(label: "PIN", value: "4712#", concealed: true)
      let other = try session.updateCard(card.id, revision: nil, CardChange(extraFields: [changed])).card
      let edited = text.replacing("Room", with: "Hall")
      #expect(throws: VaultError.conflict(other)) { try save(edited, revision: 1) }
      #expect(try save(edited, revision: 2).card.extraFields == [changed])
    }

    @Test("R1 a form of a deleted card becomes a new one, without what masks stood for")
    func deleted() throws {
      #expect(try save(text, asNew: true).card.extraFields == card.extraFields)
      try session.deleteCard(card.id, revision: nil)
      #expect(throws: VaultError.cardNotFound(card.id)) { try save(text) }
      #expect(throws: InvalidValues.self) { try save(text, asNew: true) }
      let saved = try save(text.replacing("••••", with: "1"), asNew: true)
      #expect(saved.effect == .created && saved.card.id != card.id && saved.card.revision == 1)
    }
  }
}
