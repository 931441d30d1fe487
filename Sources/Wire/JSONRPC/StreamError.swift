/// Why a stream cannot be split into frames any more, so that the connection is closed.
package enum StreamError: String, Error, Hashable, Sendable {
  /// A header line is not `name: value`.
  case malformedHeader
  /// The headers ended without `Content-Length`.
  case missingLength
  /// `Content-Length` is not a number that fits 63 bits, or was given twice with different numbers.
  case malformedLength
  /// The headers go on for more than 16 KiB.
  case headerTooLong
  /// The stream ended inside a frame.
  case truncated

  /// The message for standard error.
  package var description: String {
    switch self {
    case .malformedHeader: "a header line is not of the form \"Content-Length: 123\""
    case .missingLength: "the headers end without Content-Length"
    case .malformedLength: "Content-Length is not one number that can be followed"
    case .headerTooLong: "the headers go on for more than 16 KiB"
    case .truncated: "the input ends inside a message"
    }
  }
}
