import VaultCrypto
public import VaultInterface
import VaultStore

/// A picture made from an attachment: the full picture with its watermark, or a thumbnail.
public struct Rendition: Sendable {
  /// Which picture of an attachment.
  public enum Kind: Hashable, Sendable {
    /// The full picture with its watermark.
    case watermarked
    /// A picture whose longer side has at most this many pixels.
    case thumbnail(Int)

    /// The key of the stored rendition; nil for sizes that are not stored.
    fileprivate var stored: Int64? {
      switch self {
      case .watermarked: 0
      case .thumbnail(let size): Self.keptSizes.contains(size) ? Int64(size) : nil
      }
    }

    private static let keptSizes: Set<Int> = [64, 128, 256, 512, 1_024]
  }

  /// The media type of the picture.
  public var mediaType: MediaType
  /// Its size in pixels.
  public var width, height: Int
  /// The picture.
  public var bytes: PrivateBytes

  public init(mediaType: MediaType, width: Int, height: Int, bytes: PrivateBytes) {
    (self.mediaType, self.width, self.height, self.bytes) = (mediaType, width, height, bytes)
  }

  /// The largest rendition that is stored: 16 MiB.
  static let keptBytes = 16 << 20
  /// Which picture (4 bytes) ‖ media type (4) ‖ width (4) ‖ height (4), behind the picture.
  static let tailCount = 16
}

extension VaultSession {
  /// Returns a stored rendition of an attachment; nil if there is none or it does not open.
  public func rendition(_ kind: Rendition.Kind, of attachment: Attachment) throws -> Rendition? {
    let vault = try unlocked()
    guard let size = kind.stored else { return nil }
    let place = vault.place(ofRenditionOf: attachment)
    let kept = try vault.reading { transaction in
      try transaction.rendition(of: attachment.id, size: size) {
        try? vault.reader.open($0, at: place)
      }
    }
    return kept?.flatMap { Self.rendition($0, size) }
  }

  private static func rendition(_ bytes: PrivateBytes, _ size: Int64) -> Rendition? {
    guard bytes.count > Rendition.tailCount else { return nil }
    let tail = bytes.withSpan { span in
      let tail = span.extracting(last: Rendition.tailCount)
      return (0..<4).map { word in
        unsafe Int(UInt32(bigEndian: tail.unsafeLoadUnaligned(fromByteOffset: 4 * word, as: UInt32.self)))
      }
    }
    guard Int64(tail[0]) == size, MediaType.allCases.indices.contains(tail[1]) else { return nil }
    bytes.removeLast(Rendition.tailCount)
    return Rendition(
      mediaType: MediaType.allCases[tail[1]], width: tail[2], height: tail[3], bytes: bytes)
  }

  /// Stores a rendition, sealed. Ignores errors, because a rendition can be made again.
  ///
  /// - Parameter attachment: as it was when the picture was made; with another watermark by now it is not kept.
  public func keep(_ rendition: Rendition, _ kind: Rendition.Kind, of attachment: Attachment) {
    guard let vault = try? unlocked(), let size = kind.stored, rendition.bytes.count <= Rendition.keptBytes,
      let type = MediaType.allCases.firstIndex(of: rendition.mediaType),
      let bytes = PrivateBytes(capacity: rendition.bytes.count + Rendition.tailCount)
    else { return }
    rendition.bytes.withSpan { bytes.append($0) }
    let words = [Int(size), type, rendition.width, rendition.height].map { UInt32(clamping: $0).bigEndian }
    unsafe words.withUnsafeBytes { unsafe bytes.append($0.bytes) }
    try? vault.keep(bytes, size, of: attachment)
  }
}

extension OpenVault {
  /// Where a picture of an attachment belongs: it opens at the revision of the attachment that it was made of, and at no
  /// other.
  fileprivate func place(ofRenditionOf attachment: Attachment) -> RecordContext {
    RecordContext(
      vault: identifier, kind: .rendition, record: attachment.id,
      revision: UInt64(clamping: attachment.revision))
  }

  /// Stores a rendition. Advances the generation without changing the record hash, so that other processes see that no
  /// record changed.
  fileprivate func keep(_ bytes: PrivateBytes, _ size: Int64, of attachment: Attachment) throws {
    let sealed = try reader.seal(bytes, at: place(ofRenditionOf: attachment))
    try change { transaction, _ in
      // After a merge the revision may have come with another watermark.
      let present = try self.attachment(attachment.id, in: transaction.read)
      guard present.revision == attachment.revision, present.watermark == attachment.watermark else {
        throw VaultError.attachmentNotFound(attachment.id)
      }
      try sealed.withSpan { (span) throws in
        try transaction.putRendition(of: attachment.id, size: size, span)
      }
    }
  }
}
