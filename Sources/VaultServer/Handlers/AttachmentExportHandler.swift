import VaultProtocol

enum AttachmentExportHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: AttachmentExport, in conversation: isolated Conversation
  ) async throws -> Outcome<AttachmentExport.Answer> {
    let attachment = try conversation.session.attachment(request.id)
    try conversation.session.checkFile(request.path, overwrites: request.overwrites)
    try await conversation.authorize(request.original, of: attachment)
    let answer = try await conversation.reporting(request.progressToken, Deed.readingPicture) { report in
      let content = try await conversation.shown(
        attachment, isOriginal: request.original.isWanted, stripMetadata: request.stripMetadata)
      await report(70)
      try Task.checkCancellation()
      let path = try await conversation.session.writeFile(
        content, to: request.path, overwrites: request.overwrites)
      return AttachmentExport.Answer(path: path, size: content.count)
    }
    return Outcome(answer, telling: [conversation.notification(of: .exported)])
  }
}
