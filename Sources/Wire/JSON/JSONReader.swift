/// Reads one JSON text (RFC 8259), strictly: UTF-8 only, no byte order mark, nothing after the value.
///
/// Foundation's reader loses the text of a number, has no limit on nesting, and takes longer than the rest of a small
/// request.
package struct JSONReader {
  /// The maximum nesting depth of arrays and objects, counting the outermost.
  package static let nestingLimit = 128

  package enum ReadingError: Error, Hashable, Sendable {
    /// The text is not JSON at this byte, counted from 0.
    case malformed(offset: Int)
    /// Arrays and objects are nested deeper than ``nestingLimit``.
    case nestingTooDeep
  }

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a text that is one value.
  ///
  /// - Parameter bytes: the text in UTF-8.
  package static func read(_ bytes: [UInt8]) throws(ReadingError) -> JSON {
    var reader = JSONReader(bytes)
    let value = try reader.value(depth: 0)
    reader.skipWhiteSpace()
    guard reader.position == bytes.count else { throw reader.malformed }
    return value
  }

  private var malformed: ReadingError { .malformed(offset: position) }

  private var current: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skipWhiteSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(ReadingError) -> JSON {
    skipWhiteSpace()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(ReadingError) -> JSON {
    for byte in word.description.utf8 {
      guard take(byte) else { throw malformed }
    }
    return value
  }

  private mutating func object(depth: Int) throws(ReadingError) -> JSON {
    guard depth <= Self.nestingLimit else { throw .nestingTooDeep }
    position += 1
    var members: [JSON.Member] = []
    skipWhiteSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipWhiteSpace()
      guard current == UInt8(ascii: "\"") else { throw malformed }
      let name = try string()
      skipWhiteSpace()
      guard take(UInt8(ascii: ":")) else { throw malformed }
      members.append(JSON.Member(name, try value(depth: depth)))
      skipWhiteSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw malformed }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(ReadingError) -> JSON {
    guard depth <= Self.nestingLimit else { throw .nestingTooDeep }
    position += 1
    var elements: [JSON] = []
    skipWhiteSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth))
      skipWhiteSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw malformed }
    return .array(elements)
  }

  private mutating func number() throws(ReadingError) -> JSON.Number {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return JSON.Number(validated: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(ReadingError) {
    let start = position
    while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw malformed }
  }

  /// Reads a string from its opening quote on. Runs without an escape are copied whole.
  private mutating func string() throws(ReadingError) -> String {
    position += 1
    var text = ""
    var runStart = position
    while true {
      skipPlain()
      guard let byte = current else { break }
      switch byte {
      case UInt8(ascii: "\""):
        let run = try utf8(runStart..<position)
        position += 1
        return text.isEmpty ? run : text + run
      case UInt8(ascii: "\\"):
        text += try utf8(runStart..<position)
        position += 1
        text.unicodeScalars.append(try escape())
        runStart = position
      case 0..<0x20:
        throw malformed
      default:
        position += 1
      }
    }
    throw malformed
  }

  /// Skips bytes of a string that need no escape, eight at a time.
  private mutating func skipPlain() {
    position = unsafe bytes.withUnsafeBytes { all in
      var position = position
      while all.count - position >= 8,
        (unsafe all.loadUnaligned(fromByteOffset: position, as: UInt64.self)).needsNoEscape
      {
        position += 8
      }
      return position
    }
  }

  private func utf8(_ range: Range<Int>) throws(ReadingError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.span.extracting(range)))
    } catch {
      throw .malformed(offset: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  private mutating func escape() throws(ReadingError) -> Unicode.Scalar {
    guard let byte = current else { throw malformed }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      position -= 1
      throw malformed
    }
  }

  /// Reads the digits of `\u`, and the second half of a surrogate pair; a lone half is an error.
  private mutating func unicodeEscape() throws(ReadingError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw malformed }
    let second = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw malformed }
    return scalar
  }

  private mutating func hexadecimal() throws(ReadingError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw malformed
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
