import JSONRPC
import VaultProtocol

enum AttachmentDeleteHandler: Handler {
  static func answer(_ request: AttachmentDelete, _ context: SessionContext) throws -> Outcome<NullResult> {
    try context.session.deleteAttachment(request.id)
    return Outcome(NullResult(), .detached, context.language)
  }
}
