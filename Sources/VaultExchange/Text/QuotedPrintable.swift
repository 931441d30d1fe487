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
