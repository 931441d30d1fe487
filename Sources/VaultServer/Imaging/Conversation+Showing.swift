import VaultModel
import VaultSession

extension Conversation {
  /// An attachment as it is shown: with its watermark, unless the original was asked for and may be given.
  ///
  /// - Parameter stripMetadata: whether GPS, XMP, IPTC and the like are left out.
  func shown(
    _ attachment: Attachment, isOriginal: Bool = false, stripMetadata: Bool = false
  ) async throws -> PrivateBytes {
    guard let watermark = attachment.watermark, !isOriginal else {
      let content = try session.content(of: attachment.id)
      return stripMetadata ? try await strip(content, of: Checked(attachment)) : content
    }
    if !stripMetadata, let kept = try session.rendition(.marked, of: attachment) { return kept.bytes }
    let marked = try await mark(
      session.content(of: attachment.id), of: Checked(attachment), with: watermark,
      stripMetadata: stripMetadata)
    if !stripMetadata { keepMarked(marked, of: attachment) }
    return marked
  }

  /// Keeps a picture with its watermark, so that it need not be drawn again.
  func keepMarked(_ marked: PrivateBytes, of attachment: Attachment) {
    let rendition = Rendition(
      mediaType: attachment.mediaType, width: attachment.width, height: attachment.height, bytes: marked)
    session.keep(rendition, .marked, of: attachment)
  }

  /// A small picture of an attachment, with its watermark.
  func thumbnail(of attachment: Attachment, size: Int) async throws -> Rendition {
    if let kept = try session.rendition(.thumbnail(size), of: attachment) { return kept }
    let rendition = try await thumbnail(
      session.content(of: attachment.id), size: size, watermark: attachment.watermark)
    session.keep(rendition, .thumbnail(size), of: attachment)
    return rendition
  }
}

extension Conversation.Checked {
  /// What an attachment was found to be when it was added.
  init(_ attachment: Attachment) {
    self.init(mediaType: attachment.mediaType, width: attachment.width, height: attachment.height)
  }
}

extension PrivateBytes {
  /// The bytes in Base64.
  var base64: String { withSpan { Base64.encode($0) } }

  /// Reads Base64 of no more than so many bytes.
  ///
  /// - Throws: `VaultError.attachmentTooLarge`; ``ImagingError/outOfMemory``; nil for what is no Base64.
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
