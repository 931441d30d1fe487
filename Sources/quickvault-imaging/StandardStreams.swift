import Glibc
import ImagingFormats

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
