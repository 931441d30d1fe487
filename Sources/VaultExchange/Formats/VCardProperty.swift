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

  /// Reads a content line.
  ///
  /// Nil if the line is not a property, or its value has an unknown character set.
  /// - Parameter fallback: decodes a value that names no character set.
  init?(_ line: [UInt8], fallback: ([UInt8]) -> String?) {
    guard let colon = Self.firstUnquoted(UInt8(ascii: ":"), in: line),
      let head = fallback(Array(line[..<colon]))
    else { return nil }
    var parts = Self.splitUnquoted(head, at: ";")[...]
    guard let fullName = parts.popFirst() else { return nil }
    let names = fullName.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = names.last, !last.isEmpty, last.utf8.allSatisfy(Self.isNameByte) else { return nil }
    group = names.count == 2 ? names[0].lowercased() : ""
    name = last.uppercased()
    parameters = [:]
    for part in parts { Self.add(part, to: &parameters) }

    var bytes = Array(line[(colon + 1)...])
    if Self.has("QUOTED-PRINTABLE", parameters) { bytes = QuotedPrintable.decode(bytes) }
    if let charset = parameters["CHARSET"]?.first {
      guard let decoded = CharacterConversion.utf8(of: bytes, charset: charset) else { return nil }
      value = String(decoding: decoded, as: UTF8.self)
    } else {
      guard let text = fallback(bytes) else { return nil }
      value = text
    }
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
