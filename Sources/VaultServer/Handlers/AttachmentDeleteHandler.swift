import JSONRPC
import VaultProtocol

enum AttachmentDeleteHandler: Handler {
  static func answer(
    _ request: AttachmentDelete, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    try conversation.session.deleteAttachment(request.id)
    return Outcome(Nothing(), telling: [conversation.notification(of: .detached)])
  }
}
