import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var cards: [Method] {
    Method { (request: CardCreate, context: WorkContext) async throws -> Outcome<SavedCardResponse> in
      var draft = request.draft
      draft.tags = try await context.spelled(draft.tags)
      let (card, warnings) = try context.session.createCard(draft, lacksGroup: request.lacksGroup)
      return Outcome(
        SavedCardResponse(card, warnings: warnings, language: context.language), .created, context.language)
    }

    Method(.reading, isOpenToAll: true) {
      (request: CardParse, context: NoContext) -> Outcome<CardParse.Response> in
      Outcome(CardParse.Response(draft: CardParse.Draft(CardDraft(pasted: request.text))))
    }

    Method(.reading, isOpenToAll: true) {
      (request: PasswordGenerate, context: NoContext) throws -> Outcome<PasswordGenerate.Response> in
      let generated = try GeneratedPassword(request.recipe)
      return Outcome(PasswordGenerate.Response(password: generated.text, bits: Int(generated.bits)))
    }

    Method(.reading) { (request: CardGet, context: SessionContext) throws -> Outcome<CardResponse> in
      Outcome(CardResponse(try context.session.card(request.id), language: context.language))
    }

    Method { (request: CardUpdate, context: WorkContext) async throws -> Outcome<SavedCardResponse> in
      var change = request.change
      if let tags = change.tags {
        change.tags = try await context.spelled(tags, for: context.session.card(request.id))
      }
      let (card, warnings) = try context.session.updateCard(request.id, revision: request.revision, change)
      return Outcome(
        SavedCardResponse(card, warnings: warnings, language: context.language), .updated, context.language)
    }

    Method { (request: CardDelete, context: SessionContext) throws -> Outcome<NullResult> in
      try context.session.deleteCard(request.id, revision: request.revision)
      return Outcome(NullResult(), .deleted, context.language)
    }

    Method { (request: CardRestore, context: SessionContext) throws -> Outcome<CardResponse> in
      let session = context.session
      let card =
        switch request.card {
        case .id(let id): try session.restoreCard(id)
        case .name(let name): try session.restoreCard(named: name)
        }
      return Outcome(CardResponse(card, language: context.language), .restored, context.language)
    }

    Method(.reading) {
      (request: CardHistoryList, context: SessionContext) throws -> Outcome<CardHistoryList.Response> in
      let versions = try context.session.earlierVersions(of: request.id)
      return Outcome(
        CardHistoryList.Response(
          versions: versions.map {
            CardVersionJSON($0.name, $0.card, in: context.language, concealing: true)
          }))
    }

    Method(.reading) {
      (request: CardVersionGet, context: SessionContext) throws -> Outcome<CardVersionJSON> in
      let version = try context.session.earlierVersion(of: request.id, named: request.version)
      return Outcome(CardVersionJSON(version.name, version.card, in: context.language, concealing: false))
    }

    Method { (request: CardRevert, context: SessionContext) throws -> Outcome<CardResponse> in
      let card = try context.session.revertCard(
        request.id, to: request.version, revision: request.revision)
      return Outcome(CardResponse(card, language: context.language), .reverted, context.language)
    }

    Method(.reading) { (_: CardTrash, context: SessionContext) throws -> Outcome<CardTrash.Response> in
      let items = try context.session.cardsInTrash().map(CardJSON.init(summaryOf:))
      let size = try context.session.attachmentBytesInTrash()
      return Outcome(CardTrash.Response(items: items, attachmentBytes: size))
    }

    Method { (request: CardPurge, context: SessionContext) throws -> Outcome<CardPurge.Response> in
      Outcome(CardPurge.Response(purged: try context.session.purge(request.id)))
    }

    Method { (request: CardSetPinned, context: SessionContext) throws -> Outcome<CardResponse> in
      let change = CardChange(pinned: request.isPinned)
      let (card, _) = try context.session.updateCard(request.id, revision: nil, change)
      return Outcome(
        CardResponse(card, language: context.language), request.isPinned ? .pinned : .unpinned,
        context.language
      )
    }

    Method(.reading) { (request: CardCopy, context: SessionContext) throws -> Outcome<CardCopy.Response> in
      let copied = try context.session.copy(
        request.id, as: request.form, includesConcealed: request.includesConcealed, in: context.language)
      return Outcome(CardCopy.Response(copied), .copied, context.language)
    }

    Method { (request: FieldCode, context: SessionContext) throws -> Outcome<FieldCode.Response> in
      let current = try context.session.oneTimeCode(request.id, field: request.field)
      return Outcome(FieldCode.Response(code: current.code, secondsLeft: current.secondsLeft))
    }

    Method(.reading) {
      (request: CardConflicts, context: WorkContext) async throws -> Outcome<CardConflicts.Response> in
      let (listed, leftOut) = Merge.limited(try await context.read { try $0.conflicts() })
      return Outcome(CardConflicts.Response(conflicts: listed, leftOut: leftOut))
    }
  }

  @MethodList static var lists: [Method] {
    Method(.reading, isOpenToAll: true) {
      (request: TemplateList, context: NoContext) -> Outcome<TemplateList.Response> in
      Outcome(TemplateList.Response(templates: CardTemplate.all))
    }

    Method(.reading) { (request: TagList, context: WorkContext) async throws -> Outcome<TagList.Response> in
      Outcome(
        try await context.read { lists in
          let tags = try lists.tags()
          let leftOut = tags.count - TagList.Response.limit
          return TagList.Response(
            tags: Array(tags.prefix(TagList.Response.limit)), leftOut: leftOut > 0 ? leftOut : nil)
        })
    }

    Method(.reading) { (request: CardList, context: WorkContext) async throws -> Outcome<CardList.Response> in
      let sort = request.sort.map { CardSort($0, descending: request.descending) }
      let page = try await context.read {
        try $0.cards(request.filter, sort: sort, limit: request.page.limit, cursor: request.page.cursor)
      }
      return Outcome(page.map(CardJSON.init(summaryOf:)))
    }

    Method(.reading) {
      (request: CardResolve, context: WorkContext) async throws -> Outcome<CardResolve.Response> in
      let named = try await context.read { try $0.card(named: request.name, guesses: request.guesses) }
      let field = try request.field.map { name in
        guard let field = try context.session.names(of: named.card.id).field(name) else {
          throw VaultError.fieldNotFound(name)
        }
        return CardResolve.Field(
          name: field.name, label: field.label[context.language], isConcealed: field.isConcealed)
      }
      return Outcome(
        CardResolve.Response(card: CardJSON(summaryOf: named.card), isExact: named.isExact, field: field))
    }

    Method(.reading) {
      (request: CardSearch, context: WorkContext) async throws -> Outcome<CardSearch.Response> in
      let page = try await context.read {
        try $0.search(request.query, limit: request.page.limit, cursor: request.page.cursor)
      }
      return Outcome(page.map { CardSearch.Item($0, in: context.language) })
    }
  }
}
