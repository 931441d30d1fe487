/// Reading of numbers and words at places that may not be there.
extension Array<UInt8> {
  /// The number of so many bytes, the most significant first; nil beyond the end.
  func bigEndian(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, count <= 7, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The number of so many bytes, the least significant first; nil beyond the end.
  func littleEndian(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, count <= 7, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether the word, of characters below 128, stands there.
  func has(_ word: String, at offset: Int) -> Bool {
    offset >= 0 && self.dropFirst(offset).starts(with: word.utf8)
  }

  /// Where the bytes stand first within a range; nil where they do not.
  func firstRange(of bytes: [UInt8], in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    guard let first = bytes.first, range.count >= bytes.count else { return nil }
    return (range.lowerBound...(range.upperBound - bytes.count)).first {
      self[$0] == first && self[$0...].starts(with: bytes)
    }
  }

  /// Appends a number in so many bytes, the most significant first.
  mutating func append(bigEndian value: Int, count: Int) {
    for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  /// Writes a number over so many bytes, the most significant first.
  mutating func replace(bigEndian value: Int, at offset: Int, count: Int) {
    for index in 0..<count {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
    }
  }
}
