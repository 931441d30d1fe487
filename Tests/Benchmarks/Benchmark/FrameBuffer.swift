/// Splits input into frames with a `Content-Length` header.
struct FrameBuffer {
  private var bytes = [UInt8](repeating: 0, count: 256 << 10)
  private var start = 0
  private var end = 0

  /// The range of ``body`` in the buffer.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// The content of the next complete frame, valid until ``fill(_:)``; nil if more input is needed.
  ///
  /// - Throws: ``BenchmarkError/wrong(_:)`` for an invalid frame.
  mutating func next() throws -> Range<Int>? {
    guard let header = Self.header(bytes[start..<end]) else {
      guard end - start < 4_096 else { throw BenchmarkError.wrong("a header without an end") }
      return nil
    }
    guard let length = header.length else { throw BenchmarkError.wrong("a header without a length") }
    guard end - header.end >= length else { return nil }
    start = header.end + length
    return header.end..<start
  }

  /// Adds input.
  ///
  /// - Parameter read: writes to the given memory and returns the number of bytes.
  /// - Returns: what `read` returned.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows -> Int {
    if start == end {
      (start, end) = (0, 0)
    } else if end == bytes.count {
      if start > 0 {
        bytes.replaceSubrange(0..<(end - start), with: bytes[start..<end])
        (start, end) = (0, end - start)
      } else {
        bytes += [UInt8](repeating: 0, count: bytes.count)
      }
    }
    let end = end
    let count = try unsafe bytes.withUnsafeMutableBytes {
      try unsafe read(UnsafeMutableRawBufferPointer(rebasing: $0[end...]))
    }
    self.end += count
    return count
  }

  private static func header(_ bytes: ArraySlice<UInt8>) -> (length: Int?, end: Int)? {
    var length: Int?
    var position = bytes.startIndex
    while let lineEnd = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[position..<lineEnd]
      position = lineEnd + 1
      if line.count <= 1 { return (length, position) }
      length = Self.length(line) ?? length
    }
    return nil
  }

  private static func length(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.starts(with: "Content-Length:".utf8) else { return nil }
    var value = 0
    for byte in line.dropFirst(15) where (0x30...0x39).contains(byte) {
      value = value * 10 + Int(byte - 0x30)
      guard value < 1 << 30 else { return nil }
    }
    return value
  }
}
