import VaultInterface

/// The client's copy of a document.
package struct OpenDocument: Sendable {
  /// The version that the client gave it; it grows with each change.
  package let version: Int
  /// Whether it is the whole text, and not what was kept of it over a lock.
  package let isComplete: Bool
  private let text: String

  package init(version: Int, text: String) {
    (self.version, self.text, isComplete) = (version, text, true)
  }

  init(_ remains: DocumentRemains) {
    (version, isComplete) = (remains.version, false)
    var (text, number) = ("", 0)
    for line in remains.lines {
      text += String(repeating: "\n", count: max(line.number - number, 0)) + line.text
      number = line.number
    }
    self.text = text
  }

  /// Returns a line without its end, which is LF, CR LF or CR; nil if the document does not have it.
  package func line(_ number: Int) -> Substring? {
    guard number >= 0 else { return nil }
    var start = text.startIndex
    for _ in 0..<number {
      guard let next = endOfLine(from: start)?.next else { return nil }
      start = next
    }
    return text[start..<(endOfLine(from: start)?.end ?? text.endIndex)]
  }

  /// Returns the text of a range, as far as the document has it.
  package func text(in range: DocumentRange, _ encoding: PositionEncoding) -> Substring {
    guard let first = line(range.start.line) else { return "" }
    let start = encoding.index(in: first, after: range.start.character)
    let last = line(range.end.line)
    let end = last.map { encoding.index(in: $0, after: range.end.character) } ?? text.endIndex
    return start < end ? text[start..<end] : ""
  }

  /// Returns the place of a part of a line.
  package func place(
    of range: Range<String.Index>, in line: Substring, _ number: Int, of uri: String,
    _ encoding: PositionEncoding
  ) -> EditTarget {
    let positions = [range.lowerBound, range.upperBound].map {
      Position(line: number, character: encoding.length(of: line[..<$0]))
    }
    return EditTarget(
      uri: uri, range: DocumentRange(start: positions[0], end: positions[1]), text: String(line[range]))
  }

  /// The number and the text of each line in which one of several texts occurs.
  package func lines(with parts: [String]) -> [(number: Int, line: Substring)] {
    guard parts.contains(where: { text[...].range(ofFirst: $0) != nil }) else { return [] }
    var (found, number, start): ([(number: Int, line: Substring)], Int, String.Index) = (
      [], 0, text.startIndex
    )
    while true {
      let end = endOfLine(from: start)
      let line = text[start..<(end?.end ?? text.endIndex)]
      if parts.contains(where: { line.range(ofFirst: $0) != nil }) { found.append((number, line)) }
      guard let end else { return found }
      (start, number) = (end.next, number + 1)
    }
  }

  private func endOfLine(from start: String.Index) -> (end: String.Index, next: String.Index)? {
    let bytes = text.utf8
    guard let end = bytes[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
    let next = bytes.index(after: end)
    let isPair = bytes[end] == 0x0D && next < bytes.endIndex && bytes[next] == 0x0A
    return (end, isPair ? bytes.index(after: next) : next)
  }
}
