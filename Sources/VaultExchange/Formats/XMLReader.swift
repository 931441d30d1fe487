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
