import JSON

/// What is written to standard output: a line of JSON, then the bytes that it counts.
struct Answer {
  /// What the result says of itself.
  var members: [JSON.Member]
  /// The picture; empty where there is none.
  var bytes: [UInt8] = []
  private let name: String

  /// A result.
  init(_ members: [JSON.Member], bytes: [UInt8] = []) {
    self.members = members
    self.bytes = bytes
    name = "result"
  }

  /// An error.
  init(_ error: ImagingError) {
    members = [
      JSON.Member("kind", .string(error.kind)), JSON.Member("message", .string(error.message)),
    ]
    members += error.details
    name = "error"
  }

  /// The line and the bytes.
  var encoded: [UInt8] {
    let line: JSON = .object([
      JSON.Member(name, .object(members)), JSON.Member("bytes", .integer(bytes.count)),
    ])
    return line.utf8 + [0x0A] + bytes
  }
}
