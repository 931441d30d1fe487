/// The end of a PDF file (ISO 32000-1, 7.5.5).
///
/// PDF readers repair truncated documents silently, so truncation is detected here.
enum PDFFile {
  /// The offset of the header, which a byte order mark and white space may precede; nil if there is none.
  static func start(of bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let skipped = bytes.starts(with: mark) ? mark.count : 0
    let start = bytes[skipped...].prefix(1024).prefix { [0, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
      .endIndex
    return bytes.has("%PDF-", at: start) ? start : nil
  }

  /// Checks that the trailer is there and points to a cross-reference table.
  ///
  /// - Throws: ``ImagingError/truncated(_:)`` and ``ImagingError/damaged(_:)``.
  static func check(_ bytes: [UInt8]) throws(ImagingError) {
    guard let end = lastKeyword("%%EOF", in: bytes, within: 1024) else {
      throw .truncated("no end-of-file marker")
    }
    guard let start = lastKeyword("startxref", in: bytes, before: end, within: 1024) else {
      throw .damaged("no cross-reference offset")
    }
    guard let place = number(in: bytes, at: start + 9) else {
      throw .damaged("no cross-reference offset")
    }
    // Offsets count from the header or from the start of the file.
    guard isTable(bytes, at: place) || isTable(bytes, at: place + (self.start(of: bytes) ?? 0)) else {
      throw .damaged("no cross-reference table at its offset")
    }
    if let length = linearizedLength(bytes), length > bytes.count {
      throw .truncated("the document is shorter than its linearized length")
    }
  }

  private static func lastKeyword(
    _ keyword: String, in bytes: [UInt8], before end: Int? = nil, within count: Int
  )
    -> Int?
  {
    let end = end ?? bytes.count
    return (max(0, end - count)..<end).last { bytes.has(keyword, at: $0) }
  }

  /// Parses a decimal number, skipping leading white space.
  private static func number(in bytes: [UInt8], at offset: Int) -> Int? {
    let rest = bytes.dropFirst(offset).drop { $0 <= 0x20 }.prefix { (0x30...0x39).contains($0) }
    return Int(String(decoding: rest.prefix(15), as: UTF8.self))
  }

  /// Returns whether a cross-reference table or an object, which may be a cross-reference stream, starts at `place`.
  private static func isTable(_ bytes: [UInt8], at place: Int) -> Bool {
    guard place > 0, place < bytes.count else { return false }
    let rest = String(decoding: bytes[place...].drop { $0 <= 0x20 }.prefix(40), as: UTF8.self)
    if rest.hasPrefix("xref") { return true }
    let words = rest.split { $0 == " " || $0.isNewline || $0 == "\t" }
    return words.count >= 3 && Int(words[0]) != nil && Int(words[1]) != nil && words[2].hasPrefix("obj")
  }

  /// Returns the file length that a linearized document declares (annex F).
  private static func linearizedLength(_ bytes: [UInt8]) -> Int? {
    guard let start = bytes.firstRange(of: Array("/Linearized".utf8), in: 0..<1024) else { return nil }
    guard let word = bytes.firstRange(of: Array("/L ".utf8), in: start..<(start + 256)) else { return nil }
    return number(in: bytes, at: word + 3)
  }
}
