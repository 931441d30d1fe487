import VaultInterface

/// The client's copy of a document.
package struct OpenDocument: Sendable {
  /// The version that the client gave it; it grows with each change.
  package let version: Int
  /// Whether it is the whole text, and not what was kept of it over a lock.
  package let isComplete: Bool
  private let text: String

  /// The bytes of the text in UTF-8.
  var size: Int { text.utf8.count }

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
    var (offset, left, isAfterReturn) = (0, number, false)
    for byte in text.utf8 {
      let isPair = isAfterReturn && byte == 0x0A
      guard left > 0 || isPair else { break }
      offset += 1
      if !isPair, byte == 0x0A || byte == 0x0D { left -= 1 }
      isAfterReturn = byte == 0x0D
    }
    guard left == 0 else { return nil }
    let start = text.utf8.index(text.startIndex, offsetBy: offset)
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

  /// Returns the places of parts of a line, in ascending order.
  package func places(
    of ranges: [Range<String.Index>], in line: Substring, _ number: Int, of uri: String,
    _ encoding: PositionEncoding
  ) -> [EditTarget] {
    var (end, count) = (line.startIndex, 0)
    func position(_ index: String.Index) -> Position {
      count += encoding.length(of: line[end..<index])
      end = index
      return Position(line: number, character: count)
    }
    return ranges.map { range in
      let start = position(range.lowerBound)
      return EditTarget(
        uri: uri, range: DocumentRange(start: start, end: position(range.upperBound)),
        text: String(line[range]))
    }
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

  /// Returns the number and the text of each line in which one of several texts occurs, in a time that grows with the text's length.
  ///
  /// - Parameter limit: the bytes of such lines after which no more are looked for; each counts for 64 more.
  package func lines(with parts: [String], limit: Int = .max) -> [(number: Int, line: Substring)] {
    func next(_ part: String, from start: String.Index) -> String.Index? {
      text[start...].range(ofFirst: part)?.lowerBound
    }
    var hits = parts.map { next($0, from: text.startIndex) }
    guard !hits.allSatisfy({ $0 == nil }) else { return [] }
    let bytes = Array(text.utf8)
    var found: [(number: Int, line: Substring)] = []
    var (number, start, position, size) = (0, 0, 0, 0)
    while let hit = hits.compactMap(\.self).min(), size < limit {
      let offset = text.utf8.distance(from: text.startIndex, to: hit)
      while position < offset {
        let isEnd = bytes[position] == 0x0A || bytes[position] == 0x0D && bytes[position + 1] != 0x0A
        position += 1
        if isEnd { (number, start) = (number + 1, position) }
      }
      let lineStart = text.utf8.index(text.startIndex, offsetBy: start)
      let end = endOfLine(from: hit)?.end ?? text.endIndex
      found.append((number, text[lineStart..<end]))
      size += text.utf8.distance(from: lineStart, to: end) + 64
      for (index, part) in parts.enumerated() {
        if let hit = hits[index], hit < end { hits[index] = next(part, from: end) }
      }
    }
    return found
  }

  private func endOfLine(from start: String.Index) -> (end: String.Index, next: String.Index)? {
    let bytes = text.utf8
    guard let end = bytes[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
    let next = bytes.index(after: end)
    let isPair = bytes[end] == 0x0D && next < bytes.endIndex && bytes[next] == 0x0A
    return (end, isPair ? bytes.index(after: next) : next)
  }
}
