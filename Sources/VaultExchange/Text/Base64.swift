/// Base64 (RFC 4648, section 4).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes of a text; nil where it is no base64 or its last bits are not zero. Padding must be there.
  static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in characters.dropLast(padding) {
      guard let value = value(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
  }

  /// Appends bytes as base64 with padding.
  static func encode(_ bytes: RawSpan, into text: inout [UInt8]) {
    var position = 0
    while position < bytes.byteCount {
      let count = min(3, bytes.byteCount - position)
      var bits: UInt32 = 0
      for offset in 0..<3 {
        let byte: UInt8 =
          offset < count ? unsafe bytes.unsafeLoad(fromByteOffset: position + offset, as: UInt8.self) : 0
        bits = bits << 8 | UInt32(byte)
      }
      for place in 0..<4 {
        text.append(place <= count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
      position += 3
    }
  }

  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
