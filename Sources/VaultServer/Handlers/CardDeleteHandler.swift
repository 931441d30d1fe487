import JSONRPC
import VaultProtocol

enum CardDeleteHandler: Handler {
  static func answer(_ request: CardDelete, _ context: SessionContext) throws -> Outcome<NullResult> {
    try context.session.deleteCard(request.id, revision: request.revision)
    return Outcome(NullResult(), .deleted, context.language)
  }
}
