import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var forms: [Method] {
    Method(.reading) { (request: FormOpen, context: SessionContext) throws -> Outcome<FormOpen.Response> in
      let (session, language) = (context.session, context.language)
      var card: Card?
      let contents: CardDraft
      switch request.subject {
      case .card(let id, let version):
        let stored = try session.card(id)
        let shown = try version.map { try session.earlierVersion(of: id, named: $0).card } ?? stored
        (card, contents) = (stored, shown.draft)
      case .new(let type, let group, let tags):
        contents = CardDraft(title: "", group: group, type: type, tags: tags)
      case .pasted(let text): contents = CardDraft(pasted: text)
      }
      let form = FormDraft.Form(client: request.client, type: contents.type, card: card?.id)
      return Outcome(
        FormOpen.Response(
          type: contents.type, card: card?.id, revision: card.map { Int($0.revision) },
          text: FormText(contents.type, in: language).write(contents, revealing: request.revealed ?? .none),
          drafts: try session.drafts(like: form)))
    }

    Method { (request: FormSave, context: WorkContext) async throws -> Outcome<SavedCardResponse> in
      let (session, language) = (context.session, context.language)
      let id = request.makesNewCard ? nil : request.form.card
      let card = try id.map { try session.card($0) }
      var edited = EditedForm(request.text, FormText(card?.type ?? request.form.type, in: language))
      edited.tags = try await context.spelled(edited.tags, for: card)
      let saved = try session.saveForm(
        request.form, edited, revision: request.revision, makesNewCard: request.makesNewCard)
      let answer = SavedCardResponse(saved.card, warnings: saved.warnings, language: language)
      switch saved.effect {
      case .created: return Outcome(answer, .created, language)
      case .updated: return Outcome(answer, .updated, language)
      case .none: return Outcome(answer)
      }
    }
  }

  @MethodList static var drafts: [Method] {
    Method { (request: DraftPut, context: SessionContext) throws -> Outcome<NullResult> in
      try context.session.putDraft(request.form, revision: request.revision, text: request.text)
      return Outcome(NullResult())
    }

    Method(.reading) { (request: DraftGet, context: SessionContext) throws -> Outcome<DraftGet.Response> in
      Outcome(
        DraftGet.Response(items: try context.session.drafts(of: request.client)))
    }

    Method { (request: DraftDiscard, context: SessionContext) throws -> Outcome<NullResult> in
      try context.session.discardDraft(request.form)
      return Outcome(NullResult())
    }
  }
}
