import ImagingFormats

/// A job on standard input: a line of JSON, then the bytes of the picture.
struct JobInput {
  /// The maximum length of the line, in bytes.
  private static let lineLimit = 16 << 10
  /// The number of bytes by which a type is recognized.
  private static let prefixSize = 4096

  let job: Job
  private var received: [UInt8]

  /// Reads the line.
  ///
  /// - Throws: ``ImagingError/invalidJob(_:)`` and ``ImagingError/tooLarge``.
  init() throws(ImagingError) {
    var line: [UInt8] = []
    while true {
      let bytes = try StandardStreams.read(upTo: 64 << 10)
      guard !bytes.isEmpty else { throw .invalidJob("the job's line is truncated") }
      line += bytes
      guard let end = line.firstIndex(of: 0x0A) else {
        guard line.count <= Self.lineLimit else { throw .invalidJob("the job's line is too long") }
        continue
      }
      job = try Job(line: Array(line[..<end]))
      received = Array(line[(end + 1)...])
      break
    }
    guard job.byteCount <= Job.byteLimit else { throw .tooLarge }
  }

  /// Reads enough bytes to recognize the type, and leaves the rest unread.
  mutating func prefix() throws(ImagingError) -> ArraySlice<UInt8> {
    try receive(atLeast: min(job.byteCount, Self.prefixSize))
    return received.prefix(job.byteCount)
  }

  /// Reads all bytes.
  mutating func bytes() throws(ImagingError) -> [UInt8] {
    received.reserveCapacity(job.byteCount)
    try receive(atLeast: job.byteCount)
    return received.count == job.byteCount ? received : Array(received.prefix(job.byteCount))
  }

  private mutating func receive(atLeast count: Int) throws(ImagingError) {
    while received.count < count {
      let bytes = try StandardStreams.read(upTo: min(count - received.count + 4096, 1 << 20))
      guard !bytes.isEmpty else { throw .invalidJob("fewer bytes than the job declares") }
      received += bytes
    }
  }
}
