/// Pictures that are something else as well, to whoever looks from another side.
enum Polyglot {
  /// Refuses what is an archive or a document besides.
  ///
  /// A PDF may begin within its first 1,024 bytes, and an archive is read from its end. Phones do append to pictures, a
  /// second picture or a film; that is let be.
  ///
  /// - Throws: ``ImagingError/damaged(_:)``.
  static func refuse(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) {
    if type != .pdf, bytes.firstRange(of: Array("%PDF-".utf8), in: 0..<1029) != nil {
      throw .damaged("it is a PDF besides")
    }
    let end = bytes.count - 22
    guard end >= 0 else { return }
    for position in max(0, end - 65_535)...end
    where bytes[position] == 0x50 && bytes.has("PK\u{5}\u{6}", at: position) {
      if bytes.littleEndian(at: position + 20, count: 2) == end - position {
        throw .damaged("it is an archive besides")
      }
    }
  }
}
