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
