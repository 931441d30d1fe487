import CText

/// The limits of a vault's contents. Lengths are in Unicode code points.
public enum Limits {
  public static let title = 1_000
  public static let value = 100_000
  /// The length of an extra field's label.
  public static let label = 100
  /// The number of tags of a card.
  public static let tags = 64
  /// The length of a tag.
  public static let tag = 100
  public static let extraFields = 64
  /// The size of all texts of a card together, in bytes of UTF-8: 1 MiB. Opening a card takes a few milliseconds then.
  public static let cardBytes = 1 << 20
  public static let attachments = 64
  /// The size of an attachment in bytes (R5).
  public static let attachmentBytes = 10 << 20
  /// Of all cards in the trash together.
  public static let trashedBytes = 256 << 20
  public static let attachmentName = 255
  /// The length of a watermark's text.
  public static let watermark = 200
  public static let watermarkLines = 8
  public static let deviceName = 100
  public static let query = 1_000
  /// The number of different words and phrases of a query.
  public static let queryTerms = 64
  public static let copyTemplate = 10_000
  /// The size of a filled copy template in bytes of UTF-8: 2 MiB.
  public static let copiedBytes = 2 << 20
  /// The length of a card as the text of a form.
  public static let formText = 4_000_000
  /// The number of drafts of forms.
  public static let drafts = 64
  public static let draftText = 200_000
  /// The size of all drafts in bytes of UTF-8.
  public static let draftBytes = 1_000_000
  /// The length of a client's name that drafts belong to.
  public static let clientName = 64
}

extension String {
  /// Whether the text is empty or has only white space and invisible code points.
  public var isBlank: Bool {
    unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
  }

  /// The text without white space at its ends.
  public var trimmed: String {
    var rest = unicodeScalars[...]
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    return String(rest)
  }

  /// A name that a program gives itself, as it fits into the event log and a terminal.
  public var asProgramName: String { asShown(limit: Limits.clientName) }

  /// The text in one line, without invisible characters and those that change the direction.
  ///
  /// - Parameter limit: the number of characters after which it is cut off.
  public func asShown(limit: Int) -> String {
    let shown = unicodeScalars.filter {
      ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        && !$0.properties.isDefaultIgnorableCodePoint
    }
    return String(String(String.UnicodeScalarView(shown)).prefix(limit))
  }

  /// Whether the text is longer than a number of code points.
  public func isLonger(than limit: Int) -> Bool {
    utf8.count > limit && unicodeScalars.count > limit
  }

  /// Whether the text holds a control character that values do not take: none but the tab, and in values of several
  /// lines the line feed and the carriage return. One-line values refuse Unicode's line separators too.
  func hasInvalidCharacter(multiline: Bool) -> Bool {
    unicodeScalars.contains { scalar in
      switch scalar {
      case "\t": false
      case "\n", "\r", "\u{2028}", "\u{2029}": !multiline
      default: scalar.properties.generalCategory == .control
      }
    }
  }

  /// The lines of the text; line feed, carriage return, both together, and Unicode's separators end a line.
  public var lines: [String] {
    var lines: [String] = []
    var line = ""
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar.isLineBreak {
        if scalar != "\n" || previous != "\r" {
          lines.append(line)
          line = ""
        }
      } else {
        line.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return lines + [line]
  }
}

extension Unicode.Scalar {
  /// Whether the code point ends a line.
  var isLineBreak: Bool {
    switch self {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}

/// Finding a text in a line, byte by byte: characters that are written differently are different.
extension Substring {
  public func range(ofFirst part: String) -> Range<Index>? {
    let wanted = Array(part.utf8)
    let offset = unsafe utf8.withContiguousStorageIfAvailable { text in
      unsafe quickvault_find(text.baseAddress, text.count, wanted, wanted.count)
    }
    guard let offset, offset >= 0 else { return nil }
    let start = utf8.index(startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: wanted.count)
  }

  public func range(ofLast part: String) -> Range<Index>? {
    let wanted = Array(part.utf8)
    var start = endIndex
    while start > startIndex {
      start = utf8.index(before: start)
      if utf8[start...].starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
    }
    return nil
  }
}
