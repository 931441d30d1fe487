import JSONRPC
import VaultProtocol

enum DraftPutHandler: Handler {
  static func answer(_ request: DraftPut, _ context: SessionContext) throws -> Outcome<NullResult> {
    try context.session.putDraft(request.form, revision: request.revision, text: request.text)
    return Outcome(NullResult())
  }
}
