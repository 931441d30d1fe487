import Glibc

/// The bytes of a file, read in pieces of one mebibyte.
final class FileBytes {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The first bytes; nil if there are fewer.
  func prefix(_ count: Int) throws -> [UInt8]? {
    let bytes = try piece(at: 0, most: count)
    return bytes.count == count ? bytes : nil
  }

  /// Appends all of them to the file of a descriptor.
  ///
  /// - Parameter report: receives the number of bytes written after each piece. If it throws, writing ends.
  func write(to target: Int32, _ report: (Int64) throws -> Void = { _ in }) throws {
    var offset = 0
    while true {
      let piece = try piece(at: offset)
      guard !piece.isEmpty else { return }
      var position = 0
      while position < piece.count {
        let count = unsafe piece.withUnsafeBytes { bytes in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...])
          return unsafe Glibc.write(target, rest.baseAddress, rest.count)
        }
        guard count >= 0 || errno == EINTR else { throw StoreError(systemError: errno) }
        position += max(count, 0)
      }
      offset += piece.count
      try report(Int64(offset))
    }
  }

  /// Whether another file has the same bytes from an offset on.
  ///
  /// - Throws: also `CancellationError` if the task is cancelled.
  func equals(_ other: FileBytes, from start: Int = 0) throws -> Bool {
    var offset = start
    while true {
      try Task.checkCancellation()
      let (mine, theirs) = (try piece(at: offset), try other.piece(at: offset))
      guard mine == theirs else { return false }
      guard !mine.isEmpty else { return true }
      offset += mine.count
    }
  }

  /// Reads up to `count` bytes from an offset; fewer at the end.
  func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
    try piece(at: offset, most: count)
  }

  private func piece(at offset: Int, most: Int = 1 << 20) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      filled = 0
      while filled < most {
        let target = unsafe buffer.baseAddress.map { unsafe $0 + filled }
        let got = unsafe pread(descriptor, target, most - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw StoreError(systemError: errno) }
        guard got > 0 else { return }
        filled += got
      }
    }
  }
}
