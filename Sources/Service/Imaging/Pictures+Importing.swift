import Vault
import VaultExchange
import VaultInterface

extension Pictures {
  /// Checks the attachments of the cards that are to be stored, one after another, as `attachment/add` does. One that is
  /// invalid is noted in the file, and its card is stored without it.
  ///
  /// - Parameters:
  ///   - cards: the cards of the file, in the order of its entries.
  ///   - report: takes the progress in percent.
  /// - Returns: the attachments by the index of their card.
  /// - Throws: `CancellationError`, `VaultError.locked`, `VaultError.damaged`.
  func checkAttachments(
    of file: inout ImportedFile, _ cards: [CardImport], keepsDuplicates: Bool, _ report: (Int) async -> Void
  ) async throws -> [Int: [AttachmentImport]] {
    let outcomes = try await session.importCards(
      cards, keepsDuplicates: keepsDuplicates, areDistinct: file.isExport, isDryRun: true
    ) { _ in }
    let places = file.entries.indices.filter { file.entries[$0].draft != nil }
    let (source, total) = (file, file.attachmentCount)
    var done = 0
    var found: [Int: [AttachmentImport]] = [:]
    for (card, place) in places.enumerated() where !source.entries[place].attachments.isEmpty {
      let attachments = source.entries[place].attachments
      done += attachments.count
      guard outcomes[card] == .ready else {
        file.warnAttachmentsOfDuplicate(at: place)
        continue
      }
      for attachment in attachments {
        do {
          let room = Limits.attachments
          guard found[card, default: []].count < room else {
            throw VaultError.tooManyAttachments(limit: room)
          }
          found[card, default: []].append(try await check(attachment, of: source))
        } catch let error where Self.concernsOneAttachment(error) {
          file.skip(attachment, because: ErrorDescriptor(error).message, at: place)
        }
      }
      await report(done * 100 / total)
    }
    return found
  }

  private func check(_ attachment: JSONAttachment, of file: ImportedFile) async throws -> AttachmentImport {
    try Task.checkCancellation()
    try Attachment.check(name: attachment.name)
    try attachment.watermark?.validate()
    let content = { @Sendable in
      guard let text = file.data(of: attachment),
        let content = try PrivateBytes.decoding(base64: text, limit: Limits.attachmentBytes)
      else { throw ImagingError.notAnImage }
      return content
    }
    let checked = try await check(content())
    guard attachment.watermark == nil || checked.mediaType != .pdf else {
      throw ImagingError.watermarkUnsupported
    }
    return AttachmentImport(
      name: attachment.name, mediaType: checked.mediaType, width: checked.width, height: checked.height,
      watermark: attachment.watermark, addedAt: attachment.addedAt, content: content)
  }

  private static func concernsOneAttachment(_ error: any Error) -> Bool {
    switch error {
    case is ImagingError, is Attachment.NameError, is Watermark.ValidationError,
      VaultError.attachmentTooLarge,
      VaultError.tooManyAttachments:
      true
    default: false
    }
  }
}
