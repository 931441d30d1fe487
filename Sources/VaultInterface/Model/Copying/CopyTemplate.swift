/// An error in a copy template, with its position.
public struct CopyTemplateError: Error, Hashable, Sendable {
  /// The kinds of faults.
  public enum Reason: Hashable, Sendable {
    /// The template has no text.
    case empty
    /// The template is longer than ``Limits/copyTemplate``.
    case tooLong
    /// A `{` without its `}`.
    case unclosed
    /// A `}` without its `{`; a brace itself is written `}}`.
    case unopened
    /// Nothing between the braces.
    case emptyPlaceholder
    /// The card, or its type, has nothing of this name.
    case unknownPlaceholder
  }

  public let reason: Reason
  /// The text between the braces; empty if there is none.
  public let placeholder: String
  /// The position of the error, in code points from 0.
  public let position: Int

  public init(reason: Reason, placeholder: String, position: Int) {
    (self.reason, self.placeholder, self.position) = (reason, placeholder, position)
  }

  /// The message for the user.
  public var message: Localized {
    let place = position + 1
    return switch reason {
    case .empty: Localized("The copy template is empty.", "复制模板为空。")
    case .tooLong:
      Localized(
        "The copy template is longer than \(Limits.copyTemplate) characters.",
        "复制模板超过 \(Limits.copyTemplate) 个字符。")
    case .unclosed:
      Localized(
        "Copy template: the { at character \(place) has no }.", "复制模板：第 \(place) 个字符处的 { 没有对应的 }。")
    case .unopened:
      Localized(
        "Copy template: the } at character \(place) has no {; write }} for a brace.",
        "复制模板：第 \(place) 个字符处的 } 没有对应的 {；如需花括号请写 }}。")
    case .emptyPlaceholder:
      Localized(
        "Copy template: nothing between the braces at character \(place).",
        "复制模板：第 \(place) 个字符处的花括号内为空。")
    case .unknownPlaceholder:
      Localized(
        "Copy template: there is no field {\(placeholder)} (character \(place)).",
        "复制模板：没有字段 {\(placeholder)}（第 \(place) 个字符处）。")
    }
  }
}

