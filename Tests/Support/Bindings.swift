/// The values of a transcript's placeholders that the conversation has bound so far.
///
/// `<id:home>` in a message that is expected matches any card's id the first time and the same one ever after; in a
/// message that is sent it is that id. Two names never have the same value.
public struct Bindings {
  private var values: [String: String] = [:]
  private let path: String

  /// No bindings but `<path>`, the vault's.
  public init(path: String) {
    self.path = path
  }

  /// Replaces the placeholders in a text: bound names, and `<1001 times 字>`.
  public func fill(_ text: String) throws -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      result += rest[..<start]
      guard let (inner, end) = Self.inner(rest[start...]), let value = try value(inner) else {
        result.append("<")
        rest = rest[rest.index(after: start)...]
        continue
      }
      result += value
      rest = rest[end...]
    }
    return result + rest
  }

  /// Compares a message with the expected one, and binds the placeholders in that.
  ///
  /// - Throws: ``Failure`` that shows the first difference.
  public mutating func match(_ expected: String, with actual: String) throws {
    var expected = expected[...]
    var actual = actual[...]
    while let next = expected.first {
      if next == "\"", let (kind, name, end) = Self.placeholder(expected) {
        let value = try Self.take(kind, from: &actual)
        try bind(kind, name, value)
        expected = expected[end...]
      } else if next == "<", let (inner, end) = Self.inner(expected), let value = try value(inner) {
        guard actual.hasPrefix(value) else { throw Self.difference(String(expected), actual) }
        actual = actual.dropFirst(value.count)
        expected = expected[end...]
      } else {
        guard actual.first == next else { throw Self.difference(String(expected), actual) }
        expected.removeFirst()
        actual.removeFirst()
      }
    }
    guard actual.isEmpty else { throw Self.difference("the end", actual) }
  }

  // MARK: Placeholders

  private enum Kind: String {
    case id, time, cursor, text, any
  }

  /// The text between `<` and `>` at the beginning, and where it ends.
  private static func inner(_ text: Substring) -> (Substring, Substring.Index)? {
    guard let end = text.firstIndex(of: ">") else { return nil }
    return (text[text.index(after: text.startIndex)..<end], text.index(after: end))
  }

  private func value(_ inner: Substring) throws -> String? {
    if inner == "path" { return path }
    if let times = inner.range(of: " times ") {
      guard let count = Int(inner[..<times.lowerBound]) else { return nil }
      return String(repeating: String(inner[times.upperBound...]), count: count)
    }
    guard let colon = inner.firstIndex(of: ":"), Kind(rawValue: String(inner[..<colon])) != nil else {
      return nil
    }
    guard let value = values[String(inner)] else { throw Failure("<\(inner)> is not known yet") }
    return value
  }

  /// A whole string that is a placeholder, `"<id:home>"` or `"<time>"`, and where it ends.
  private static func placeholder(_ text: Substring) -> (Kind, String?, Substring.Index)? {
    guard text.dropFirst().first == "<", let (inner, end) = inner(text.dropFirst()),
      end < text.endIndex, text[end] == "\""
    else { return nil }
    let parts = inner.split(separator: ":", maxSplits: 1)
    guard let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }) else { return nil }
    return (kind, parts.count > 1 ? String(inner) : nil, text.index(after: end))
  }

  private mutating func bind(_ kind: Kind, _ name: String?, _ value: String) throws {
    guard let name else { return }
    if let known = values[name] {
      guard known == value else { throw Failure("<\(name)> was \(known) and is \(value) now") }
      return
    }
    let twin = values.first { $0.key.hasPrefix(kind.rawValue + ":") && $0.value == value }
    if let twin { throw Failure("<\(name)> is \(value), and so is <\(twin.key)>") }
    values[name] = value
  }

  /// Takes a value of a kind from the beginning of a message.
  private static func take(_ kind: Kind, from actual: inout Substring) throws -> String {
    let before = actual
    let token = takeValue(&actual)
    guard kind != .any else { return token }
    guard token.count >= 2, token.hasPrefix("\""), token.hasSuffix("\"") else {
      throw difference("a string for <\(kind)>", before)
    }
    let value = String(token.dropFirst().dropLast())
    let isFitting =
      switch kind {
      case .id:
        value.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
      case .time:
        value.wholeMatch(of: /20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z/) != nil
      case .cursor, .text, .any: !value.isEmpty
      }
    guard isFitting else { throw difference("<\(kind)>", before) }
    return value
  }

  /// Takes one JSON value: a string, or all up to the end of what is open.
  private static func takeValue(_ text: inout Substring) -> String {
    var value = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    while let next = text.first {
      if isInString {
        isInString = next != "\"" || isEscaped
        isEscaped = next == "\\" && !isEscaped
      } else {
        if depth == 0, next == "," || next == "}" || next == "]" { break }
        if next == "\"" { isInString = true }
        if next == "{" || next == "[" { depth += 1 }
        if next == "}" || next == "]" { depth -= 1 }
      }
      value.append(next)
      text.removeFirst()
      if depth == 0, !isInString, next == "\"" || next == "}" || next == "]" { break }
    }
    return value
  }

  private static func difference(_ expected: String, _ actual: Substring) -> Failure {
    Failure("expected here: \(expected.prefix(160))\n      came: \(actual.prefix(160))")
  }
}
