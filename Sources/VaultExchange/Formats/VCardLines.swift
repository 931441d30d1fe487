/// Splits vCards into their content lines, unfolded (RFC 6350, section 3.2; RFC 2426; vCard 2.1).
///
/// Lines are unfolded as bytes, because a fold can split a character.
struct VCardLines {
  /// One content line.
  struct Line: Hashable {
    /// The line of the file in which it begins, from 1.
    var number: Int
    /// The line without folds, in the character set that it came in.
    var bytes: [UInt8]
  }

  private let bytes: [UInt8]
  private var position = 0
  private var number = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next content line that is not blank; nil at the end.
  mutating func next() -> Line? {
    while position < bytes.count {
      var line = Line(number: number, bytes: Array(physicalLine()))
      let isQuotedPrintable = Self.isQuotedPrintable(line.bytes)
      let isBase64 = Self.isBase64(line.bytes)
      let escapesBlanks = isQuotedPrintable && escapesBlanks(after: line.bytes)
      while position < bytes.count {
        if isQuotedPrintable, line.bytes.last == UInt8(ascii: "=") {
          line.bytes.removeLast()
          if escapesBlanks, bytes[position] == 0x20 { position += 1 }
          line.bytes += physicalLine()
        } else if bytes[position] == 0x20 || bytes[position] == 0x09 {
          position += 1
          line.bytes += physicalLine()
        } else if isBase64, isUnfoldedBase64(bytes[position...]) {
          line.bytes += physicalLine()
        } else {
          break
        }
      }
      if line.bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) { return line }
    }
    return nil
  }

  /// Whether every blank of a quoted-printable value is escaped, so that one after a soft line break is a fold.
  /// Evolution writes both. Else it is the text's own.
  private func escapesBlanks(after line: [UInt8]) -> Bool {
    var rest = self
    var part = line.drop { $0 != UInt8(ascii: ":") }
    while true {
      if part.contains(0x20) { return false }
      guard part.last == UInt8(ascii: "="), rest.position < bytes.count else { return true }
      guard bytes[rest.position] == 0x20 else { return false }
      part = rest.physicalLine().dropFirst()
    }
  }

  /// A line without its end: LF, CR, or any number of CR before an LF. A form feed is none.
  private mutating func physicalLine() -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    let line = bytes[start..<position].drop { $0 == 0x0C }
    if position < bytes.count {
      let returns = bytes[position...].prefix { $0 == 0x0D }.count
      let hasFeed = position + returns < bytes.count && bytes[position + returns] == 0x0A
      position += hasFeed ? returns + 1 : 1
      number += 1
    }
    return line
  }

  /// Whether the value is declared to be in Base64.
  private static func isBase64(_ line: [UInt8]) -> Bool {
    let head = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
    return head.contains("BASE64") || head.contains("ENCODING=B;") || head.hasSuffix("ENCODING=B")
  }

  /// Whether a line goes on a value in Base64 without the blank of a fold: it has no colon.
  private func isUnfoldedBase64(_ rest: ArraySlice<UInt8>) -> Bool {
    let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
    return !line.isEmpty
      && line.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return byte < 0x80
          && (scalar.properties.isAlphabetic || "0123456789+/=".unicodeScalars.contains(scalar))
      }
  }

  /// Whether the value is declared to be quoted-printable, which continues lines in its own way.
  private static func isQuotedPrintable(_ line: [UInt8]) -> Bool {
    let head = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
    return head.contains(";QUOTED-PRINTABLE") || head.contains("=QUOTED-PRINTABLE")
  }
}