/// A text with placeholders in braces that a card's values fill (R18).
///
/// `{name}`, with a key or a label, stands for the value of a template field, `{title}` and `{tags}` for those parts, `{…}`
/// with the label of an extra field for its value; `{{` and `}}` are braces.
public struct CopyTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text(String)
    case placeholder(String, position: Int)
  }

  private var parts: [Part] = []

  /// A template from its text.
  /// - Throws: ``CopyTemplateError`` for the first error.
  public init(parsing source: String) throws(CopyTemplateError) {
    guard !source.isBlank else { throw CopyTemplateError(reason: .empty, placeholder: "", position: 0) }
    guard !source.isLonger(than: Limits.copyTemplate) else {
      throw CopyTemplateError(reason: .tooLong, placeholder: "", position: Limits.copyTemplate)
    }
    let scalars = Array(source.unicodeScalars)
    var text = String.UnicodeScalarView()
    var position = 0
    while position < scalars.count {
      let scalar = scalars[position]
      let isDoubled = position + 1 < scalars.count && scalars[position + 1] == scalar
      switch scalar {
      case "{" where isDoubled, "}" where isDoubled:
        text.append(scalar)
        position += 2
      case "{":
        parts.append(.text(String(text)))
        text = String.UnicodeScalarView()
        let name = try Self.placeholder(in: scalars, at: position)
        parts.append(.placeholder(name, position: position))
        position += name.unicodeScalars.count + 2
      case "}":
        throw CopyTemplateError(reason: .unopened, placeholder: "", position: position)
      default:
        text.append(scalar)
        position += 1
      }
    }
    parts.append(.text(String(text)))
  }

  private static func placeholder(
    in scalars: [Unicode.Scalar], at start: Int
  ) throws(CopyTemplateError) -> String {
    let rest = scalars[(start + 1)...]
    let end = rest.firstIndex { $0 == "{" || $0 == "}" }
    let name = String(String.UnicodeScalarView(rest[..<(end ?? rest.endIndex)]))
    guard let end, scalars[end] == "}" else {
      throw CopyTemplateError(reason: .unclosed, placeholder: name, position: start)
    }
    guard !name.isEmpty else {
      throw CopyTemplateError(reason: .emptyPlaceholder, placeholder: "", position: start)
    }
    return name
  }

  /// Checks the template against a type of card, as the settings keep it: only fields of the type's template, `title`
  /// and `tags` may be named.
  /// - Throws: ``CopyTemplateError`` with the first name that the type does not have.
  public func check(for type: CardType) throws(CopyTemplateError) {
    for case .placeholder(let name, let position) in parts {
      guard ([.title, .tags] + type.template.fields.map(FieldName.init)).named(name) != nil else {
        throw CopyTemplateError(reason: .unknownPlaceholder, placeholder: name, position: position)
      }
    }
  }

  /// Returns the template filled from a card; a field without a value is left out.
  /// - Parameters:
  ///   - card: the card.
  ///   - language: decides how tags are joined: with a comma and a space, or with `、`.
  ///   - limit: the most bytes of the result in UTF-8.
  /// - Throws: ``CopyError/templateInvalid(_:)`` with the first name that the card does not have, ``CopyError/tooLong``.
  public func text(
    of card: Card, in language: Language, limit: Int = Limits.copiedBytes
  ) throws(CopyError) -> String {
    var result = ""
    for part in parts {
      let value = try text(of: part, card, language)
      guard result.utf8.count + value.utf8.count <= limit else { throw .tooLong }
      result += value
    }
    return result
  }

  private func text(of part: Part, _ card: Card, _ language: Language) throws(CopyError) -> String {
    switch part {
    case .text(let text): return text
    case .placeholder(let name, let position):
      if name != FieldName.tags.name, let value = card.value(of: name) { return value }
      if FieldName.tags.spellings.contains(name.foldedName) {
        return card.tags.joined(separator: Localized(", ", "、")[language])
      }
      guard card.type.template.field(named: name) != nil else {
        throw .templateInvalid(
          CopyTemplateError(reason: .unknownPlaceholder, placeholder: name, position: position))
      }
      return ""
    }
  }
}

extension Card {
  /// The card as a Markdown heading and list; a text card as heading and its bare text, then its extra fields.
  func markdownText(_ language: Language) -> String {
    let colon = Localized(":", "：")[language]
    let heading = "## " + Markdown.escaped(title)
    let items = labelledValues(language)
    let list = items.map { item in
      let lines = item.value.lines.map(Markdown.escaped)
      let continuation = lines.dropFirst().map { $0.isEmpty ? "\n" : "\n  " + $0 }.joined()
      let first = lines.first.map { $0.isEmpty ? "" : " " + $0 } ?? ""
      return "- **" + Markdown.escaped(item.label) + colon + "**" + first + continuation
    }
    let listText = list.joined(separator: "\n")
    return [heading, bareText ?? "", listText].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

/// Markdown as CommonMark has it.
private enum Markdown {
  /// Escapes all markup in a line with backslashes (CommonMark, section 2.4).
  static func escaped(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    var isAtStart = true
    var isNumber = false
    for scalar in line.unicodeScalars {
      let isMarkup: Bool
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "~", "&": isMarkup = true
      case "#", "+", "-", "=": isMarkup = isAtStart
      case ".", ")": isMarkup = isNumber
      default: isMarkup = false
      }
      if isMarkup { result.append("\\") }
      result.append(scalar)
      isNumber = ("0"..."9").contains(scalar) && (isAtStart || isNumber)
      isAtStart = isAtStart && scalar.properties.isWhitespace
    }
    return String(result)
  }
}
