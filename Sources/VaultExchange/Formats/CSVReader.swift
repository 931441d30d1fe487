/// Reads comma-separated values (RFC 4180), liberally: `,`, `;` or tab between cells; lines that end in LF, CR LF or a lone
/// CR; line breaks and doubled quotes in quoted cells; rows of any length.
///
/// ```swift
/// var reader = CSVReader(text)
/// while let row = try reader.next() { … }
/// ```
package struct CSVReader {
  /// How many cells a row may have.
  static let cellLimit = 1_000

  /// One row of a file.
  package struct Row: Hashable {
    /// The line in which the row begins, from 1.
    package var line: Int
    /// The cells, without quotes.
    package var cells: [String]
    /// Whether the file ended inside a quoted cell.
    package var isUnfinished = false
  }

  /// What a backslash in a quoted cell makes part of the text.
  package enum Escapes: Sendable {
    case none
    /// A quotation mark after it.
    case quotes
    /// A quotation mark or a backslash after it.
    case backslashes
  }

  var escapes = Escapes.none
  /// The character between two cells.
  let separator: UInt8
  private let text: [UInt8]
  private var position = 0
  private var line = 1

  /// Creates a reader of UTF-8 text. The separator is the most frequent one in the first line, unless that is a `sep=` line.
  package init(_ text: [UInt8]) {
    self.text = text
    let (separator, start) = Self.separator(of: text)
    self.separator = separator
    if start > 0 { (position, line) = (start, 2) }
  }

  /// The next row that is not blank; nil at the end.
  /// - Throws: ``ImportError/unreadable(_:line:)`` for a row of more than ``cellLimit`` cells.
  package mutating func next() throws(ImportError) -> Row? {
    while position < text.count {
      var row = Row(line: line, cells: [])
      var isQuoted = false
      repeat {
        guard row.cells.count < Self.cellLimit else { throw .unreadable(.tooManyColumns, line: row.line) }
        let cell = cell(&row)
        row.cells.append(cell.text)
        isQuoted = isQuoted || cell.isQuoted
      } while take(separator)
      takeLineBreak()
      if isQuoted || row.cells != [""] { return row }
    }
    return nil
  }

  private mutating func cell(_ row: inout Row) -> (text: String, isQuoted: Bool) {
    guard take(UInt8(ascii: "\"")) else { return (bareText(), false) }
    var bytes: [UInt8] = []
    while position < text.count {
      let start = position
      while position < text.count, text[position] != UInt8(ascii: "\""), !isEscape(at: position) {
        if isLineBreak(at: position) { line += 1 }
        position += 1
      }
      bytes += text[start..<position]
      if isEscape(at: position) {
        bytes.append(text[position + 1])
        position += 2
        continue
      }
      guard take(UInt8(ascii: "\"")) else { break }
      guard take(UInt8(ascii: "\"")) else {
        return (String(decoding: bytes, as: UTF8.self) + bareText(), true)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    row.isUnfinished = true
    return (String(decoding: bytes, as: UTF8.self), true)
  }

  private mutating func bareText() -> String {
    let start = position
    while position < text.count, text[position] != separator, text[position] != 0x0A, text[position] != 0x0D {
      position += 1
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  /// Whether a line ends at a byte: a CR before an LF does not count.
  private func isLineBreak(at position: Int) -> Bool {
    text[position] == 0x0A
      || text[position] == 0x0D && (position + 1 == text.count || text[position + 1] != 0x0A)
  }

  /// Whether a backslash escapes the character after it.
  private func isEscape(at position: Int) -> Bool {
    guard escapes != .none, position + 1 < text.count, text[position] == UInt8(ascii: "\\") else {
      return false
    }
    return text[position + 1] == UInt8(ascii: "\"")
      || escapes == .backslashes && text[position + 1] == UInt8(ascii: "\\")
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func takeLineBreak() {
    let hadReturn = take(0x0D)
    let hadFeed = take(0x0A)
    if hadReturn || hadFeed { line += 1 }
  }

  /// The separator, and where the rows begin.
  private static func separator(of text: [UInt8]) -> (UInt8, Int) {
    let firstLine = text.prefix { $0 != 0x0A && $0 != 0x0D }
    if firstLine.count == 5, firstLine.prefix(4).elementsEqual("sep=".utf8) {
      let rest = text[5...]
      let lineBreak = rest.starts(with: [0x0D, 0x0A]) ? 2 : min(1, rest.count)
      return (firstLine[4], 5 + lineBreak)
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in text {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      let hasSeparator = candidates.contains { counts[$0, default: 0] > 0 }
      if hasSeparator, byte == 0x0A || byte == 0x0D { break }
      counts[byte, default: 0] += 1
    }
    let best = candidates.max { counts[$0, default: 0] < counts[$1, default: 0] }
    guard let best, counts[best, default: 0] > counts[UInt8(ascii: ","), default: 0] else {
      return (UInt8(ascii: ","), 0)
    }
    return (best, 0)
  }
}

/// Writes comma-separated values (RFC 4180).
package enum CSVWriter {
  /// Appends a row, with quotes where needed, and CR LF.
  package static func write(_ cells: [String], to bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(cell, isAlone: cells.count == 1, to: &bytes)
    }
    bytes += [0x0D, 0x0A]
  }

  private static func write(_ cell: String, isAlone: Bool, to bytes: inout [UInt8]) {
    let needsQuotes = cell.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), 0x09, 0x0A, 0x0D: true
      default: false
      }
    }
    // White space at an end is kept by every reader only between quotes, and a row of one empty cell is a blank line.
    let hasSpace = cell.first == " " || cell.last == " "
    guard needsQuotes || hasSpace || isAlone && cell.isEmpty else {
      bytes.append(contentsOf: cell.utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
