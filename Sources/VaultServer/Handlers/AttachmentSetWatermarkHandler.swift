import VaultProtocol

enum AttachmentSetWatermarkHandler: Handler {
  static func answer(
    _ request: AttachmentSetWatermark, in conversation: isolated Conversation
  ) async throws -> Outcome<AttachmentAnswer> {
    try request.watermark?.validate()
    let session = conversation.session
    let before = try session.attachment(request.id)
    let changed = try await conversation.reporting(request.progressToken, Deed.marking) { report in
      // Drawn before it is stored, so that a text for which there is no font never is.
      guard let watermark = request.watermark else { return try session.setWatermark(nil, of: request.id) }
      let marked = try await conversation.mark(
        session.content(of: request.id), of: Conversation.Checked(before), with: watermark,
        stripMetadata: false)
      await report(90)
      let changed = try session.setWatermark(watermark, of: request.id)
      conversation.keepMarked(marked, of: changed.attachment)
      return changed
    }
    return Outcome(
      AttachmentAnswer(changed.attachment, of: changed.card, language: conversation.language),
      telling: [conversation.notification(of: request.watermark == nil ? .watermarkRemoved : .watermarkSet)])
  }
}
