/// A line that the user edits on a terminal, in its one row.
struct LineEditor {
  private(set) var text: [Character]
  private var cursor: Int
  /// The first character that is shown, where not all of them fit.
  private var first = 0
  /// The column of the cursor, from where the line begins.
  private var column = 0

  private let keepsLines: Bool

  /// - Parameter keepsLines: whether what is pasted keeps the ends of its lines; otherwise they become spaces.
  init(_ text: String = "", keepsLines: Bool = false) {
    self.text = Array(text)
    self.keepsLines = keepsLines
    cursor = self.text.count
  }

  /// The same line on a terminal that does not show it yet.
  var atLineStart: LineEditor {
    var line = self
    line.column = 0
    return line
  }

  var isCursorAtEnd: Bool { cursor == text.count }

  mutating func apply(_ key: Key) {
    switch key {
    case .character(let character):
      text.insert(character, at: cursor)
      cursor += 1
    case .paste(let pasted):
      var rest = pasted[...]
      while rest.last?.isNewline == true { rest.removeLast() }
      let characters = rest.compactMap(kept)
      text.insert(contentsOf: characters, at: cursor)
      cursor += characters.count
    case .backspace where cursor > 0:
      cursor -= 1
      text.remove(at: cursor)
    case .delete where cursor < text.count, .end where cursor < text.count: text.remove(at: cursor)
    case .left: cursor = max(cursor - 1, 0)
    case .right: cursor = min(cursor + 1, text.count)
    case .lineStart: cursor = 0
    case .lineEnd: cursor = text.count
    case .killBefore:
      text.removeSubrange(..<cursor)
      cursor = 0
    case .killAfter: text.removeSubrange(cursor...)
    case .killWord:
      let start = wordStart
      text.removeSubrange(start..<cursor)
      cursor = start
    default: break
    }
  }

  /// What the line has of a pasted character.
  private func kept(_ character: Character) -> Character? {
    if character.isNewline { return keepsLines ? "\n" : " " }
    return character.unicodeScalars.contains(where: \.controlsTerminal) ? nil : character
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, text[start - 1] == " " { start -= 1 }
    while start > 0, text[start - 1] != " " { start -= 1 }
    return start
  }

  /// The characters that bring the terminal from what it shows to the line as it is.
  mutating func redrawn(_ room: Int) -> String {
    let symbols = text.map(Self.symbol)
    let widths = symbols.map { String($0).displayWidth }
    first = min(first, cursor)
    var before = widths[first..<cursor].reduce(0, +)
    while before > room {
      before -= widths[first]
      first += 1
    }
    var (shown, used) = ("", 0)
    for index in first..<text.count {
      guard used + widths[index] <= room else { break }
      shown.append(symbols[index])
      used += widths[index]
    }
    let back = column > 0 ? "\u{1b}[\(column)D" : ""
    column = before
    return back + "\u{1b}[K" + shown.printable + (used > column ? "\u{1b}[\(used - column)D" : "")
  }

  private static func symbol(_ character: Character) -> Character {
    character.isNewline ? "↵" : character == "\t" ? " " : character
  }
}
