/// Splits a query into words, phrases and qualifiers.
struct SearchQueryParser {
  /// The role of a token's text.
  enum Qualifier: Hashable {
    case text(SearchQuery.Scope)
    /// The prefix names no field of a template: `literal` is the text with it.
    case label(SearchQuery.NamedField, literal: String)
    case group
    case type
    case has
    case `is`
  }

  struct Token: Hashable {
    let qualifier: Qualifier
    let text: String

    /// What a person looks for in titles first; nil for a qualifier.
    var word: String? {
      switch qualifier {
      case .text(.anywhere), .text(.title): text
      case .label(_, let literal): literal
      case .text, .group, .type, .has, .is: nil
      }
    }
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0

  private static let qualifiers: [String: Qualifier] = {
    var keys: [String: [String]] = [:]
    for field in CardTemplate.all.flatMap(\.fields) {
      for name in FieldName(field).spellings where keys[name]?.contains(field.key) != true {
        keys[name, default: []].append(field.key)
      }
    }
    var qualifiers = keys.map { name, keys in
      (name, Qualifier.text(.field(SearchQuery.NamedField(keys: keys, label: Array(name.utf8)))))
    }
    qualifiers += FieldName.title.spellings.map { ($0, .text(.title)) }
    qualifiers += (FieldName.tags.spellings + ["tag"]).map { ($0, .text(.tag)) }
    qualifiers += [
      ("group", .group), ("分组", .group), ("type", .type), ("类型", .type), ("has", .has), ("is", .is),
    ]
    return Dictionary(qualifiers) { $1 }
  }()

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next token, or nil at the end.
  mutating func next() -> Token? {
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    guard position < scalars.count else { return nil }
    if isQuote {
      let text = phrase()
      return takeColon() ? qualified(text) : Token(qualifier: .text(.anywhere), text: text)
    }
    let rest = scalars[position...]
    guard let end = rest.firstIndex(where: { Self.isColon($0) || $0.properties.isWhitespace }),
      Self.isColon(scalars[end]), end > position
    else { return Token(qualifier: .text(.anywhere), text: word()) }
    let name = String(String.UnicodeScalarView(rest[..<end]))
    position = end + 1
    return qualified(name)
  }

  /// Reads what follows a name and its colon.
  private mutating func qualified(_ name: String) -> Token {
    let colon = scalars[position - 1]
    let text = isQuote ? phrase() : word()
    let folded = name.foldedName
    let qualifier =
      Self.qualifiers[folded]
      ?? .label(
        SearchQuery.NamedField(keys: [], label: Array(folded.utf8)), literal: "\(name)\(colon)\(text)")
    return Token(qualifier: qualifier, text: text)
  }

  private var isQuote: Bool {
    position < scalars.count && Self.isQuote(scalars[position])
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "“" || scalar == "”" || scalar == "＂"
  }

  private static func isColon(_ scalar: Unicode.Scalar) -> Bool { scalar == ":" || scalar == "：" }

  private mutating func takeColon() -> Bool {
    guard position < scalars.count, Self.isColon(scalars[position]) else { return false }
    position += 1
    return true
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
