import Vault
import VaultExchange
import VaultInterface
import Wire

/// The pictures of a vault's attachments, made by imaging workers in a request that can be interrupted.
struct Pictures {
  let session: VaultSession
  let imaging: ImagingService
  let interrupter: Interrupter

  /// Decodes all of a picture or document, to find out what it is.
  ///
  /// - Throws: ``ImagingError`` if it is neither, or not complete; `CancellationError`; `VaultError.locked`.
  func check(_ content: PrivateBytes) async throws -> ImagingService.Checked {
    try await whileUnlocked { try await imaging.check(content) }
  }

  /// Draws a watermark over a picture.
  func mark(
    _ content: PrivateBytes, of attachment: ImagingService.Checked, with watermark: Watermark,
    stripMetadata: Bool = false
  ) async throws -> PrivateBytes {
    try await whileUnlocked {
      try await imaging.mark(content, of: attachment, with: watermark, stripMetadata: stripMetadata)
    }
  }

  /// An attachment as it is shown: with its watermark, unless the original was asked for and may be given.
  ///
  /// - Parameter stripMetadata: whether GPS, XMP, IPTC and the like are left out.
  func shown(
    _ attachment: Attachment, isOriginal: Bool = false, stripMetadata: Bool = false
  ) async throws -> PrivateBytes {
    let checked = ImagingService.Checked(attachment)
    guard let watermark = attachment.watermark, !isOriginal else {
      let content = try session.content(of: attachment.id)
      guard stripMetadata else { return content }
      return try await whileUnlocked { try await imaging.strip(content, of: checked) }
    }
    if !stripMetadata, let kept = try session.rendition(.watermarked, of: attachment) { return kept.bytes }
    let watermarked = try await mark(
      session.content(of: attachment.id), of: checked, with: watermark, stripMetadata: stripMetadata)
    if !stripMetadata { keepWatermarked(watermarked, of: attachment) }
    return watermarked
  }

  /// Keeps a picture with its watermark, so that it need not be drawn again.
  func keepWatermarked(_ watermarked: PrivateBytes, of attachment: Attachment) {
    let rendition = Rendition(
      mediaType: attachment.mediaType, width: attachment.width, height: attachment.height, bytes: watermarked)
    session.keep(rendition, .watermarked, of: attachment)
  }

  /// A thumbnail of an attachment, with its watermark.
  func thumbnail(of attachment: Attachment, size: Int) async throws -> Rendition {
    if let kept = try session.rendition(.thumbnail(size), of: attachment) { return kept }
    let content = try session.content(of: attachment.id)
    let rendition = try await whileUnlocked {
      try await imaging.thumbnail(content, size: size, watermark: attachment.watermark)
    }
    session.keep(rendition, .thumbnail(size), of: attachment)
    return rendition
  }

  private func whileUnlocked<Value>(_ job: () async throws -> Value) async throws -> Value {
    let value = try await interrupter.duringWork(on: session, job)
    guard !session.isLocked else { throw VaultError.locked }
    return value
  }
}

extension ImagingService.Checked {
  /// The type and size that were found when the attachment was added.
  init(_ attachment: Attachment) {
    self.init(mediaType: attachment.mediaType, width: attachment.width, height: attachment.height)
  }
}

extension PrivateBytes {
  var base64: String { withSpan { Base64.encode($0) } }

  /// Decodes Base64 of at most `limit` bytes.
  ///
  /// - Returns: nil if the text is not Base64.
  /// - Throws: `VaultError.attachmentTooLarge`; ``ImagingError/outOfMemory``.
  static func decoding(base64 text: String, limit: Int) throws -> PrivateBytes? {
    let capacity = Base64.decodedCount(text.utf8.count)
    guard let bytes = PrivateBytes(capacity: capacity) else { throw ImagingError.outOfMemory }
    var count: Int?
    bytes.append(count: capacity) { (output: inout MutableRawSpan) in
      count = Base64.decode(text, into: &output)
    }
    guard let count else { return nil }
    bytes.removeLast(capacity - count)
    guard count <= limit else { throw VaultError.attachmentTooLarge(limit: limit) }
    return bytes
  }
}

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
