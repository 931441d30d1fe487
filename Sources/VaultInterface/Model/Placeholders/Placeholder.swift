import Wire

/// A place in a document that a card fills: `{{qv:公司发票.taxId}}`, or `{{qv:公司发票}}` for the whole card.
public struct Placeholder: Sendable, Hashable {
  public static let opening = "{{qv:"
  static let closing = "}}"

  /// The text in braces: the title of a card, and optionally a full stop and the key or label of a field.
  public let name: String
  /// The place in the line, in bytes of UTF-8.
  public let bytes: Range<Int>

  /// Returns the placeholders in a line.
  public static func all(in line: Substring) -> [Placeholder] {
    var (found, rest): ([Placeholder], Substring) = ([], line)
    while let opening = rest.range(ofFirst: Self.opening),
      let closing = rest[opening.upperBound...].range(ofFirst: Self.closing)
    {
      let name = String(rest[opening.upperBound..<closing.lowerBound]).trimmed
      let offset = line.utf8.distance(from: line.startIndex, to: opening.lowerBound)
      let count = line.utf8.distance(from: opening.lowerBound, to: closing.upperBound)
      if !name.isEmpty { found.append(Placeholder(name: name, bytes: offset..<offset + count)) }
      rest = rest[closing.upperBound...]
    }
    return found
  }

  /// Returns the placeholders in a line that are nearest to a place in it, in their order.
  ///
  /// - Parameter count: the most that are returned. Only the 16 KiB on each side of the place are looked at.
  public static func near(_ place: Substring.Index, in line: Substring, count: Int) -> [Placeholder] {
    let start = line.boundary(place, offsetBy: -reach)
    let offset = line.utf8.distance(from: line.startIndex, to: start)
    let found = all(in: line[start..<line.boundary(place, offsetBy: reach)])
    let position = line.utf8.distance(from: start, to: place)
    let next = found.firstIndex { $0.bytes.upperBound >= position } ?? found.count
    let first = max(0, min(next - count / 2, found.count - count))
    return found[first...].prefix(count).map { placeholder in
      let bytes = placeholder.bytes
      return Placeholder(
        name: placeholder.name, bytes: bytes.lowerBound + offset..<bytes.upperBound + offset)
    }
  }

  private static let reach = 16 << 10

  /// The title and the field that a name consists of; nil without a full stop. A title may contain some: the last one counts.
  public static func parts(of name: String) -> (title: String, field: String)? {
    guard let stop = name.lastIndex(of: ".") else { return nil }
    let (title, field) = (String(name[..<stop]).trimmed, String(name[name.index(after: stop)...]).trimmed)
    return title.isEmpty || field.isEmpty ? nil : (title, field)
  }
}

extension Substring {
  /// Returns the beginning of the character that is about `bytes` away, or an end.
  fileprivate func boundary(_ index: Index, offsetBy bytes: Int) -> Index {
    let end = bytes < 0 ? startIndex : endIndex
    let found = utf8.index(index, offsetBy: bytes, limitedBy: end) ?? end
    return found == end ? end : unicodeScalars.index(after: unicodeScalars.index(before: found))
  }
}

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
    let parts = address.split(separator: "/", omittingEmptySubsequences: false).compactMap { part in
      part.utf8.percentDecoded.flatMap { String(validating: $0, as: UTF8.self)?.trimmed }
    }
    guard parts.count == 2, !parts.contains(where: \.isEmpty), address.count(where: { $0 == "/" }) == 1 else {
      return nil
    }
    self = .field(parts[1], card: parts[0])
  }
}
