import VaultInterface
import Wire

extension Registry {
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
