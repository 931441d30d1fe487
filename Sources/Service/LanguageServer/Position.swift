package import Wire

/// A place in a document (LSP 3.17, `Position`).
package struct Position: ResultObject, Hashable, Comparable {
  /// The line, from 0.
  package var line: Int
  /// The units of the client's ``PositionEncoding`` before it in the line.
  package var character: Int

  package init(line: Int, character: Int) {
    (self.line, self.character) = (line, character)
  }

  package static let coder = ObjectCoder(
    Self.init(line:character:), .required("line", \.line), .required("character", \.character))

  package static func < (left: Position, right: Position) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// A part of a document (LSP 3.17, `Range`). The end is not part of it.
package struct DocumentRange: ResultObject, Hashable {
  package var start: Position
  package var end: Position

  package init(start: Position, end: Position) {
    (self.start, self.end) = (start, end)
  }

  package static let coder = ObjectCoder(
    Self.init(start:end:), .required("start", \.start), .required("end", \.end))

  package var isEmpty: Bool { start >= end }

  /// Whether the range is in one line and contains its end.
  package var hasEndOfLine: Bool {
    end.character == 0 && start.line >= 0 && end.line > start.line && end.line - start.line == 1
  }
}
