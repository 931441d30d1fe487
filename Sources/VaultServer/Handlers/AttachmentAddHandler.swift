import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

enum AttachmentAddHandler: Handler {
  static func answer(
    _ request: AttachmentAdd, in conversation: isolated Conversation
  ) async throws -> Outcome<AttachmentAnswer> {
    try request.name.map(Attachment.check(name:))
    try request.watermark?.validate()
    try conversation.session.checkRoomForAttachment(in: request.card)
    let content = try await content(request.source, conversation)
    let (card, attachment) = try await conversation.reporting(request.progressToken, Deed.readingPicture) {
      report in
      let checked = try await conversation.check(content)
      await report(request.watermark == nil ? 90 : 30)
      let draft = AttachmentDraft(
        name: request.name ?? name(request.source, checked.mediaType), mediaType: checked.mediaType,
        width: checked.width, height: checked.height, watermark: request.watermark, content: content)
      guard let watermark = request.watermark else {
        return try conversation.session.addAttachment(draft, to: request.card)
      }
      let marked = try await conversation.mark(content, of: checked, with: watermark, stripMetadata: false)
      await report(90)
      let added = try conversation.session.addAttachment(draft, to: request.card)
      conversation.keepMarked(marked, of: added.attachment)
      return added
    }
    return Outcome(
      AttachmentAnswer(attachment, of: card, language: conversation.language),
      telling: [conversation.notification(of: .attached)])
  }

  private static func content(
    _ source: ContentSource, _ conversation: isolated Conversation
  ) async throws -> PrivateBytes {
    let limit = Limits.attachmentBytes
    switch source {
    case .path(let path):
      do {
        return try await conversation.interruptibly {
          try await conversation.session.readFile(path, limit: limit)
        }
      } catch FileError.tooLarge {
        throw VaultError.attachmentTooLarge(limit: limit)
      }
    case .data(let text):
      guard let content = try PrivateBytes.decoding(base64: text, limit: limit) else {
        throw ParameterError("data", .base64)
      }
      return content
    }
  }

  private static func name(_ source: ContentSource, _ type: MediaType) -> String {
    guard case .path(let path) = source, let name = (try? UserPath(path))?.name else { return type.usualName }
    return Attachment.name(from: name, type)
  }
}
