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
