import VaultProtocol

enum AttachmentThumbnailHandler: Handler {
  static func answer(
    _ request: AttachmentThumbnail, in conversation: isolated Conversation
  ) async throws -> Outcome<AttachmentThumbnail.Answer> {
    let attachment = try conversation.session.attachment(request.id)
    let thumbnail = try await conversation.thumbnail(of: attachment, size: request.size)
    return Outcome(
      AttachmentThumbnail.Answer(
        data: thumbnail.bytes.base64, mediaType: thumbnail.mediaType, width: thumbnail.width,
        height: thumbnail.height))
  }
}
