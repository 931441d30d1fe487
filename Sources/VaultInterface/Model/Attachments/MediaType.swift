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
