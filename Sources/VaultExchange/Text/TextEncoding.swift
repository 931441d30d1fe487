/// How a file's text is encoded. The raw value is its name on the wire.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  /// UTF-8 (RFC 3629), with a byte order mark or without.
  case utf8 = "utf-8"
  /// UTF-16 in the byte order of its byte order mark.
  case utf16 = "utf-16"
  /// GB 18030, with GBK and GB 2312 inside it.
  case gb18030 = "gb18030"

  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes of a text as UTF-8 without a byte order mark, and how they were encoded.
  ///
  /// A byte order mark decides; otherwise the text is tried as UTF-8, then as GB 18030.
  /// - Throws: ``ImportError/unreadable(_:line:)`` for a text in none of these encodings, ``ImportError/unknownFormat`` for
  ///   bytes that are no text.
  package static func decode(_ bytes: [UInt8]) throws(ImportError) -> (text: [UInt8], encoding: TextEncoding)
  {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return (try decodeUTF16(bytes), .utf16)
    }
    if bytes.starts(with: utf8Mark) {
      let text = Array(bytes.dropFirst(3))
      guard isUTF8(text) else { throw .unreadable(.encoding, line: nil) }
      return (text, .utf8)
    }
    if isUTF8(bytes) { return (bytes, .utf8) }
    guard let text = CharacterConversion.utf8(of: bytes, from: "GB18030") else {
      // A text has no NUL: this is a KDBX database, a ZIP archive or the like.
      throw bytes.contains(0) ? .unknownFormat : .unreadable(.encoding, line: nil)
    }
    return (text, .gb18030)
  }

  /// Whether bytes are well-formed UTF-8.
  static func isUTF8(_ bytes: [UInt8]) -> Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
  }

  private static func decodeUTF16(_ bytes: [UInt8]) throws(ImportError) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else { throw .unreadable(.encoding, line: nil) }
    let isBigEndian = bytes[0] == 0xFE
    let units = stride(from: 2, to: bytes.count, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw .unreadable(.encoding, line: nil)
    }
    return Array(text.utf8)
  }
}
