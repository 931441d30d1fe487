import Glibc

/// Reads lines of any length that are typed or pasted on a terminal. The terminal's own line editing silently drops what exceeds
/// 4,095 bytes of a line (termios(3)).
struct LinePrompt {
  private let terminal: Terminal
  private var keys: KeyReader

  // MARK: One line

  /// Asks for a line, which begins as `current`.
  ///
  /// - Parameter keepsLines: whether what is pasted keeps the ends of its lines; otherwise they become spaces.
  /// - Returns: nil at the end of input.
  static func line(
    _ prompt: String, current: String = "", keepsLines: Bool = false, on terminal: Terminal
  ) throws(Failure) -> String? {
    let columns = Terminal.size(of: terminal.output).columns
    let room = columns - prompt.displayWidth - 1
    let line = LineEditor(current, keepsLines: keepsLines)
    return room < 12
      ? try ask(prompt + "\n", line, columns - 1, on: terminal) : try ask(prompt, line, room, on: terminal)
  }

  /// Asks for a line on a terminal, which does not show it.
  ///
  /// - Parameter keepsLines: whether what is pasted may have several lines. Otherwise the first is the line.
  /// - Returns: nil at the end of input.
  /// - Throws: also if the line is not UTF-8, which nobody would see.
  static func secret(_ prompt: String, keepsLines: Bool = false, on terminal: Terminal) throws(Failure)
    -> String?
  {
    try ask(prompt, LineEditor(keepsLines: keepsLines), nil, marksPastes: keepsLines, on: terminal)
  }

  /// - Parameters:
  ///   - room: the number of columns for the line; nil if it is not shown.
  ///   - marksPastes: whether the terminal marks what is pasted, so that the ends of its lines are not Enter.
  private static func ask(
    _ prompt: String, _ begun: LineEditor, _ room: Int?, marksPastes: Bool = true, on terminal: Terminal
  ) throws(Failure) -> String? {
    // Ctrl-Z keeps what can be seen, and drops what cannot.
    var seen = begun
    return try terminal.withKeys { keys throws(Failure) in
      terminal.show(prompt)
      defer { terminal.show("\n") }
      let marksPastes = marksPastes && Terminal.kind != "dumb"
      if marksPastes { terminal.show("\u{1b}[?2004h") }
      defer { if marksPastes { terminal.show("\u{1b}[?2004l") } }
      var (reader, line) = (LinePrompt(terminal: terminal, keys: keys), seen.atLineStart)
      defer { if room != nil { seen = line } }
      return try reader.edit(&line, room) == .line ? String(line.text) : nil
    }
  }

  // MARK: Several lines

  /// Reads lines until Ctrl-D in an empty one, or twice after a text, as the terminal's own line editing has it.
  ///
  /// - Parameter prompt: shown when the terminal passes on each key: its own line editing cuts a line at 4,095 bytes.
  /// - Throws: also if a line is not UTF-8.
  static func lines(_ prompt: String, on terminal: Terminal) throws(Failure) -> [String] {
    let (text, isAtEnd) = try textTypedAhead(on: terminal)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let begun = lines.popLast() ?? ""
    if isAtEnd {
      terminal.show(prompt)
      return begun.isEmpty ? lines : lines + [begun]
    }
    var line = LineEditor(begun)
    return try terminal.withKeys { keys throws(Failure) in
      terminal.show(prompt + lines.map { $0.printable + "\n" }.joined())
      var reader = LinePrompt(terminal: terminal, keys: keys)
      let room = Terminal.size(of: terminal.output).columns - 1
      line = line.atLineStart
      while true {
        let ending = try reader.edit(&line, room, isOneOfMany: true)
        if ending == .line || !line.text.isEmpty {
          lines.append(String(line.text))
          terminal.show("\n")
        }
        if ending == .input { return lines }
        line = LineEditor()
      }
    }
  }

  /// Takes what was typed before the terminal passed on each key, with the Ctrl-D at its end, which it would not pass on.
  private static func textTypedAhead(on terminal: Terminal) throws(Failure) -> (String, isAtEnd: Bool) {
    var typed: [UInt8] = []
    while try Signals.wait(for: terminal.input, timeout: 0) {
      guard let bytes = try Descriptor.readAvailable(terminal.input) else {
        return (try Descriptor.text(typed), true)
      }
      typed += bytes
    }
    return (try Descriptor.text(typed), false)
  }

  // MARK: Editing

  /// What ends a line.
  private enum Ending {
    case line, input
  }

  /// - Parameters:
  ///   - room: the number of columns for the line; nil if it is not shown.
  ///   - isOneOfMany: whether a tab is text, and Ctrl-D after a text ends the input the second time.
  private mutating func edit(_ line: inout LineEditor, _ room: Int?, isOneOfMany: Bool = false)
    throws(Failure)
    -> Ending
  {
    var (isDrawn, isText, wasEnd) = (false, true, false)
    defer { if let room, !isDrawn { terminal.show(line.redrawn(room)) } }
    while true {
      // What is pasted can come as thousands of keys.
      if let room, !isDrawn, try !keys.isReady() {
        terminal.show(line.redrawn(room))
        isDrawn = true
      }
      let key = try keys.next()
      switch key {
      // Not before its end: the shell would get the rest.
      case .enter where !isText: throw Descriptor.notText
      case .enter: return .line
      case .closed: return .input
      case .end where line.text.isEmpty || isOneOfMany && wasEnd && line.isCursorAtEnd: return .input
      case .tab where isOneOfMany: line.apply(.character("\t"))
      case .malformed where room == nil || isOneOfMany: isText = false
      default: line.apply(key)
      }
      (isDrawn, wasEnd) = (false, key == .end)
    }
  }
}
