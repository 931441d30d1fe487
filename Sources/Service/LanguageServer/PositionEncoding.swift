/// How a client counts the characters before a position in a line (LSP 3.17, `PositionEncodingKind`).
package enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The first of `offered` that this program knows; UTF-16 for a client that offers none, as LSP 3.16 had no other.
  package init(offered: [String]) {
    self = offered.lazy.compactMap(Self.init).first ?? .utf16
  }

  /// The length of a text in this encoding's units.
  package func length(of text: some StringProtocol) -> Int {
    switch self {
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    case .utf32: text.unicodeScalars.count
    }
  }

  /// The place in a line after `offset` units: the end for a larger one, and before a character for one inside it.
  package func index(in line: Substring, after offset: Int) -> String.Index {
    var rest = offset
    for index in line.unicodeScalars.indices {
      let width = width(of: line.unicodeScalars[index])
      if rest < width { return index }
      rest -= width
    }
    return line.endIndex
  }

  private func width(of scalar: Unicode.Scalar) -> Int {
    switch self {
    case .utf8: UTF8.width(scalar)
    case .utf16: UTF16.width(scalar)
    case .utf32: 1
    }
  }
}
