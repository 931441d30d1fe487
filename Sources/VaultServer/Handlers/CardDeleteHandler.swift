import JSONRPC
import VaultProtocol

enum CardDeleteHandler: Handler {
  static func answer(_ request: CardDelete, _ context: SessionContext) throws -> Outcome<Nothing> {
    try context.session.deleteCard(request.id, revision: request.revision)
    return Outcome(Nothing(), .deleted, context.language)
  }
}
