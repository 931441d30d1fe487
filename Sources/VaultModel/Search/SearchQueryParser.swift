/// Splits a query into words, phrases and qualifiers.
struct SearchQueryParser {
  /// The role of a token's text.
  enum Qualifier: Hashable {
    case text(SearchQuery.Scope)
    case group
    case type
    case has
    case `is`
  }

  struct Token: Hashable {
    let qualifier: Qualifier
    let text: String
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0

  private static let qualifiers: [String: Qualifier] = {
    var qualifiers: [String: Qualifier] = [
      "tag": .text(.tag), "title": .text(.title), "group": .group, "type": .type, "has": .has, "is": .is,
    ]
    for field in CardTemplate.all.flatMap(\.fields) {
      qualifiers[field.key.lowercased()] = .text(.field(field.key))
    }
    return qualifiers
  }()

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// The next token, or nil at the end.
  mutating func next() -> Token? {
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    guard position < scalars.count else { return nil }
    if isQuote { return Token(qualifier: .text(.anywhere), text: phrase()) }
    if let qualifier = qualifier() {
      return Token(qualifier: qualifier, text: isQuote ? phrase() : word())
    }
    return Token(qualifier: .text(.anywhere), text: word())
  }

  private var isQuote: Bool {
    position < scalars.count && Self.isQuote(scalars[position])
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "“" || scalar == "”" || scalar == "＂"
  }

  /// Reads a known qualifier and its colon, or nothing.
  private mutating func qualifier() -> Qualifier? {
    let rest = scalars[position...]
    guard let colon = rest.firstIndex(where: { $0 == ":" || $0 == "：" || $0.properties.isWhitespace }),
      !scalars[colon].properties.isWhitespace
    else { return nil }
    let name = String(String.UnicodeScalarView(FoldedText(rest[..<colon]).scalars))
    guard let qualifier = Self.qualifiers[name] else { return nil }
    position = colon + 1
    return qualifier
  }

  private mutating func word() -> String {
    text { $0.properties.isWhitespace }
  }

  /// Reads a phrase with its quotes; an unclosed one extends to the end.
  private mutating func phrase() -> String {
    position += 1
    defer { position = min(position + 1, scalars.count) }
    return text(until: Self.isQuote)
  }

  private mutating func text(until isEnd: (Unicode.Scalar) -> Bool) -> String {
    let end = scalars[position...].firstIndex(where: isEnd) ?? scalars.count
    defer { position = end }
    return String(String.UnicodeScalarView(scalars[position..<end]))
  }
}
