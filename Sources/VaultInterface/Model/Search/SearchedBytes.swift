import CText

/// Bytes that are searched where they lie: those of a record, or of texts that were folded. The letters A to Z among them
/// count as small ones.
///
/// A view, valid only during a search.
@safe
struct SearchedBytes {
  /// The first of them.
  let start: UnsafeRawPointer
  /// The number of bytes.
  let count: Int

  init(_ start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// One of them, as it is.
  subscript(position: Int) -> UInt8 { unsafe start.load(fromByteOffset: position, as: UInt8.self) }

  /// One of them, a letter A to Z as a small one.
  func small(_ position: Int) -> UInt8 {
    let byte = self[position]
    return byte | (byte &- 65 < 26 ? 0x20 : 0)
  }

  /// The bits that are set in the bytes from 0x80 on: of eight from a position on the highest ones, the first byte's the
  /// lowest. Those beyond the end have none.
  @inline(__always)
  func highBits(from position: Int) -> UInt64 {
    guard count &- position >= 8 else { return lastHighBits(from: position) }
    let eight = unsafe start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    return UInt64(littleEndian: eight) & 0x8080_8080_8080_8080
  }

  @inline(never)
  private func lastHighBits(from position: Int) -> UInt64 {
    var high: UInt64 = 0
    for place in position..<count { high |= UInt64(self[place] & 0x80) << UInt64(8 * (place - position)) }
    return high
  }

  /// Whether a code point may occur whose folding is more than lowercasing A to Z.
  func mayFold(in range: Range<Int>) -> Bool {
    unsafe withBytes(in: range) { unsafe quickvault_may_fold($0, range.count) != 0 }
  }

  /// Whether a word that was folded occurs.
  func contains(_ word: [UInt8], in range: Range<Int>) -> Bool {
    unsafe withBytes(in: range) { unsafe quickvault_contains($0, range.count, word, word.count) != 0 }
  }

  /// Whether a number occurs, however its digits are grouped.
  func contains(_ number: GroupedNumber, in range: Range<Int>) -> Bool {
    unsafe withBytes(in: range) {
      unsafe quickvault_contains_number(
        $0, range.count, number.elements, number.borders, number.elements.count) != 0
    }
  }

  /// Whether a range begins with a word that was folded; it must be folded too.
  func begins(with word: [UInt8], in range: Range<Int>) -> Bool {
    range.count >= word.count && contains(word, in: range.lowerBound..<range.lowerBound + word.count)
  }

  private func withBytes(in range: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
    unsafe body((start + range.lowerBound).assumingMemoryBound(to: UInt8.self))
  }
}
