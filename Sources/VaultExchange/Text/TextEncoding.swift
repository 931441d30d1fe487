package import VaultInterface

extension TextEncoding {
  /// A file's text in UTF-8 without a byte order mark, and how it came about.
  package struct Decoded {
    package var text: [UInt8]
    var encoding: TextEncoding
    /// What a person should know about it.
    var warnings: [Issue] = []
  }

  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Decodes a file.
  ///
  /// A byte order mark decides; otherwise UTF-8 if most lines are UTF-8, or the encoding in which the whole makes most sense.
  /// Single lines that are in another encoding are decoded as well as possible, with a warning.
  /// - Parameter given: the encoding that a person chose.
  /// - Throws: ``ImportError/unreadable(_:line:)`` for a text in none of these encodings, ``ImportError/unknownFormat`` for
  ///   bytes that are no text.
  package static func decode(_ bytes: [UInt8], given: TextEncoding? = nil) throws(ImportError) -> Decoded {
    if isUTF16(bytes) { return Decoded(text: try decodeUTF16(bytes), encoding: .utf16) }
    let bytes = bytes.starts(with: utf8Mark) ? Array(bytes.dropFirst(3)) : bytes
    if isUTF8(bytes), given == nil || given == .utf8 { return Decoded(text: bytes, encoding: .utf8) }
    // A text has no NUL: this is a KDBX database, a ZIP archive or the like.
    guard !bytes.contains(0) else { throw .unknownFormat(ForeignFile.recognized(bytes)) }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    guard let guess = EncodingGuess(lines.filter { !isASCII($0) }, given: given) else {
      throw .unreadable(.encoding, line: nil)
    }
    var repaired: [Int] = []
    for index in lines.indices where !isASCII(lines[index]) {
      let (text, isWhole) = guess.encoding.decoded(lines[index])
      lines[index] = Array(text.utf8)
      if !isWhole { repaired.append(index + 1) }
    }
    let warnings = guess.warnings + (repaired.isEmpty ? [] : [ImportMessages.repairedLines(repaired)])
    return Decoded(
      text: Array(lines.joined(separator: [0x0A])), encoding: guess.encoding, warnings: warnings)
  }

  /// A text in this encoding, and whether it is all in it. Where it is not, it may be Windows-1252, as mixed files have it;
  /// else what is wrong becomes replacement characters.
  func decoded(_ bytes: [UInt8]) -> (text: String, isWhole: Bool) {
    if let text = CharacterConversion.utf8(of: bytes, charset: rawValue) {
      return (String(decoding: text, as: UTF8.self), true)
    }
    if self == .utf8, Self.isCutOff(bytes) { return (String(decoding: bytes, as: UTF8.self), false) }
    let latin = CharacterConversion.utf8(of: bytes, charset: Self.windows1252.rawValue)
    if let latin, EncodingGuess.isPlausible(latin, as: .windows1252) {
      return (String(decoding: latin, as: UTF8.self), false)
    }
    return (String(decoding: bytes, as: UTF8.self), false)
  }

  /// Whether a line ends inside a character of UTF-8.
  private static func isCutOff(_ bytes: [UInt8]) -> Bool {
    (1...3).contains { count in
      let tail = bytes.suffix(count)
      guard bytes.count > count, let lead = tail.first, lead >= 0xC2, isUTF8(Array(bytes.dropLast(count)))
      else { return false }
      // One byte after a text in ASCII is rather a letter of Windows-1252.
      return tail.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        && (count > 1 || !isASCII(Array(bytes.dropLast())))
    }
  }

  /// Whether bytes are UTF-16: by their byte order mark, or because they begin with ASCII in it.
  static func isUTF16(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
    // Two ASCII characters.
    let isZero = bytes.prefix(4).map { $0 == 0 }
    return isZero == [true, false, true, false] || isZero == [false, true, false, true]
  }

  static func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 < 0x80 }
  }

  /// Whether bytes are well-formed UTF-8.
  static func isUTF8(_ bytes: [UInt8]) -> Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
  }

  private static func decodeUTF16(_ bytes: [UInt8]) throws(ImportError) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else { throw .unreadable(.encoding, line: nil) }
    let isBigEndian = bytes[0] == 0xFE || bytes[0] == 0
    let hasMark = bytes[0] >= 0xFE
    let units = stride(from: hasMark ? 2 : 0, to: bytes.count, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw .unreadable(.encoding, line: nil)
    }
    return Array(text.utf8)
  }
}
