import VaultProtocol

enum AttachmentGetHandler: Handler {
  static let access = Access.reading
  static let takesPassword = true

  static func answer(
    _ request: AttachmentGet, _ context: PictureContext
  ) async throws -> Outcome<AttachmentGet.Response> {
    let attachment = try context.session.attachment(request.id)
    try await context.biometrics.authorize(request.original, of: attachment)
    let content = try await context.progress.during(request.progressToken, WorkTitle.readingPicture) { _ in
      try await context.pictures.shown(attachment, isOriginal: request.original.isWanted)
    }
    return Outcome(AttachmentGet.Response(attachment, data: content.base64, size: content.count))
  }
}
