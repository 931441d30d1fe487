import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var attachments: [Method] {
    Method(answer: AttachmentAddHandler.answer)

    Method(.reading) {
      (request: AttachmentList, context: SessionContext) throws -> Outcome<AttachmentList.Response> in
      let card = try context.session.card(request.card)
      return Outcome(AttachmentList.Response(items: card.attachments.map(AttachmentJSON.init)))
    }

    Method(.reading, takesPassword: true) {
      (request: AttachmentGet, context: PictureContext) async throws -> Outcome<AttachmentGet.Response> in
      let attachment = try context.session.attachment(request.id)
      try await context.biometrics.authorize(request.original, of: attachment)
      let content = try await context.progress.during(request.progressToken, WorkTitle.readingPicture) { _ in
        try await context.pictures.shown(attachment, isOriginal: request.original.isWanted)
      }
      return Outcome(AttachmentGet.Response(attachment, data: content.base64, size: content.count))
    }

    Method(.reading) {
      (request: AttachmentThumbnail, context: PictureContext) async throws -> Outcome<
        AttachmentThumbnail.Response
      > in
      let attachment = try context.session.attachment(request.id)
      let thumbnail = try await context.pictures.thumbnail(of: attachment, size: request.size)
      return Outcome(
        AttachmentThumbnail.Response(
          data: thumbnail.bytes.base64, mediaType: thumbnail.mediaType, width: thumbnail.width,
          height: thumbnail.height))
    }

    Method(.reading, takesPassword: true) {
      (request: AttachmentExport, context: PictureContext) async throws -> Outcome<AttachmentExport.Response>
      in
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

    Method {
      (request: AttachmentSetWatermark, context: PictureContext) async throws -> Outcome<AttachmentResponse>
      in
      try request.watermark?.validate()
      let session = context.session
      let before = try session.attachment(request.id)
      if before.watermark != nil, request.watermark != before.watermark {
        // Any other text may be as good as none, such as a faint dot.
        try context.biometrics.client.confirmation.require()
      }
      let changed = try await context.progress.during(request.progressToken, WorkTitle.watermarking) {
        report in
        // Drawn before it is stored, so that a text for which there is no font never is.
        guard let watermark = request.watermark else { return try session.setWatermark(nil, of: request.id) }
        let watermarked = try await context.pictures.mark(
          session.content(of: request.id), of: ImagingService.Checked(before), with: watermark,
          stripMetadata: false)
        await report(90)
        let changed = try session.setWatermark(watermark, of: request.id)
        context.pictures.keepWatermarked(watermarked, of: changed.attachment)
        return changed
      }
      return Outcome(
        AttachmentResponse(changed.attachment, of: changed.card, language: context.language),
        request.watermark == nil ? .watermarkRemoved : .watermarkSet, context.language)
    }

    Method { (request: AttachmentDelete, context: SessionContext) throws -> Outcome<NullResult> in
      try context.session.deleteAttachment(request.id)
      return Outcome(NullResult(), .detached, context.language)
    }
  }
}

private enum AttachmentAddHandler {
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
