/// A position in an XML document, and functions that read its tokens.
struct XMLCursor {
  /// The current line, from 1.
  private(set) var line = 1
  private let text: [UInt8]
  private var position = 0

  /// Starts at the beginning of a document in UTF-8.
  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == text.count }

  /// The byte at this position.
  var current: UInt8? { position < text.count ? text[position] : nil }

  /// The error for a document that is not well-formed at the cursor.
  var malformed: ImportError { .unreadable(.malformed, line: line) }

  private mutating func advance(_ count: Int = 1) {
    for offset in position..<min(position + count, text.count) where text[offset] == 0x0A { line += 1 }
    position = min(position + count, text.count)
  }

  /// Skips a word at the cursor.
  mutating func take(_ word: StaticString) -> Bool {
    guard text[position...].starts(with: word.description.utf8) else { return false }
    advance(word.utf8CodeUnitCount)
    return true
  }

  /// Skips white space, and returns whether there was any.
  @discardableResult mutating func skipWhiteSpace() -> Bool {
    let start = position
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
    return position > start
  }

  /// Skips everything up to the end of the next such word.
  mutating func skip(past word: StaticString) throws(ImportError) {
    while !isAtEnd {
      if take(word) { return }
      advance()
    }
    throw malformed
  }

  /// The name of an element or an attribute.
  mutating func name() throws(ImportError) -> String {
    let start = position
    while let byte = current, Self.isNameByte(byte) { position += 1 }
    guard position > start, position - start <= 200 else { throw malformed }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF,
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Text up to the next tag, its references resolved and its line breaks made line feeds (XML 1.0, section 2.11).
  mutating func content() throws(ImportError) -> String {
    try characters { $0 == UInt8(ascii: "<") }
  }

  /// The content of a section that begins with `<![CDATA[`.
  mutating func characterData() throws(ImportError) -> String {
    var bytes: [UInt8] = []
    while !isAtEnd {
      if take("]]>") { return String(decoding: bytes, as: UTF8.self) }
      try takeByte(into: &bytes)
    }
    throw malformed
  }

  /// The value of an attribute with its quotes.
  mutating func attributeValue() throws(ImportError) -> String {
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw malformed
    }
    advance()
    let value = try characters { $0 == quote || $0 == UInt8(ascii: "<") }
    guard current == quote else { throw malformed }
    advance()
    return value
  }

  private mutating func characters(until isEnd: (UInt8) -> Bool) throws(ImportError) -> String {
    var bytes: [UInt8] = []
    while let byte = current, !isEnd(byte) {
      if byte == UInt8(ascii: "&") {
        bytes += Array(String(try reference()).utf8)
      } else {
        try takeByte(into: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func takeByte(into bytes: inout [UInt8]) throws(ImportError) {
    let byte = text[position]
    advance()
    switch byte {
    case 0x0D where current == 0x0A: break
    case 0x0D:
      bytes.append(0x0A)
      line += 1
    case 0x09, 0x0A, 0x20...0xFF: bytes.append(byte)
    default: throw malformed
    }
  }

  private mutating func reference() throws(ImportError) -> Unicode.Scalar {
    for (word, scalar) in Self.entities where take(word) { return scalar }
    guard take("&#") else { throw malformed }
    let isHexadecimal = take("x")
    var value: UInt32 = 0
    var count = 0
    while let byte = current, byte != UInt8(ascii: ";") {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, isHexadecimal || digit < 10, count < 8
      else { throw malformed }
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
      count += 1
      advance()
    }
    guard count > 0, take(";"), let scalar = Unicode.Scalar(value),
      value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value)
    else { throw malformed }
    return scalar
  }

  private static let entities: [(StaticString, Unicode.Scalar)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
  ]
}

/// Reads the subset of XML 1.0 that data files use: elements, attributes, text, the five predefined entities and character
/// references.
///
/// A document type declaration is an error, which rules out expanding and external entities. Comments
/// and processing instructions are skipped. Nothing is kept: each call of ``next()`` returns one event.
struct XMLReader {
  /// The maximum nesting depth, including the root element.
  static let nestingLimit = 128
  /// How many attributes an element may have.
  static let attributeLimit = 64

  /// A part of a document.
  enum Event: Hashable {
    /// An element starts. An empty element is followed by its end.
    case start(String, attributes: [String: String])
    /// Text of the element that started last; it may come in several pieces.
    case text(String)
    /// An element ends.
    case end(String)
  }

  /// The current line, from 1.
  private(set) var line = 1
  private var cursor: XMLCursor
  private var open: [String] = []
  private var pendingEnd: String?
  private var hasRoot = false

  /// A reader of a document in UTF-8.
  init(_ text: [UInt8]) {
    cursor = XMLCursor(text)
  }

  /// The next event; nil after the end of the outermost element.
  /// - Throws: ``ImportError/unreadable(_:line:)`` for a document that is not well-formed, is nested too deeply, or
  ///   declares a document type.
  mutating func next() throws(ImportError) -> Event? {
    defer { line = cursor.line }
    if let name = pendingEnd {
      pendingEnd = nil
      open.removeLast()
      return .end(name)
    }
    while !cursor.isAtEnd {
      if open.isEmpty { cursor.skipWhiteSpace() }
      if cursor.isAtEnd { break }
      guard cursor.current == UInt8(ascii: "<") else {
        guard !open.isEmpty else { throw cursor.malformed }
        return .text(try cursor.content())
      }
      if cursor.take("<!--") {
        try cursor.skip(past: "-->")
      } else if cursor.take("<?") {
        try cursor.skip(past: "?>")
      } else if cursor.take("<![CDATA[") {
        guard !open.isEmpty else { throw cursor.malformed }
        return .text(try cursor.characterData())
      } else if cursor.take("<!DOCTYPE") {
        throw .unreadable(.documentType, line: cursor.line)
      } else if cursor.take("</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
    guard open.isEmpty, hasRoot else { throw cursor.malformed }
    return nil
  }

  private mutating func startTag() throws(ImportError) -> Event {
    guard !open.isEmpty || !hasRoot else { throw cursor.malformed }
    hasRoot = true
    _ = cursor.take("<")
    let name = try cursor.name()
    var attributes: [String: String] = [:]
    while true {
      let hasSpace = cursor.skipWhiteSpace()
      if cursor.take("/>") {
        pendingEnd = name
        break
      }
      if cursor.take(">") { break }
      guard hasSpace, attributes.count < Self.attributeLimit else { throw cursor.malformed }
      let attribute = try cursor.name()
      cursor.skipWhiteSpace()
      guard cursor.take("=") else { throw cursor.malformed }
      cursor.skipWhiteSpace()
      guard attributes.updateValue(try cursor.attributeValue(), forKey: attribute) == nil else {
        throw cursor.malformed
      }
    }
    open.append(name)
    guard open.count <= Self.nestingLimit else { throw .unreadable(.nestingTooDeep, line: cursor.line) }
    return .start(name, attributes: attributes)
  }

  private mutating func endTag() throws(ImportError) -> Event {
    let name = try cursor.name()
    cursor.skipWhiteSpace()
    guard cursor.take(">"), open.popLast() == name else { throw cursor.malformed }
    return .end(name)
  }
}
