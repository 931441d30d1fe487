import VaultInterface

/// A property of a vCard: `group.NAME;PARAMETER=value:value`.
struct VCardProperty: Hashable {
  /// The group prefix, in lower case; empty if there is none.
  var group: String
  /// Its name in capitals.
  var name: String
  /// Its parameters, names in capitals; `TYPE` collects the unnamed ones of vCard 2.1.
  var parameters: [String: [String]]
  /// Its value as text, with the escapes of the format still in it.
  var value: String
  /// Whether the whole value is in its character set; what is not was decoded as well as possible.
  var isWhole = true

  /// Reads a content line; nil if the line is not a property.
  /// - Parameter encoding: that of a value that names no character set the system knows.
  init?(_ line: [UInt8], _ encoding: TextEncoding) {
    guard let colon = Self.firstUnquoted(UInt8(ascii: ":"), in: line) else { return nil }
    let head = encoding.decoded(Array(line[..<colon])).text
    var parts = Self.splitUnquoted(head, at: ";")[...]
    guard let fullName = parts.popFirst() else { return nil }
    let names = fullName.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = names.last, !last.isEmpty, last.utf8.allSatisfy(Self.isNameByte) else { return nil }
    group = names.count == 2 ? names[0].lowercased() : ""
    name = last.uppercased()
    (parameters, value) = ([:], "")
    for part in parts { Self.add(part, to: &parameters) }

    let bytes = bytes(after: colon, of: line)
    if let charset = parameters["CHARSET"]?.first,
      let decoded = CharacterConversion.utf8(of: bytes, charset: charset)
    {
      value = String(decoding: decoded, as: UTF8.self)
    } else {
      (value, isWhole) = encoding.decoded(bytes)
    }
  }

  /// The bytes of the value, without those that the transport added.
  private func bytes(after colon: Int, of line: [UInt8]) -> [UInt8] {
    let bytes = Array(line[(colon + 1)...])
    return Self.has("QUOTED-PRINTABLE", parameters) ? QuotedPrintable.decode(bytes) : bytes
  }

  /// The bytes of a value that names no character set, as far as they are not ASCII.
  static func undeclaredBytes(of line: [UInt8]) -> [UInt8]? {
    guard let colon = firstUnquoted(UInt8(ascii: ":"), in: line) else { return line }
    let head = String(decoding: line[..<colon], as: UTF8.self).uppercased()
    if head.contains("CHARSET=") { return nil }
    let isQuotedPrintable = head.contains("QUOTED-PRINTABLE")
    let bytes =
      isQuotedPrintable ? line[..<colon] + QuotedPrintable.decode(Array(line[(colon + 1)...])) : line
    return TextEncoding.isASCII(bytes) ? nil : bytes
  }

  /// Whether the value is binary: a photo, a sound or a key.
  var isBinary: Bool {
    Self.has("BASE64", parameters) || Self.has("B", parameters) || value.hasPrefix("data:")
  }

  /// The values of the parameter TYPE, in capitals.
  var types: [String] {
    (parameters["TYPE"] ?? []).map { $0.uppercased() }
  }

  private static func has(_ encoding: String, _ parameters: [String: [String]]) -> Bool {
    (parameters["ENCODING"] ?? []).contains { $0.uppercased() == encoding }
  }

  private static func add(_ part: String, to parameters: inout [String: [String]]) {
    let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else {
      let word = part.uppercased()
      let isEncoding = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"].contains(word)
      parameters[isEncoding ? "ENCODING" : "TYPE", default: []].append(part)
      return
    }
    let values = splitUnquoted(String(sides[1]), at: ",").map { value in
      value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1
        ? String(value.dropFirst().dropLast()) : value
    }
    parameters[sides[0].uppercased(), default: []] += values
  }

  private static func firstUnquoted(_ byte: UInt8, in line: [UInt8]) -> Int? {
    var isQuoted = false
    for (index, current) in line.enumerated() {
      if current == UInt8(ascii: "\"") { isQuoted.toggle() }
      if current == byte && !isQuoted { return index }
    }
    // A quotation mark that is never closed is ordinary text.
    return line.firstIndex(of: byte)
  }

  private static func splitUnquoted(_ text: String, at separator: Unicode.Scalar) -> [String] {
    var parts = [String.UnicodeScalarView()]
    var isQuoted = false
    for scalar in text.unicodeScalars {
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == separator && !isQuoted {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    return parts.map { String($0) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The values of vCards: parts between unescaped separators, and the escapes inside them (RFC 6350, section 3.4).
enum VCardValue {
  /// The parts of a value between separators that have no backslash before them, each without its escapes.
  /// - Parameters:
  ///   - separator: nil for a value of one part.
  ///   - escapesLineBreaks: whether `\n` is a line break, as it is since vCard 3.
  static func parts(_ value: String, at separator: Unicode.Scalar?, escapesLineBreaks: Bool) -> [String] {
    var parts = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if isEscaped {
        parts[parts.count - 1].append(contentsOf: unescaped(scalar, escapesLineBreaks))
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == separator {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    if isEscaped { parts[parts.count - 1].append("\\") }
    return parts.map { String($0) }
  }

  /// A value that is a single text.
  static func text(_ value: String, escapesLineBreaks: Bool) -> String {
    parts(value, at: nil, escapesLineBreaks: escapesLineBreaks).joined()
  }

  private static func unescaped(_ scalar: Unicode.Scalar, _ escapesLineBreaks: Bool) -> [Unicode.Scalar] {
    switch scalar {
    case "n", "N": escapesLineBreaks ? ["\n"] : ["\\", scalar]
    case "\\", ",", ";", ":": [scalar]
    default: ["\\", scalar]
    }
  }

  /// The text with special characters escaped by a backslash.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ",", ";": result.append(contentsOf: ["\\", scalar])
      case "\n" where previous == "\r": break
      case "\n", "\r": result.append(contentsOf: ["\\", "n"])
      default: result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}

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
