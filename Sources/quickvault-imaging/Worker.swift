import CImaging
import Glibc
import ImagingFormats
import Wire

/// Runs one job from standard input to standard output.
///
/// The job's line is trusted: libvips starts and the text is converted to outlines. The process then gives up files,
/// sockets and other programs for good. Only after that are the untrusted bytes of the picture read.
enum Worker {
  /// The limit for a job, in seconds of both processor time and elapsed time.
  private static let seconds: UInt32 = 60

  /// Returns the exit status: 0 after a response, 64 if there are arguments, 74 if writing failed (sysexits(3)).
  static func run() -> Int32 {
    guard CommandLine.arguments.count == 1 else {
      StandardStreams.writeError(
        "quickvault-imaging takes no arguments; see protocol/IMAGING.md\n")
      return 64
    }
    var response: Response
    do {
      response = try perform()
    } catch {
      response = Response(error)
    }
    return StandardStreams.write(response.encoded) ? 0 : 74
  }

  private static func perform() throws(ImagingError) -> Response {
    guard imaging_limit(seconds) == 0 else { throw .sandboxUnavailable }
    var input = try JobInput()
    let job = input.job
    let type = try ContentType.recognize(input.prefix())
    try job.checkSupport(for: type)
    try Library.check(imaging_start(type.format))
    let text = try job.watermark.map { watermark throws(ImagingError) in try Outlines(watermark.text) }
    StandardStreams.discardErrors()
    let confinement = try Library.confine(for: type)

    let picture = try Picture(bytes: input.bytes(), type: type)
    var response = try picture.perform(job, text: text)
    response.members.append(JSON.Member("sandbox", .string(confinement)))
    return response
  }
}

extension Job {
  /// Throws if the type does not support the task.
  fileprivate func checkSupport(for type: ContentType) throws(ImagingError) {
    guard type == .pdf else { return }
    switch task {
    case .watermark: throw .watermarkUnsupported
    case .strip: throw .stripUnsupported
    case .check, .thumbnail: return
    }
  }
}

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

/// The process's standard input, output and error.
enum StandardStreams {
  /// Reads up to `count` bytes; an empty array means end of input.
  ///
  /// - Throws: ``ImagingError/invalidJob(_:)`` if reading fails.
  static func read(upTo count: Int) throws(ImagingError) -> [UInt8] {
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var received = unsafe Glibc.read(0, buffer.baseAddress, count)
      while received < 0, errno == EINTR { received = unsafe Glibc.read(0, buffer.baseAddress, count) }
      failed = received < 0
      filled = max(received, 0)
    }
    guard !failed else { throw .invalidJob("standard input cannot be read") }
    return bytes
  }

  /// Writes all bytes to standard output.
  ///
  /// - Returns: false if writing failed.
  static func write(_ bytes: [UInt8]) -> Bool {
    write(bytes, to: 1)
  }

  static func writeError(_ text: String) {
    _ = write(Array(text.utf8), to: 2)
  }

  /// Redirects standard error to /dev/null: libraries' messages may quote the picture.
  static func discardErrors() {
    let null = unsafe open("/dev/null", O_WRONLY)
    guard null >= 0 else { return }
    dup2(null, 2)
    close(null)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var position = 0
    while position < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: position), buffer.count - position)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      position += written
    }
    return true
  }
}
