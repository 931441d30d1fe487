import Glibc

/// A line that the user edits on a terminal, in its one row.
struct LineEditor {
  private(set) var text: [Character]
  private var cursor: Int
  /// The first character that is shown, where not all of them fit.
  private var first = 0
  /// The column of the cursor, from where the line begins.
  private var column = 0

  init(_ text: String = "") {
    self.text = Array(text)
    cursor = self.text.count
  }

  /// Asks for a line, which begins as `current`.
  ///
  /// - Returns: nil at the end of input.
  static func read(_ prompt: String, current: String = "", on terminal: Terminal) throws(Failure) -> String? {
    guard isatty(terminal.input) == 1 else {
      terminal.show(prompt)
      return try Descriptor.readLine(terminal.input)
    }
    var editor = LineEditor(current)
    var keys = KeyReader(terminal.input)
    return try terminal.withModes({ $0.c_lflag &= ~tcflag_t(ICANON | ECHO) }) { () throws(Failure) in
      defer { terminal.show("\n") }
      let columns = Terminal.size(of: terminal.output).columns
      var room = columns - prompt.displayWidth - 1
      terminal.show(room < 12 ? prompt + "\n" : prompt)
      if room < 12 { room = columns - 1 }
      terminal.show(editor.redrawn(room))
      while true {
        switch try keys.next() {
        case .enter: return String(editor.text)
        case .end where editor.text.isEmpty: return nil
        case .closed: return nil
        case let key:
          editor.apply(key)
          terminal.show(editor.redrawn(room))
        }
      }
    }
  }

  mutating func apply(_ key: Key) {
    switch key {
    case .character(let character):
      text.insert(character, at: cursor)
      cursor += 1
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

  private var wordStart: Int {
    var start = cursor
    while start > 0, text[start - 1] == " " { start -= 1 }
    while start > 0, text[start - 1] != " " { start -= 1 }
    return start
  }

  /// The characters that bring the terminal from what it shows to the line as it is.
  mutating func redrawn(_ room: Int) -> String {
    let widths = text.map { String($0).displayWidth }
    first = min(first, cursor)
    while widths[first..<cursor].reduce(0, +) > room { first += 1 }
    var (shown, used) = ("", 0)
    for index in first..<text.count {
      guard used + widths[index] <= room else { break }
      shown.append(text[index] == "\t" ? " " : text[index])
      used += widths[index]
    }
    let back = column > 0 ? "\u{1b}[\(column)D" : ""
    column = widths[first..<cursor].reduce(0, +)
    return back + "\u{1b}[K" + shown.printable + (used > column ? "\u{1b}[\(used - column)D" : "")
  }
}
