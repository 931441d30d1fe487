public import Wire

/// The metadata of an attachment (R5), stored in its card. The content is stored separately.
public struct Attachment: Hashable, Sendable {
  /// The identifier, which never changes.
  public let id: Identifier
  /// The count of writes, from 1: it grows when the watermark changes.
  public var revision: Int64
  /// The name, one line, as a file may have it.
  public var name: String
  public let mediaType: MediaType
  /// The length of the content in bytes.
  public let size: Int
  /// The width of the picture as it is stored, in pixels; of a PDF's first page, in points.
  public let width: Int
  /// The height, in the same measure.
  public let height: Int
  /// When it was attached.
  public let addedAt: Timestamp
  /// The watermark drawn over the picture when it is shown; nil for none.
  public var watermark: Watermark?
  /// Binds the sealed content to this card.
  public let seal: ContentSeal

  public init(
    id: Identifier, revision: Int64 = 1, name: String, mediaType: MediaType, size: Int, width: Int,
    height: Int, addedAt: Timestamp, watermark: Watermark? = nil, seal: ContentSeal
  ) {
    (self.id, self.revision, self.name, self.mediaType, self.size) = (id, revision, name, mediaType, size)
    (self.width, self.height, self.addedAt) = (width, height, addedAt)
    (self.watermark, self.seal) = (watermark, seal)
  }

  /// Returns the same metadata for another content.
  public func copy(id: Identifier, seal: ContentSeal) -> Attachment {
    Attachment(
      id: id, revision: revision, name: name, mediaType: mediaType, size: size, width: width, height: height,
      addedAt: addedAt, watermark: watermark, seal: seal)
  }
}

/// The salt and the tag that an attachment's sealed content begins and ends with: of all contents that were ever sealed, one
/// alone has them.
public struct ContentSeal: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 32
  /// Salt and tag, 16 bytes each.
  public let bytes: [UInt8]

  /// 32 zero bytes.
  public static let zero = ContentSeal(zeros: ())

  private init(zeros: Void) { bytes = [UInt8](repeating: 0, count: Self.byteCount) }

  /// Makes a seal of salt and tag; nil unless there are 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }
}

extension Attachment {
  /// Why a name cannot be used.
  public enum NameError: String, Error, Hashable, Sendable, CaseIterable {
    /// It is blank.
    case empty
    /// It is longer than ``Limits/attachmentName``.
    case tooLong
    /// It has a slash, a control character or a line break, or means a directory.
    case invalidCharacter
  }

  /// Checks a name.
  /// - Throws: ``NameError``.
  public static func check(name: String) throws(NameError) {
    guard !name.isBlank else { throw .empty }
    guard !name.isLonger(than: Limits.attachmentName) else { throw .tooLong }
    let isRefused = name.unicodeScalars.contains { $0 == "/" || $0 == "\t" } || [".", ".."].contains(name)
    guard !isRefused, !name.hasInvalidCharacter(multiline: false) else { throw .invalidCharacter }
  }

  /// Returns the valid name nearest to a file's name: invalid characters become `_`.
  /// - Parameter type: provides the name if nothing is left.
  public static func name(from name: String, _ type: MediaType) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.suffix(Limits.attachmentName) {
      let text = String(scalar)
      scalars.append(
        scalar == "/" || scalar == "\t" || text.hasInvalidCharacter(multiline: false) ? "_" : scalar)
    }
    let result = String(scalars)
    return (try? check(name: result)) == nil ? type.defaultName : result
  }
}
