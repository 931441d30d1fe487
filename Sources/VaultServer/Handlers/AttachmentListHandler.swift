import VaultProtocol

enum AttachmentListHandler: Handler {
  static func answer(
    _ request: AttachmentList, in conversation: isolated Conversation
  ) async throws -> Outcome<AttachmentList.Answer> {
    Outcome(AttachmentList.Answer(items: try conversation.session.card(request.card).attachments))
  }
}
