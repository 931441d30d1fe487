import JSONRPC
import VaultProtocol

enum AttachmentDeleteHandler: Handler {
  static func answer(_ request: AttachmentDelete, _ context: SessionContext) throws -> Outcome<Nothing> {
    try context.session.deleteAttachment(request.id)
    return Outcome(Nothing(), .detached, context.language)
  }
}
