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
