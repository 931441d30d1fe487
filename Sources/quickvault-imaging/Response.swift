import ImagingFormats
import Wire

/// A response: a line of JSON, then the bytes of the picture.
struct Response {
  var members: [JSON.Member]
  /// The resulting picture; empty if the job has none.
  var bytes: [UInt8] = []
  private let name: String

  init(_ members: [JSON.Member], bytes: [UInt8] = []) {
    self.members = members
    self.bytes = bytes
    name = "result"
  }

  init(_ error: ImagingError) {
    members = [
      JSON.Member("kind", .string(error.kind)), JSON.Member("message", .string(error.message)),
    ]
    members += error.details
    name = "error"
  }

  var encoded: [UInt8] {
    let line: JSON = .object([
      JSON.Member(name, .object(members)), JSON.Member("bytes", .integer(bytes.count)),
    ])
    return line.utf8 + [0x0A] + bytes
  }
}
