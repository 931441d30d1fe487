/// The message on standard input: a line of JSON, then the bytes that it counts.
struct JobInput {
  /// The most bytes that a picture may have. The vault takes 10 MiB; a marked PNG may be larger than its source.
  static let mostBytes = 64 << 20
  /// The most bytes that the line may have.
  static let longestLine = 16 << 10
  /// How many bytes tell a type.
  private static let enoughToRecognize = 4096

  /// What is to be done.
  let job: Job
  private var received: [UInt8]

  /// Reads the line.
  ///
  /// - Throws: ``ImagingError/invalidJob(_:)`` and ``ImagingError/tooLarge``.
  init() throws(ImagingError) {
    var line: [UInt8] = []
    while true {
      let bytes = try StandardStreams.read(upTo: 64 << 10)
      guard !bytes.isEmpty else { throw .invalidJob("the line of the job does not end") }
      line += bytes
      guard let end = line.firstIndex(of: 0x0A) else {
        guard line.count <= Self.longestLine else { throw .invalidJob("the line of the job is too long") }
        continue
      }
      job = try Job(line: Array(line[..<end]))
      received = Array(line[(end + 1)...])
      break
    }
    guard job.byteCount <= Self.mostBytes else { throw .tooLarge }
  }

  /// Enough of the bytes to tell what they are; the rest stays unread.
  mutating func beginning() throws(ImagingError) -> ArraySlice<UInt8> {
    try receive(atLeast: min(job.byteCount, Self.enoughToRecognize))
    return received.prefix(job.byteCount)
  }

  /// All bytes.
  mutating func rest() throws(ImagingError) -> [UInt8] {
    received.reserveCapacity(job.byteCount)
    try receive(atLeast: job.byteCount)
    return received.count == job.byteCount ? received : Array(received.prefix(job.byteCount))
  }

  private mutating func receive(atLeast count: Int) throws(ImagingError) {
    while received.count < count {
      let bytes = try StandardStreams.read(upTo: min(count - received.count + 4096, 1 << 20))
      guard !bytes.isEmpty else { throw .invalidJob("fewer bytes than the job counts") }
      received += bytes
    }
  }
}
