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

/// A key of a terminal.
enum Key: Hashable {
  case character(Character)
  /// What the terminal says was pasted.
  case paste(String)
  case enter, backspace, delete, left, right, up, down, lineStart, lineEnd, pageUp, pageDown, tab, escape
  case killBefore, killAfter, killWord
  /// Ctrl-D.
  case end
  /// There is no more input.
  case closed
  case unknown
  /// A byte that is not UTF-8.
  case malformed
}

/// Reads keys from a terminal that passes them on one by one.
struct KeyReader {
  private let descriptor: Int32
  /// A byte that was read and is not part of the last key.
  private var pending: UInt8?

  /// How long the rest of an escape sequence is waited for, in milliseconds.
  private static let escapeTimeout: Int32 = 50

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether there is input for a key.
  func isReady() throws(Failure) -> Bool {
    if pending != nil { return true }
    return try Signals.wait(for: descriptor, timeout: 0)
  }

  /// Waits for a key.
  mutating func next() throws(Failure) -> Key {
    guard let byte = try nextByte() else { return .closed }
    switch byte {
    case 0x01: return .lineStart
    case 0x02: return .left
    case 0x04: return .end
    case 0x05: return .lineEnd
    case 0x06: return .right
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x0B: return .killAfter
    case 0x0E: return .down
    case 0x10: return .up
    case 0x15: return .killBefore
    case 0x17: return .killWord
    case 0x1B: return try escapeSequence()
    case 0..<0x20: return .unknown
    default: return try character(byte)
    }
  }

  /// Waits for a key that is typed while the vault is unlocked.
  mutating func next(while connection: VaultConnection) throws(Failure) -> Key {
    if try !isReady() { try connection.wait(for: descriptor) }
    return try next()
  }

  private mutating func nextByte() throws(Failure) -> UInt8? {
    if let byte = pending {
      pending = nil
      return byte
    }
    return try Descriptor.readAvailable(descriptor, upTo: 1)?.first
  }

  private mutating func character(_ first: UInt8) throws(Failure) -> Key {
    var bytes = [first]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    while bytes.count < count, let byte = try nextByte() {
      guard byte & 0xC0 == 0x80 else {
        pending = byte
        return .malformed
      }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)?.first.map { .character($0) } ?? .malformed
  }

  private mutating func escapeSequence() throws(Failure) -> Key {
    guard try Signals.wait(for: descriptor, timeout: Self.escapeTimeout) else { return .escape }
    guard let second = try nextByte(), second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
      return .unknown
    }
    var number: [UInt8] = []
    while let byte = try nextByte() {
      if (0x30...0x3B).contains(byte) { number.append(byte); continue }
      let digits = String(decoding: number, as: UTF8.self)
      return byte == UInt8(ascii: "~") && digits == "200" ? try paste() : Self.key(byte, digits)
    }
    return .closed
  }

  /// Reads to the end of what is pasted.
  private mutating func paste() throws(Failure) -> Key {
    let end = Array("\u{1b}[201~".utf8)
    var bytes: [UInt8] = []
    while let byte = try nextByte() {
      bytes.append(byte)
      if bytes.suffix(end.count).elementsEqual(end) {
        return String(validating: bytes.dropLast(end.count), as: UTF8.self).map { .paste($0) } ?? .malformed
      }
    }
    return .closed
  }

  private static func key(_ last: UInt8, _ number: String) -> Key {
    switch (last, number) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .lineStart
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .lineEnd
    case (UInt8(ascii: "~"), "3"): .delete
    case (UInt8(ascii: "~"), "5"): .pageUp
    case (UInt8(ascii: "~"), "6"): .pageDown
    default: .unknown
    }
  }
}
