import VaultProtocol

enum AttachmentSetWatermarkHandler: Handler {
  static func answer(
    _ request: AttachmentSetWatermark, _ context: PictureContext
  ) async throws -> Outcome<AttachmentResponse> {
    try request.watermark?.validate()
    let session = context.session
    let before = try session.attachment(request.id)
    if before.watermark != nil, request.watermark != before.watermark {
      // Any other text may be as good as none, such as a faint dot.
      try context.biometrics.client.confirmation.require()
    }
    let changed = try await context.progress.during(request.progressToken, WorkTitle.watermarking) { report in
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
}
