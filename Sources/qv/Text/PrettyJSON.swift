import Wire

extension JSON {
  /// The value on several lines, indented by two spaces, with a line break at the end.
  var prettyText: [UInt8] {
    var bytes: [UInt8] = []
    writePretty(to: &bytes, depth: 0)
    bytes.append(0x0A)
    return bytes
  }

  private func writePretty(to bytes: inout [UInt8], depth: Int) {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      Self.writeLines("[", "]", elements.count, to: &bytes, depth) { index, bytes in
        elements[index].writePretty(to: &bytes, depth: depth + 1)
      }
    case .object(let members) where !members.isEmpty:
      Self.writeLines("{", "}", members.count, to: &bytes, depth) { index, bytes in
        JSON.string(members[index].name).write(to: &bytes)
        bytes.append(": ")
        members[index].value.writePretty(to: &bytes, depth: depth + 1)
      }
    default: write(to: &bytes)
    }
  }

  private static func writeLines(
    _ open: StaticString, _ close: StaticString, _ count: Int, to bytes: inout [UInt8], _ depth: Int,
    _ write: (Int, inout [UInt8]) -> Void
  ) {
    bytes.append(open)
    for index in 0..<count {
      if index > 0 { bytes.append(",") }
      bytes.append(0x0A)
      bytes.append(contentsOf: repeatElement(0x20, count: 2 * (depth + 1)))
      write(index, &bytes)
    }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    bytes.append(close)
  }
}
