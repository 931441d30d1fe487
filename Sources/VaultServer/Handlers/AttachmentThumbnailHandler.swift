import VaultProtocol

enum AttachmentThumbnailHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: AttachmentThumbnail, _ context: PictureContext
  ) async throws -> Outcome<AttachmentThumbnail.Response> {
    let attachment = try context.session.attachment(request.id)
    let thumbnail = try await context.pictures.thumbnail(of: attachment, size: request.size)
    return Outcome(
      AttachmentThumbnail.Response(
        data: thumbnail.bytes.base64, mediaType: thumbnail.mediaType, width: thumbnail.width,
        height: thumbnail.height))
  }
}
