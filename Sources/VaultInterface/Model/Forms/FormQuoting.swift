import Wire

/// The quotation marks around labels and tags that would be read otherwise without them: such a text is a JSON string.
enum FormQuoting {
  private static let colons: Set<Unicode.Scalar> = [":", "："]
  private static let commas: Set<Unicode.Scalar> = [",", "，", "、", "\n"]
  /// What conceals the field if it is before a label.
  private static let stars: Set<Unicode.Scalar> = ["*", "＊"]

  /// Returns the label of a field that the user added, as it stands in a form.
  static func quoted(_ label: String) -> String {
    let first = label.unicodeScalars.first
    let isMisread = first.map { stars.contains($0) || ["\"", "#", "-"].contains($0) } ?? true
    return isMisread || needsQuoting(label, colons) ? JSON.string(label).text : label
  }

  /// Returns tags as they stand in a form.
  static func join(_ tags: [String]) -> String {
    tags.map { $0.unicodeScalars.first == "\"" || needsQuoting($0, commas) ? JSON.string($0).text : $0 }
      .joined(separator: ", ")
  }

  private static func needsQuoting(_ text: String, _ separators: Set<Unicode.Scalar>) -> Bool {
    text != text.trimmed || text.isEmpty
      || text.unicodeScalars.contains {
        separators.contains($0) || $0.properties.generalCategory == .control && $0 != "\t"
      }
  }

  /// Returns the tags of a text that separates them by commas, English or Chinese. None is empty.
  static func split(_ text: String) -> [String] {
    var tags: [String] = []
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
      let (tag, end) = word(rest, until: commas)
      if !tag.isEmpty { tags.append(tag) }
      rest = rest[end...].dropFirst()
    }
    return tags
  }

  /// Returns the parts of a line such as `*Label: value`, the value without white space at its ends.
  ///
  /// - Returns: nil for a line without a colon.
  static func labelled(_ line: Substring) -> (label: String, isConcealed: Bool, value: String)? {
    let isConcealed = line.unicodeScalars.first.map(stars.contains) ?? false
    let rest = isConcealed ? line.unicodeScalars.dropFirst() : line.unicodeScalars
    let (label, end) = word(rest, until: colons)
    guard end < rest.endIndex else { return nil }
    return (label, isConcealed, String(rest[end...].dropFirst()).trimmed)
  }

  /// Returns what is before a separator, which may be in quotation marks, and where it ends.
  private static func word(
    _ text: Substring.UnicodeScalarView, until separators: Set<Unicode.Scalar>
  ) -> (word: String, end: String.Index) {
    let start = text.firstIndex { !$0.properties.isWhitespace || $0 == "\n" } ?? text.endIndex
    if start < text.endIndex, text[start] == "\"", let close = endOfQuotation(text[start...]) {
      let end = text[close...].firstIndex { !$0.properties.isWhitespace || $0 == "\n" } ?? text.endIndex
      let isWhole = end == text.endIndex || separators.contains(text[end])
      if isWhole, case .string(let word)? = try? JSONReader.read(Array(String(text[start..<close]).utf8)) {
        return (word, end)
      }
    }
    let end = text.firstIndex(where: separators.contains) ?? text.endIndex
    return (String(text[..<end]).trimmed, end)
  }

  /// - Parameter text: begins with a quotation mark.
  private static func endOfQuotation(_ text: Substring.UnicodeScalarView) -> String.Index? {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if text[index] == "\"", !isEscaped { return text.index(after: index) }
      isEscaped = text[index] == "\\" && !isEscaped
    }
    return nil
  }
}
