extension String {
  /// The text as lines of at most so many columns. It is broken at spaces and between East Asian characters. A word that is longer
  /// than a line, such as an address, stays whole, so that it can be copied.
  ///
  /// - Parameters:
  ///   - first: how many spaces the first line begins with.
  ///   - others: how many the others do.
  func wrapped(at width: Int, first: Int = 0, others: Int = 0) -> [String] {
    var lines = [String](repeating: String(repeating: " ", count: first), count: 1)
    var (used, isBegun) = (first, false)
    for piece in pieces {
      let own = piece.text.displayWidth
      let spaces = isBegun ? piece.spaces : 0
      if !isBegun || used + spaces + own <= width {
        lines[lines.count - 1] += String(repeating: " ", count: spaces) + piece.text
        used += spaces + own
      } else {
        lines.append(String(repeating: " ", count: others) + piece.text)
        used = others + own
      }
      isBegun = true
    }
    return lines
  }

  /// This line with the next one of a text: with a space, unless one of them ends or begins with a wide character.
  func joined(to next: String) -> String {
    let isWide = [last, next.first].contains { $0.map { String($0).displayWidth == 2 } ?? false }
    return isEmpty || isWide ? self + next : self + " " + next
  }

  /// The parts between which a line may end. What closes, such as a full stop, stays with what is before it, and what opens with
  /// what follows.
  private var pieces: [(text: String, spaces: Int)] {
    var (pieces, last, spaces) = ([(text: String, spaces: Int)](), Character(" "), 0)
    for character in self {
      defer { last = character }
      if character == " " {
        spaces += 1
        continue
      }
      let isBreak =
        (last.isEastAsian || character.isEastAsian) && !Self.closing.contains(character)
        && !Self.opening.contains(last)
      if last == " " || isBreak || pieces.isEmpty {
        pieces.append((String(character), spaces))
        spaces = 0
      } else {
        pieces[pieces.count - 1].text.append(character)
      }
    }
    return pieces
  }

  private static let opening: Set<Character> = ["（", "《", "「", "『", "【", "“", "‘", "("]
  private static let closing: Set<Character> = [
    "，", "。", "、", "：", "；", "！", "？", "）", "》", "」", "』", "】", "”", "’", "…", ",", ".", ":", ";", "!", "?",
    ")",
  ]
}

extension Character {
  fileprivate var isEastAsian: Bool { unicodeScalars.first.map { $0.displayWidth == 2 } ?? false }
}
