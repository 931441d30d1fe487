/// What stands for a value in a text for programs: a placeholder in braces, or `qv://CARD/FIELD`.
public enum Reference: Sendable, Hashable {
  /// The text in braces of a ``Placeholder``.
  case name(String)
  /// A field by its key or label, of a card by its id or title.
  case field(String, card: String)

  public enum Part: Sendable, Hashable {
    case text(String)
    case reference(Reference)
    /// A reference without an end, a card or a field.
    case malformed
  }

  private static let scheme = "qv://"

  /// The name of what is referred to, for messages.
  public var name: String {
    switch self {
    case .name(let name): name
    case .field(let field, let card): "\(card).\(field)"
    }
  }

  /// Returns the references in a line, and what is between them.
  public static func parts(of line: Substring) -> [Part] {
    var (parts, rest) = ([Part](), line)
    for placeholder in Placeholder.all(in: line) {
      let start = line.utf8.index(line.startIndex, offsetBy: placeholder.bytes.lowerBound)
      parts += partsOutsideBraces(line[rest.startIndex..<start]) + [.reference(.name(placeholder.name))]
      rest = line[line.utf8.index(line.startIndex, offsetBy: placeholder.bytes.upperBound)...]
    }
    return parts + partsOutsideBraces(rest)
  }

  private static func partsOutsideBraces(_ text: Substring) -> [Part] {
    if text.range(ofFirst: Placeholder.opening) != nil { return [.malformed] }
    var (parts, start, rest) = ([Part](), text.startIndex, text)
    while let found = rest.range(ofFirst: scheme) {
      rest = text[found.upperBound...]
      // The end of a longer scheme is none.
      if let before = text[..<found.lowerBound].last, before.isLetter || before.isNumber { continue }
      var address = rest.prefix(while: isPartOfAddress)
      while address.last == "." { address.removeLast() }
      parts += [
        .text(String(text[start..<found.lowerBound])),
        Self(address: address).map(Part.reference) ?? .malformed,
      ]
      (start, rest) = (address.endIndex, text[address.endIndex...])
    }
    return parts + [.text(String(text[start...]))]
  }

  /// Other characters are percent-encoded (RFC 3986), or end the reference.
  private static func isPartOfAddress(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-._~%/".contains(character)
  }

  private init?(address: Substring) {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false).compactMap(decoded)
    guard parts.count == 2, !parts.contains(where: \.isEmpty), address.count(where: { $0 == "/" }) == 1 else {
      return nil
    }
    self = .field(parts[1], card: parts[0])
  }
}

/// Returns a text without its percent-encoding; nil if that is wrong.
private func decoded(_ text: Substring) -> String? {
  var (bytes, rest) = ([UInt8](), text.utf8[...])
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    let digits = Substring(rest.prefix(2))
    guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
      return nil
    }
    bytes.append(value)
    rest = rest.dropFirst(2)
  }
  return String(validating: bytes, as: UTF8.self)?.trimmed
}
