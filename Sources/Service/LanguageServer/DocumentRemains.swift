import VaultInterface
import Wire

/// What is kept of an open document over a lock: the words behind triggers and the placeholders. White space stands for the rest.
struct DocumentRemains: Sendable, JSONObject {
  struct Line: Sendable, JSONObject {
    /// From 0.
    var number: Int
    var text: String

    static let coder = ObjectCoder(
      Self.init(number:text:), .required("number", \.number), .required("text", \.text))
  }

  /// The most that is kept of a document, in bytes of UTF-8.
  private static let limit = 64 << 10
  /// The most that is looked at of the lines of a document, in bytes: the lock waits for it.
  private static let readLimit = 128 << 10

  var uri: String
  var version: Int
  var lines: [Line]

  static let coder = ObjectCoder(
    Self.init(uri:version:lines:), .required("uri", \.uri), .required("version", \.version),
    .required("lines", \.lines))

  private init(uri: String, version: Int, lines: [Line]) {
    (self.uri, self.version, self.lines) = (uri, version, lines)
  }

  init(of document: OpenDocument, _ uri: String, _ client: LanguageClient) {
    var size = 0
    var lines: [Line] = []
    for (number, line) in document.lines(with: client.triggers + [Placeholder.opening], limit: Self.readLimit)
    {
      guard line.utf8.count <= Self.readLimit else { break }
      let text = Self.remains(of: line, client)
      size += text.utf8.count
      guard size <= Self.limit else { break }
      lines.append(Line(number: number, text: text))
    }
    self.init(uri: uri, version: document.version, lines: lines)
  }

  /// The line with white space in place of what is neither a word nor a placeholder: as long in the units of the client, except
  /// at the end.
  private static func remains(of line: Substring, _ client: LanguageClient) -> String {
    var (text, end) = ("", line.startIndex)
    for range in ranges(in: line, client.triggers) where range.upperBound > end {
      let start = max(range.lowerBound, end)
      text += String(repeating: " ", count: client.encoding.length(of: line[end..<start]))
      text += line[start..<range.upperBound]
      end = range.upperBound
    }
    return end < line.endIndex ? text + " " : text
  }

  private static func ranges(in line: Substring, _ triggers: [String]) -> [Range<Substring.Index>] {
    let placeholders = Placeholder.all(in: line).map { placeholder in
      line.utf8.index(
        line.startIndex, offsetBy: placeholder.bytes.lowerBound)..<line.utf8.index(
          line.startIndex, offsetBy: placeholder.bytes.upperBound)
    }
    let words = triggers.flatMap { trigger in
      var (found, rest): ([Range<Substring.Index>], Substring) = ([], line)
      while let start = rest.range(ofFirst: trigger) {
        rest = rest[start.upperBound...]
        // One more than a word may have, so that none is made of the beginning of a longer one.
        let word = rest.unicodeScalars.prefix(TypedWord.longest + 1).prefix { !$0.properties.isWhitespace }
        found.append(start.lowerBound..<word.endIndex)
      }
      return found
    }
    return (placeholders + words).sorted { $0.lowerBound < $1.lowerBound }
  }
}
