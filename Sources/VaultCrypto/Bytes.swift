// Integers in the vault format are big-endian throughout.

extension RawSpan {
  /// The integer whose most significant byte is at `offset`. The caller has checked that it lies inside.
  func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    unsafe Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension MutableRawSpan {
  /// Stores an integer with its most significant byte at `offset`. There must be room for it.
  mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(bigEndian value: Value, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: Value.self)
  }

  /// Copies bytes to `offset`. There must be room for it.
  mutating func copy(_ source: RawSpan, at offset: Int) {
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: bytes)
      }
    }
  }

  /// Stores the bytes of a compile-time string at `offset`.
  mutating func store(_ text: StaticString, at offset: Int) {
    unsafe withUnsafeMutableBytes { target in
      text.withUTF8Buffer { source in
        for index in 0..<source.count { unsafe target[offset + index] = source[index] }
      }
    }
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes. `Span.bytes` counts as unsafe because elements may have padding; bytes have none.
  @inlinable package func withRawSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let span = unsafe span.bytes
    return try body(span)
  }

  /// Calls `body` with the bytes for writing.
  mutating func withMutableRawSpan<Result, Failure: Error>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var elements = mutableSpan
    var span = unsafe elements.mutableBytes
    return try body(&span)
  }

  /// Appends an integer, most significant byte first.
  @inlinable package mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
    for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }
}
