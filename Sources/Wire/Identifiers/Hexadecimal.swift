extension Sequence<UInt8> {
  /// The bytes in hexadecimal, two digits each, in lower case.
  public var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension [UInt8] {
  /// Bytes from pairs of hexadecimal digits in either case, or nil for any other text.
  public init?(hexadecimal text: String) {
    let digits = text.utf8.map { UInt8(hexadecimalDigit: $0) }
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      append(high << 4 | low)
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in either case, or nil for any other character.
  init?(hexadecimalDigit character: UInt8) {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self = character - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}
