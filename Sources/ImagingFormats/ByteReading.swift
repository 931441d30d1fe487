/// Bounds-checked integer and text access.
extension Array<UInt8> {
  /// Returns the big-endian unsigned integer of `count` (at most 7) bytes, or nil beyond the end.
  func bigEndian(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, count <= 7, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the little-endian unsigned integer of `count` (at most 7) bytes, or nil beyond the end.
  func littleEndian(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, count <= 7, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns whether the bytes at `offset` are those of `word`, which is ASCII.
  func has(_ word: String, at offset: Int) -> Bool {
    offset >= 0 && self.dropFirst(offset).starts(with: word.utf8)
  }

  /// Returns the offset of the first occurrence of `bytes` within a range, which may exceed the array.
  func firstRange(of bytes: [UInt8], in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    guard let first = bytes.first, range.count >= bytes.count else { return nil }
    return (range.lowerBound...(range.upperBound - bytes.count)).first {
      self[$0] == first && self[$0...].starts(with: bytes)
    }
  }

  mutating func append(bigEndian value: Int, count: Int) {
    for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  mutating func replace(bigEndian value: Int, at offset: Int, count: Int) {
    for index in 0..<count {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
    }
  }
}
