import JSONRPC
import VaultProtocol

enum DraftDiscardHandler: Handler {
  static func answer(_ request: DraftDiscard, _ context: SessionContext) throws -> Outcome<NullResult> {
    try context.session.discardDraft(request.form)
    return Outcome(NullResult())
  }
}
