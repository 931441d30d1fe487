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

/// The media type of an attachment (R5), decided by its content. The raw values are IANA media types.
public enum MediaType: String, Hashable, Sendable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case heic = "image/heic"
  case pdf = "application/pdf"

  /// The file name for an attachment without one.
  public var defaultName: String {
    switch self {
    case .jpeg: "image.jpg"
    case .png: "image.png"
    case .heic: "image.heic"
    case .pdf: "document.pdf"
    }
  }

  /// The number of bytes that ``begins(_:)`` looks at: 1,024 bytes of white space can precede the header of a PDF.
  public static let beginning = 1_032

  /// Whether bytes begin like a file of the type. This catches mistakes only; whether they are a valid file
  /// only a decoder can say.
  /// - Parameter bytes: the first ``beginning`` bytes, or all.
  public func begins(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .heic: bytes.dropFirst(4).starts(with: "ftyp".utf8)
    case .pdf:
      bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        .drop { [0, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }.starts(with: "%PDF-".utf8)
    }
  }
}

/// A text over a picture, and its style (R6). All values are integers, so that they are stored exactly.
public struct Watermark: Hashable, Sendable {
  /// The text, of up to 8 lines.
  public var text: String
  /// The opacity in percent.
  public var opacity: Int
  /// The rotation of the text relative to the upright picture, in degrees, counter-clockwise.
  public var angle: Int
  /// The em, in tenths of a percent of the picture's shorter side.
  public var size: Int
  /// The room between texts, in percent of the em.
  public var spacing: Int

  /// The allowed values of the style.
  public enum Range {
    /// In percent.
    public static let opacity = 5...100
    /// In degrees.
    public static let angle = -180...180
    /// In tenths of a percent of the picture's shorter side.
    public static let size = 10...500
    /// In percent of the em.
    public static let spacing = 50...2_000
  }

  /// Creates a watermark; the style has defaults.
  public init(
    text: String, opacity: Int = 35, angle: Int = 30, size: Int = 40, spacing: Int = 250
  ) {
    (self.text, self.opacity, self.angle, self.size, self.spacing) = (text, opacity, angle, size, spacing)
  }

  /// Why a watermark cannot be used.
  public enum ValidationError: String, Error, Hashable, Sendable, CaseIterable {
    /// The text is blank, or no font shows anything for it.
    case empty
    /// The text is longer than ``Limits/watermark``, or has more than ``Limits/watermarkLines`` lines.
    case tooLong
    /// The text has a control character other than the line feed.
    case invalidCharacter
    /// A measure is outside of its range.
    case outOfRange
  }

  /// Checks the text and the style.
  /// - Throws: ``ValidationError``.
  public func validate() throws(ValidationError) {
    let scalars = text.unicodeScalars
    guard !text.isBlank else { throw .empty }
    guard scalars.count <= Limits.watermark, scalars.count(where: { $0 == "\n" }) < Limits.watermarkLines
    else {
      throw .tooLong
    }
    guard !scalars.contains(where: { $0 != "\n" && $0.properties.generalCategory == .control }) else {
      throw .invalidCharacter
    }
    guard Range.opacity.contains(opacity), Range.angle.contains(angle), Range.size.contains(size),
      Range.spacing.contains(spacing)
    else { throw .outOfRange }
  }
}
