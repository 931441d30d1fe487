/// A file parsed for what surrounds its pixels.
package enum Container {
  case jpeg([UInt8], JPEGFile)
  case png([UInt8], PNGFile)
  case heic([UInt8], HEICFile)
  case pdf

  /// - Throws: ``ImagingError/truncated(_:)`` and ``ImagingError/damaged(_:)``.
  package init(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) {
    switch type {
    case .jpeg: self = .jpeg(bytes, try JPEGFile(bytes))
    case .png: self = .png(bytes, try PNGFile(bytes))
    case .heic: self = .heic(bytes, try HEICFile(bytes))
    case .pdf:
      try PDFFile.check(bytes)
      self = .pdf
    }
  }

  /// The Exif orientation of the stored pixels, 1...8.
  package var orientation: Int {
    switch self {
    case .jpeg(_, let file): file.exif?.orientation ?? 1
    case .png(_, let file): file.exif?.orientation ?? 1
    case .heic(_, let file): file.orientation
    case .pdf: 1
    }
  }

  /// Returns the file with its colour and density data, and `exif` as its only other metadata. A HEIC file's orientation
  /// is not metadata and needs no `exif`.
  package func replacingMetadata(by exif: ExifBlock?) throws(ImagingError) -> [UInt8] {
    switch self {
    case .jpeg(_, let file): return file.replacingMetadata(by: exif)
    case .png(_, let file): return file.replacingMetadata(by: exif)
    case .heic(_, let file): return try file.withoutMetadata()
    case .pdf: throw .stripUnsupported
    }
  }
}

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

/// Files that are valid in two formats.
package enum PolyglotFile {
  /// Rejects a file that is also a ZIP archive, and an image that is also a PDF.
  ///
  /// A PDF may begin anywhere within the first 1,024 bytes; a ZIP archive is read from its end. Other data after an
  /// image is accepted: phones append a second picture or a video.
  ///
  /// - Throws: ``ImagingError/damaged(_:)``.
  package static func reject(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) {
    if type != .pdf, bytes.firstRange(of: Array("%PDF-".utf8), in: 0..<1029) != nil {
      throw .damaged("it is also a PDF")
    }
    let end = bytes.count - 22
    guard end >= 0 else { return }
    for position in max(0, end - 65_535)...end
    where bytes[position] == 0x50 && bytes.has("PK\u{5}\u{6}", at: position) {
      if bytes.littleEndian(at: position + 20, count: 2) == end - position {
        throw .damaged("it is also an archive")
      }
    }
  }
}

/// Bounds-checked integer and text access.
extension Array<UInt8> {
  /// Returns the big-endian unsigned integer of `count` (at most 7) bytes, or nil beyond the end.
  func bigEndian(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, count <= 7, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the little-endian unsigned integer of `count` (at most 7) bytes, or nil beyond the end.
  func littleEndian(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, count <= 7, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns whether the bytes at `offset` are those of `word`, which is ASCII.
  func has(_ word: String, at offset: Int) -> Bool {
    offset >= 0 && self.dropFirst(offset).starts(with: word.utf8)
  }

  /// Returns the offset of the first occurrence of `bytes` within a range, which may exceed the array.
  func firstRange(of bytes: [UInt8], in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    guard let first = bytes.first, range.count >= bytes.count else { return nil }
    return (range.lowerBound...(range.upperBound - bytes.count)).first {
      self[$0] == first && self[$0...].starts(with: bytes)
    }
  }

  mutating func append(bigEndian value: Int, count: Int) {
    for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  mutating func replace(bigEndian value: Int, at offset: Int, count: Int) {
    for index in 0..<count {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
    }
  }
}
