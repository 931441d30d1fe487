/// Names and values as lines `name=value`, the stored form of the settings and of other documents.
///
/// In a value, a line break is written `\n` and a backslash `\\`. Unknown names are kept, so that an older program does
/// not lose what a newer one has set. Everything works on code points: a value may begin with a combining mark, which
/// would form one character with the `=`, or end in a carriage return.
package struct KeyValueText: Hashable, Sendable {
  /// The document that holds the settings.
  package static let documentName = "settings"
  /// The name of the time of the last change, in milliseconds since 1970 UTC.
  package static let changedAt = "changedAt"

  private var values: [String: String] = [:]

  package init() {}

  /// Reads lines; nil if one of them is not `name=value`.
  ///
  /// Lines and names are split at bytes, since a value may begin with an accent or end in a carriage return.
  package init?(_ text: String) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else { return nil }
      guard let value = Self.unescape(Substring(line[line.index(after: equals)...])) else { return nil }
      values[String(Substring(line[..<equals]))] = value
    }
  }

  /// The lines, ordered by name.
  package var text: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escape($0.value))\n" }.joined()
  }

  /// A value by its name; setting nil lets it go.
  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The names that have a value.
  package var names: [String] { Array(values.keys) }

  private static func escape(_ value: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func unescape(_ value: Substring) -> String? {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return String(value) }
    var text = String.UnicodeScalarView()
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": text.append("\\")
      case "n": text.append("\n")
      default: return nil
      }
    }
    return String(text)
  }
}
