import VaultInterface

extension Unicode.Scalar {
  /// The number of columns of a terminal: two for East Asian wide characters and emoji, none for combining marks.
  var displayWidth: Int {
    switch value {
    case 0..<0x300: 1
    case 0x300..<0x370, 0x200B...0x200F, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    // A flag is two regional indicators of one column each.
    case 0x1F1E6...0x1F1FF: 1
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark: 0
      default: properties.isEmojiPresentation ? 2 : 1
      }
    }
  }

  /// Whether the character controls a terminal or the direction of text.
  var controlsTerminal: Bool {
    switch value {
    case 9, 10: false
    case 0..<32, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The number of columns that the text takes on a terminal.
  var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }

  /// The text with the replacement character for each character that controls a terminal.
  var printable: String {
    guard unicodeScalars.contains(where: \.controlsTerminal) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.controlsTerminal ? "\u{FFFD}" : $0 }))
  }

  /// The text with spaces for tabs and line breaks, and without characters that control a terminal.
  var oneLine: String {
    // Most texts need no change, and a long list has many.
    guard unicodeScalars.contains(where: { $0 < " " || $0.controlsTerminal }) else { return self }
    return String(lines.joined(separator: " ").map { $0 == "\t" ? " " : $0 }).printable
  }

  /// Appends spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - displayWidth, 0))
  }

  /// Pads or shortens the text to exactly this width; shortened text ends in an ellipsis.
  func truncated(to width: Int) -> String {
    guard displayWidth > width else { return padded(to: width) }
    var (kept, used) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      guard used + scalar.displayWidth <= width - 1 else { break }
      kept.append(scalar)
      used += scalar.displayWidth
    }
    return (String(kept) + "…").padded(to: width)
  }

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
