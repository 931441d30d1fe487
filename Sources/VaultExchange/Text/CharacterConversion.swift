import Glibc

/// Conversion of text to UTF-8 by the system's iconv(3).
enum CharacterConversion {
  /// The character sets of vCards, in capitals, with their names in iconv.
  private static let names = [
    "UTF-8": "UTF-8", "UTF8": "UTF-8", "US-ASCII": "US-ASCII", "ASCII": "US-ASCII", "GB2312": "GB18030",
    "GBK": "GB18030", "GB18030": "GB18030", "CP936": "GB18030", "BIG5": "BIG5", "ISO-8859-1": "ISO-8859-1",
    "WINDOWS-1252": "WINDOWS-1252",
  ]

  /// Bytes in a character set as UTF-8; nil if they are invalid in it, or if the system does not know it.
  static func utf8(of bytes: [UInt8], charset: String) -> [UInt8]? {
    guard let name = names[charset.uppercased()] else { return nil }
    if name == "UTF-8" { return TextEncoding.isUTF8(bytes) ? bytes : nil }
    return utf8(of: bytes, from: name)
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
