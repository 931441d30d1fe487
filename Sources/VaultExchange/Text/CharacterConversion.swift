import Glibc
import VaultInterface

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
