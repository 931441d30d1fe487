import VaultProtocol

enum AttachmentExportHandler: Handler {
  static let access = Access.reading
  static let takesPassword = true

  static func answer(
    _ request: AttachmentExport, _ context: PictureContext
  ) async throws -> Outcome<AttachmentExport.Response> {
    let attachment = try context.session.attachment(request.id)
    try context.session.checkFile(request.path, overwrites: request.overwrites)
    try await context.biometrics.authorize(request.original, of: attachment)
    let answer = try await context.progress.during(request.progressToken, WorkTitle.readingPicture) {
      report in
      let content = try await context.pictures.shown(
        attachment, isOriginal: request.original.isWanted, stripMetadata: request.stripMetadata)
      await report(70)
      try Task.checkCancellation()
      let path = try await context.session.writeFile(
        content, to: request.path, overwrites: request.overwrites)
      return AttachmentExport.Response(path: path, size: content.count)
    }
    return Outcome(answer, .exported, context.language)
  }
}
