/// How messages are told apart on a stream of bytes.
///
/// Which one a client speaks shows in its first byte, and it is answered in kind: a letter begins a header, as
/// language servers use them; anything else begins a line.
public enum Framing: String, Sendable, Hashable {
  /// `Content-Length: 52`, an empty line, then that many bytes (Language Server Protocol 3.17, Base Protocol).
  case headers
  /// One message a line, which suits shells.
  case lines

  /// The longest frame that is read, in bytes: 32 MiB.
  public static let frameLimit = 32 << 20

  /// The framing that a stream uses whose first byte, white space aside, is this one.
  init(firstByte: UInt8) {
    let isLetter = (0x41...0x5A).contains(firstByte & ~0x20)
    self = isLetter ? .headers : .lines
  }

  /// Appends one message, which a closure appends, to what goes out: with headers, `Content-Length` alone.
  func append(to output: inout [UInt8], _ message: (inout [UInt8]) -> Void) {
    let start = output.count
    message(&output)
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
  }
}
