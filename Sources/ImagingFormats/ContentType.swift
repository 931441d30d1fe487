/// A file type, recognized by its first bytes; file names are ignored.
package enum ContentType {
  case jpeg, png, heic, pdf

  /// The IANA media type.
  package var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .heic: "image/heic"
    case .pdf: "application/pdf"
    }
  }

  /// Recognizes the type by the first bytes; 4,096 are enough.
  ///
  /// - Throws: ``ImagingError/unsupportedType(detected:)`` for a known type that the vault does not accept,
  ///   ``ImagingError/notAnImage`` for anything else.
  package static func recognize(_ bytes: ArraySlice<UInt8>) throws(ImagingError) -> ContentType {
    let bytes = Array(bytes)
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: PNGFile.signature) { return .png }
    if PDFFile.start(of: bytes) != nil { return .pdf }
    if bytes.has("ftyp", at: 4) {
      if brands(bytes).contains(where: hevcBrands.contains) { return .heic }
      throw .unsupportedType(detected: brands(bytes).contains("avif") ? "AVIF" : "an ISO base media file")
    }
    if let known = known.first(where: { bytes.has($0.1, at: $0.2) }) {
      throw .unsupportedType(detected: known.0)
    }
    if isMarkup(bytes) { throw .unsupportedType(detected: "SVG") }
    throw .notAnImage
  }

  /// Brands of HEVC images (ISO/IEC 23008-12, annex B).
  private static let hevcBrands: Set<String> = ["heic", "heix", "heim", "heis"]

  /// Returns the major and compatible brands of the `ftyp` box.
  private static func brands(_ bytes: [UInt8]) -> [String] {
    let end = min(bytes.bigEndian(at: 0, count: 4) ?? 0, bytes.count)
    return stride(from: 8, to: end - 3, by: 4).filter { $0 != 12 }.map {
      String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self)
    }
  }

  private static let known: [(String, String, Int)] = [
    ("GIF", "GIF8", 0), ("TIFF", "II*\0", 0), ("TIFF", "MM\0*", 0), ("BMP", "BM", 0), ("WebP", "WEBP", 8),
    ("JPEG 2000", "jP  ", 4), ("Photoshop", "8BPS", 0), ("an icon", "\0\0\u{1}\0", 0), ("JPEG XL", "JXL ", 4),
    ("PostScript", "%!PS", 0), ("an archive", "PK\u{3}\u{4}", 0),
  ]

  private static func isMarkup(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased().contains("<svg")
  }
}
