import Glibc

/// Reading and writing of the three descriptors that the process was started with.
enum StandardStreams {
  /// Reads up to so many bytes; none at the end of the input.
  ///
  /// - Throws: ``ImagingError/invalidJob(_:)`` where the input cannot be read.
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
  /// - Returns: whether they could be written.
  static func write(_ bytes: [UInt8]) -> Bool {
    write(bytes, to: 1)
  }

  /// Writes to standard error.
  static func complain(_ text: String) {
    _ = write(Array(text.utf8), to: 2)
  }

  /// Sends what libraries print to nowhere: it may repeat what a picture says.
  static func silenceErrors() {
    let nowhere = unsafe open("/dev/null", O_WRONLY)
    guard nowhere >= 0 else { return }
    dup2(nowhere, 2)
    close(nowhere)
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
