/// The framing of messages on a stream, detected by the first byte: a letter begins a header, anything else a line.
package enum Framing: String, Sendable, Hashable {
  /// `Content-Length: 52`, an empty line, then that many bytes (Language Server Protocol 3.17, Base Protocol).
  case headers
  /// One message per line, for shells.
  case lines

  /// The maximum length of a message in bytes: 32 MiB.
  package static let frameLimit = 32 << 20

  /// - Parameter firstByte: the first byte of the stream that is not white space.
  init(firstByte: UInt8) {
    let isLetter = (0x41...0x5A).contains(firstByte & ~0x20)
    self = isLetter ? .headers : .lines
  }

  /// Appends a message in this framing; the closure appends its text. One with more bytes than `limit` is removed again.
  ///
  /// - Returns: whether the message was appended.
  @discardableResult
  func append(to output: inout [UInt8], upTo limit: Int = .max, _ message: (inout [UInt8]) -> Void) -> Bool {
    let start = output.count
    guard output.append(upTo: limit, message) else { return false }
    switch self {
    case .headers:
      var header: [UInt8] = []
      header.reserveCapacity(40)
      header.append("Content-Length: ")
      header.append(decimal: output.count - start)
      header.append("\r\n\r\n")
      output.insert(contentsOf: header, at: start)
    case .lines: output.append(0x0A)
    }
    return true
  }
}
