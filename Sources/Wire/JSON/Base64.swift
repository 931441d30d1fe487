/// Base64 (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let skipped: UInt8 = 0xFE
  private static let invalid: UInt8 = 0xFF
  /// The value of each byte.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    for byte in " \t\r\n".utf8 { values[Int(byte)] = skipped }
    return values
  }()

  /// Returns the maximum number of bytes that a text of `count` bytes decodes to.
  package static func decodedCount(_ count: Int) -> Int { count / 4 * 3 + 3 }

  /// Returns the number of digits, with padding, for `count` bytes.
  package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Decodes a text into memory that has room for ``decodedCount(_:)`` bytes. White space is skipped.
  ///
  /// - Returns: the number of bytes written; nil if the text is not Base64 or its padding is wrong.
  package static func decode(_ text: String, into output: inout MutableRawSpan) -> Int? {
    var text = text
    return text.withUTF8 { digits in
      var (word, digitCount, padding, count): (UInt32, Int, Int, Int) = (0, 0, 0, 0)
      let room = output.byteCount
      return unsafe output.withUnsafeMutableBytes { output -> Int? in
        for index in digits.indices {
          let byte = unsafe digits[index]
          let value = values[Int(byte)]
          if value == skipped { continue }
          if byte == UInt8(ascii: "=") {
            padding += 1
            continue
          }
          guard value < 64, padding == 0 else { return nil }
          word = word << 6 | UInt32(value)
          digitCount += 1
          guard digitCount & 3 == 0 else { continue }
          guard count + 3 <= room else { return nil }
          unsafe output[count] = UInt8(truncatingIfNeeded: word >> 16)
          unsafe output[count + 1] = UInt8(truncatingIfNeeded: word >> 8)
          unsafe output[count + 2] = UInt8(truncatingIfNeeded: word)
          count += 3
        }
        let rest = digitCount & 3
        guard rest != 1, padding == (4 - rest) & 3, count + 2 <= room || rest == 0 else { return nil }
        if rest >= 2 {
          unsafe output[count] = UInt8(truncatingIfNeeded: rest == 2 ? word >> 4 : word >> 10)
          count += 1
        }
        if rest == 3 {
          unsafe output[count] = UInt8(truncatingIfNeeded: word >> 2)
          count += 1
        }
        return count
      }
    }
  }

  /// Decodes a text; nil if it is not Base64.
  package static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: decodedCount(text.utf8.count))
    var elements = bytes.mutableSpan
    var span = unsafe elements.mutableBytes
    guard let count = decode(text, into: &span) else { return nil }
    return Array(bytes.prefix(count))
  }

  /// Encodes an array with padding and without line breaks.
  package static func text(_ bytes: [UInt8]) -> String { unsafe encode(bytes.span.bytes) }

  /// Encodes bytes with padding and without line breaks.
  package static func encode(_ bytes: RawSpan) -> String {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe String(unsafeUninitializedCapacity: encodedCount(bytes.count)) { text in
        unsafe alphabet.withUnsafeBufferPointer { digits in
          var written = 0
          for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = min(bytes.count - start, 3)
            var word = UInt32(unsafe bytes[start]) << 16
            if left > 1 { word |= UInt32(unsafe bytes[start + 1]) << 8 }
            if left > 2 { word |= UInt32(unsafe bytes[start + 2]) }
            for place in 0..<4 {
              let digit = unsafe digits[Int(word >> UInt32(18 - 6 * place) & 63)]
              unsafe text[written + place] = place <= left ? digit : UInt8(ascii: "=")
            }
            written += 4
          }
          return written
        }
      }
    }
  }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether none of the eight bytes is a control character, a quotation mark or a backslash.
  ///
  /// Subtracting borrows from the high bit of each byte that is smaller. A borrow can mark the next byte by mistake, but
  /// only if the byte before it is marked rightly.
  var needsNoEscape: Bool {
    let quotes = self ^ (Self.ones &* 0x22)
    let backslashes = self ^ (Self.ones &* 0x5C)
    let controls = (self &- Self.ones &* 0x20) & ~self
    let signs = (quotes &- Self.ones) & ~quotes | (backslashes &- Self.ones) & ~backslashes
    return (controls | signs) & Self.highBits == 0
  }
}

extension [UInt8] {
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends the digits of a number, which must not be negative.
  package mutating func append(decimal number: Int) {
    var weight = 1
    while number / weight >= 10 { weight *= 10 }
    while weight > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / weight % 10))
      weight /= 10
    }
  }
}
