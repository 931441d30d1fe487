import VaultProtocol

enum AttachmentListHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: AttachmentList, _ context: SessionContext
  ) throws -> Outcome<AttachmentList.Response> {
    Outcome(AttachmentList.Response(items: try context.session.card(request.card).attachments))
  }
}
