import VaultProtocol

enum AttachmentGetHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: AttachmentGet, in conversation: isolated Conversation
  ) async throws -> Outcome<AttachmentGet.Answer> {
    let attachment = try conversation.session.attachment(request.id)
    try await conversation.authorize(request.original, of: attachment)
    let content = try await conversation.reporting(request.progressToken, Deed.readingPicture) { _ in
      try await conversation.shown(attachment, isOriginal: request.original.isWanted)
    }
    return Outcome(AttachmentGet.Answer(attachment, data: content.base64, size: content.count))
  }
}
