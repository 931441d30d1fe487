import VaultInterface

/// The trigger and the word after it, up to the cursor or beyond.
///
/// ```
/// 发票抬头：;;gsfp│          // trigger ";;", word "gsfp"
/// ```
package struct TypedWord: Sendable, Hashable {
  /// The longest word, in code points.
  package static let longest = 64

  /// Trigger and word as typed.
  package let typed: String
  /// The word; it may be empty.
  package let word: String
  /// The place of both in the line.
  package let range: Range<String.Index>

  /// Finds the last trigger before the cursor in a line; nil if there is none, or white space follows it.
  ///
  /// - Parameter offset: the units before the cursor.
  package init?(in line: Substring, at offset: Int, _ triggers: [String], _ encoding: PositionEncoding) {
    self.init(before: encoding.index(in: line, after: offset), in: line, triggers)
  }

  /// Finds the word in which the cursor stands: up to the next white space; nil if there is none.
  package init?(
    around offset: Int, in line: Substring, _ triggers: [String], _ encoding: PositionEncoding
  ) {
    let cursor = encoding.index(in: line, after: offset)
    let rest = line[cursor...].unicodeScalars.prefix(Self.longest + 1)
    let end = rest.firstIndex(where: \.properties.isWhitespace) ?? rest.endIndex
    self.init(before: end, in: line, triggers)
    guard range.lowerBound <= cursor else { return nil }
  }

  private init?(before end: String.Index, in line: Substring, _ triggers: [String]) {
    // A trigger has up to 8 characters. A line can have a million.
    let before = Substring(line[..<end].unicodeScalars.suffix(Self.longest + 64))
    let found = triggers.compactMap { trigger in before.range(ofLast: trigger) }
    guard let trigger = found.max(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
    let word = before[trigger.upperBound...]
    guard word.unicodeScalars.count <= Self.longest, !word.contains(where: \.isWhitespace) else { return nil }
    self.word = String(word)
    typed = String(before[trigger.lowerBound...])
    range = trigger.lowerBound..<before.endIndex
  }

  /// The query for a card, and the beginning of a field's name after a full stop: `gsfp.tax`; nil without one.
  package var parts: (query: String, field: String?) {
    guard let stop = word.lastIndex(of: ".") else { return (word, nil) }
    return (String(word[..<stop]), String(word[word.index(after: stop)...]))
  }
}
