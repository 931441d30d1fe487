package import Wire

/// Finds the parts of a large JSON text without parsing them, so that one part is parsed at a time.
///
/// The parts are not checked here; ``JSONReader`` checks each of them.
package struct JSONElements {
  /// How many commas a part may hold: a card has some hundred.
  static let commaLimit = 50_000

  /// A part of the text, and the line in which it begins, from 1.
  package struct Part: Hashable {
    var range: Range<Int>
    var line: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  private init(_ bytes: [UInt8], at part: Part) {
    self.bytes = bytes
    position = part.range.lowerBound
    line = part.line
  }

  /// The range of a whole text.
  static func whole(_ bytes: [UInt8]) -> Part {
    Part(range: 0..<bytes.count, line: 1)
  }

  /// The members of the text, which is an object.
  /// - Throws: ``ImportError/unreadable(_:line:)`` if it is not an object.
  package static func members(of bytes: [UInt8]) throws(ImportError) -> [(name: String, part: Part)] {
    try members(of: whole(bytes), in: bytes)
  }

  /// The members of a part, which is an object.
  /// - Throws: ``ImportError/unreadable(_:line:)`` if it is not an object.
  static func members(
    of object: Part, in bytes: [UInt8]
  ) throws(ImportError) -> [(name: String, part: Part)] {
    var scan = JSONElements(bytes, at: object)
    var members: [(String, Part)] = []
    try scan.sequence(from: "{", to: "}") { scan throws(ImportError) in
      let name = try scan.part()
      guard case .string(let text)? = try? JSONReader.read(Array(bytes[name.range])) else {
        throw scan.malformed
      }
      scan.skipWhiteSpace()
      guard scan.take(UInt8(ascii: ":")) else { throw scan.malformed }
      scan.skipWhiteSpace()
      members.append((text, try scan.part()))
      guard members.count <= 1_000 else { throw scan.malformed }
    }
    if scan.position < object.range.upperBound { scan.skipWhiteSpace() }
    guard scan.position == object.range.upperBound else { throw scan.malformed }
    return members
  }

  /// Calls `body` with each element of an array.
  /// - Throws: ``ImportError/unreadable(_:line:)`` if the part is not an array; rethrows the errors of `body`.
  static func forEach(
    of array: Part, in bytes: [UInt8], _ body: (Part) throws(ImportError) -> Void
  ) throws(ImportError) {
    var scan = JSONElements(bytes, at: array)
    try scan.sequence(from: "[", to: "]") { scan throws(ImportError) in try body(try scan.part()) }
    if scan.position < array.range.upperBound { scan.skipWhiteSpace() }
    guard scan.position == array.range.upperBound else { throw scan.malformed }
  }

  /// Reads a part; nil if it is not JSON, or is far larger than an entry can be.
  package static func read(_ part: Part, of bytes: [UInt8]) -> JSON? {
    let slice = bytes[part.range]
    guard slice.lazy.filter({ $0 == UInt8(ascii: ",") }).count <= commaLimit || hasFewCommas(slice) else {
      return nil
    }
    return try? JSONReader.read(Array(slice))
  }

  private static func hasFewCommas(_ slice: ArraySlice<UInt8>) -> Bool {
    var count = 0
    var (isString, isEscaped) = (false, false)
    for byte in slice {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isString
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      } else if byte == UInt8(ascii: ","), !isString {
        count += 1
      }
    }
    return count <= commaLimit
  }

  private var malformed: ImportError { .unreadable(.malformed, line: line) }

  private mutating func sequence(
    from begin: Unicode.Scalar, to end: Unicode.Scalar,
    _ element: (inout JSONElements) throws(ImportError) -> Void
  ) throws(ImportError) {
    let end = UInt8(ascii: end)
    skipWhiteSpace()
    guard take(UInt8(ascii: begin)) else { throw malformed }
    skipWhiteSpace()
    if take(end) { return }
    repeat {
      skipWhiteSpace()
      try element(&self)
      skipWhiteSpace()
    } while take(UInt8(ascii: ","))
    guard take(end) else { throw malformed }
  }

  /// Skips one value.
  private mutating func part() throws(ImportError) -> Part {
    let (start, startLine) = (position, line)
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        try skipString()
        if depth == 0 { return Part(range: start..<position, line: startLine) }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return try finished(start, startLine) }
        depth -= 1
        position += 1
        if depth == 0 { return Part(range: start..<position, line: startLine) }
        continue
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { return try finished(start, startLine) }
      case 0x20, 0x0D, 0x09:
        if depth == 0 { return try finished(start, startLine) }
      case 0x0A:
        if depth == 0 { return try finished(start, startLine) }
        line += 1
      default: break
      }
      position += 1
    }
    guard depth == 0 else { throw malformed }
    return try finished(start, startLine)
  }

  private func finished(_ start: Int, _ startLine: Int) throws(ImportError) -> Part {
    guard position > start else { throw malformed }
    return Part(range: start..<position, line: startLine)
  }

  private mutating func skipString() throws(ImportError) {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\") { position += 1 }
      if byte == 0x0A { line += 1 }
    }
    position = min(position, bytes.count)
    throw malformed
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
      if bytes[position] == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}
