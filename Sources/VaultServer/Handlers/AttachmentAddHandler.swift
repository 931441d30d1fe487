import JSON
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

enum AttachmentAddHandler: Handler {
  static func answer(
    _ request: AttachmentAdd, _ context: PictureContext
  ) async throws -> Outcome<AttachmentResponse> {
    try request.name.map(Attachment.check(name:))
    try request.watermark?.validate()
    try context.session.checkRoomForAttachment(in: request.card)
    let content = try await content(request.source, context)
    let (card, attachment) = try await context.progress.during(
      request.progressToken, WorkTitle.readingPicture
    ) {
      report in
      let checked = try await context.pictures.check(content)
      await report(request.watermark == nil ? 90 : 30)
      let draft = AttachmentDraft(
        name: request.name ?? name(request.source, checked.mediaType), mediaType: checked.mediaType,
        width: checked.width, height: checked.height, watermark: request.watermark, content: content)
      guard let watermark = request.watermark else {
        return try context.session.addAttachment(draft, to: request.card)
      }
      let watermarked = try await context.pictures.mark(
        content, of: checked, with: watermark, stripMetadata: false)
      await report(90)
      let added = try context.session.addAttachment(draft, to: request.card)
      context.pictures.keepWatermarked(watermarked, of: added.attachment)
      return added
    }
    return Outcome(
      AttachmentResponse(attachment, of: card, language: context.language), .attached, context.language)
  }

  private static func content(
    _ source: ContentSource, _ context: PictureContext
  ) async throws -> PrivateBytes {
    let limit = Limits.attachmentBytes
    switch source {
    case .path(let path):
      do {
        return try await context.work.interruptibly {
          try await context.session.readFile(path, limit: limit)
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
    guard case .path(let path) = source, let name = (try? UserPath(path))?.name else {
      return type.defaultName
    }
    return Attachment.name(from: name, type)
  }
}
