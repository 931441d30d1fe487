import Glibc
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

/// Conversion of text to UTF-8 by the system's iconv(3).
enum CharacterConversion {
  /// What files call character sets, where iconv knows them by another name or a larger set holds them.
  private static let names = [
    "UTF8": "UTF-8", "GB2312": "GB18030", "GBK": "GB18030", "CP936": "GB18030", "MS936": "GB18030",
    "WINDOWS-936": "GB18030", "EUC-CN": "GB18030", "BIG5": "BIG5-HKSCS", "CP950": "BIG5-HKSCS",
    "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SJIS": "CP932", "WINDOWS-31J": "CP932", "EUC-KR": "CP949",
    "KS_C_5601-1987": "CP949", "ISO-8859-1": "WINDOWS-1252", "LATIN1": "WINDOWS-1252",
  ]

  /// Bytes in a character set as UTF-8; nil if they are invalid in it, or if the system does not know it.
  /// - Parameter charset: its name in any case, with or without a leading `x-`.
  static func utf8(of bytes: [UInt8], charset: String) -> [UInt8]? {
    var name = charset.trimmed.uppercased()
    if name.hasPrefix("X-") { name.removeFirst(2) }
    // No options of iconv, such as //IGNORE, and no paths.
    guard name.utf8.count <= 40,
      name.utf8.allSatisfy({
        $0 < 0x80 && ($0 == 0x2D || $0 == 0x5F || $0 == 0x3A || $0 == 0x2E || isAlphanumeric($0))
      })
    else { return nil }
    name = names[name] ?? name
    if name == "UTF-8" { return TextEncoding.isUTF8(bytes) ? bytes : nil }
    return utf8(of: bytes, from: name)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isAlphabetic || Character(Unicode.Scalar(byte)).isNumber
  }

  /// Bytes in a character set as UTF-8; nil if they are invalid in it, or if the system does not know it.
  /// - Parameter name: the character set's name in iconv.
  static func utf8(of bytes: [UInt8], from name: String) -> [UInt8]? {
    let conversion = unsafe iconv_open("UTF-8", name)
    // POSIX: (iconv_t)-1 says that there is no such conversion.
    guard unsafe conversion != iconv_t(bitPattern: -1) else { return nil }
    defer { unsafe iconv_close(conversion) }
    var source = bytes
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 2 + 16)
    let isConverted = unsafe source.withUnsafeMutableBytes { source -> Bool in
      unsafe convert(source, with: conversion, into: &result)
    }
    return isConverted && TextEncoding.isUTF8(result) ? result : nil
  }

  private static func convert(
    _ source: UnsafeMutableRawBufferPointer, with conversion: iconv_t?, into result: inout [UInt8]
  ) -> Bool {
    guard let start = source.baseAddress else { return true }
    var next: UnsafeMutablePointer<CChar>? = unsafe start.assumingMemoryBound(to: CChar.self)
    var left = source.count
    var chunk = [CChar](repeating: 0, count: 16_384)
    while left > 0 {
      let (written, status, reason) = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
        var target = chunk.baseAddress
        var room = chunk.count
        let status = unsafe iconv(conversion, &next, &left, &target, &room)
        return (chunk.count - room, status, errno)
      }
      result.append(contentsOf: chunk[..<written].lazy.map { UInt8(bitPattern: $0) })
      guard status != -1 || reason == E2BIG else { return false }
    }
    return true
  }
}

/// Quoted-printable (RFC 2045, section 6.7), as vCard 2.1 uses it.
enum QuotedPrintable {
  /// Decodes a text without soft line breaks. Invalid escapes stay as they are.
  static func decode(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      if text[position] == UInt8(ascii: "="), position + 2 < text.count,
        let high = value(text[position + 1]), let low = value(text[position + 2])
      {
        bytes.append(high << 4 | low)
        position += 3
      } else {
        bytes.append(text[position])
        position += 1
      }
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
  }
}
