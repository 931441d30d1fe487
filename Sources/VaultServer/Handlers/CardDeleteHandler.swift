import JSONRPC
import VaultProtocol

enum CardDeleteHandler: Handler {
  static func answer(_ request: CardDelete, in conversation: isolated Conversation) async throws -> Outcome<
    Nothing
  > {
    try conversation.session.deleteCard(request.id, revision: request.revision)
    return Outcome(Nothing(), telling: [conversation.notification(of: .deleted)])
  }
}
