import CText

/// The memory that a search over records works in, used again for one record after another.
///
/// It holds folded text of the record looked at last, so it is wiped before it is let go, when it grows, and by
/// ``wipe()`` at the end of a search.
@safe
public struct SearchBuffer: ~Copyable {
  /// A searched text of the record, folded.
  struct Segment {
    let role: CardRecord.Role
    /// The offsets of the key in the record.
    let key: Range<Int>
    /// The offsets of the value in the record.
    let value: Range<Int>
    /// The offsets of the folded text in the buffer.
    let text: Range<Int>
    /// The offsets of the folded label of an extra field, if it was asked for.
    let label: Range<Int>
  }

  private var memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  var segments: [Segment] = []
  private var marks = MarkRun()
  private var used = 0

  public init() {
    unsafe memory = .allocate(capacity: 4096)
    unsafe memory.initialize(repeating: 0)
  }

  deinit {
    unsafe memory.update(repeating: 0)
    unsafe memory.deallocate()
  }

  /// Overwrites with zeros everything that was written since the last wipe.
  public mutating func wipe() {
    removeAll()
    for index in 0..<used { unsafe memory[index] = 0 }
    used = 0
  }

  /// Calls `body` with the content.
  func withBytes<Value>(_ body: (SearchedBytes) -> Value) -> Value? {
    guard let start = unsafe memory.baseAddress else { return nil }
    return unsafe body(SearchedBytes(start, count: count))
  }

  mutating func removeAll() {
    used = max(used, count)
    count = 0
    segments.removeAll(keepingCapacity: true)
  }

  /// Makes room for a number of bytes in all.
  private mutating func reserve(_ total: Int) {
    guard unsafe total > memory.count else { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: total * 2)
    unsafe larger.initialize(repeating: 0)
    for index in 0..<count { unsafe larger[index] = unsafe memory[index] }
    unsafe memory.update(repeating: 0)
    unsafe memory.deallocate()
    unsafe memory = unsafe larger
    used = count
  }

  private mutating func append(_ byte: UInt8) {
    if unsafe count >= memory.count { reserve(count + 1) }
    unsafe memory[count] = byte
    count += 1
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
  }
}

extension SearchBuffer {
  /// Adds the folded form of a text of the record as a segment. Invalid UTF-8 becomes U+FFFD.
  ///
  /// - Parameter withLabel: whether the label is folded too.
  /// - Returns: the number of code points that were looked up in Unicode's tables, which takes long.
  mutating func addSegment(_ entry: CardRecord.Entry, of record: RawSpan, withLabel: Bool = false) -> Int {
    var lookups = 0
    let label = withLabel ? add(entry.key, of: record, &lookups) : count..<count
    let text = add(entry.value, of: record, &lookups)
    segments.append(
      Segment(role: entry.role, key: entry.key, value: entry.value, text: text, label: label))
    return lookups
  }

  private mutating func add(_ text: Range<Int>, of record: RawSpan, _ lookups: inout Int) -> Range<Int> {
    let start = count
    var position = text.lowerBound
    let end = text.upperBound
    reserve(count + 3 * (end - position) + 16)
    while position < end {
      let byte = CardRecord.byte(position, of: record)
      if byte < 0x80 {
        flushMarks()
        append(byte | (byte &- 65 < 26 ? 0x20 : 0))
        position += 1
      } else if byte &- 0xE4 <= 5, end - position >= 3 {
        flushMarks()
        append(byte)
        append(CardRecord.byte(position + 1, of: record))
        append(CardRecord.byte(position + 2, of: record))
        position += 3
      } else {
        lookups += 1
        addFolded(Self.decode(record, &position, end: end))
      }
    }
    flushMarks()
    return start..<count
  }

  /// Whether folded bytes are this text.
  func holds(_ text: [UInt8], in range: Range<Int>) -> Bool {
    range.count == text.count && withBytes { $0.contains(text, in: range) } == true
  }

  private mutating func addFolded(_ scalar: Unicode.Scalar) {
    TextFolding.forEachFolded(of: scalar) { folded in
      let combiningClass = TextFolding.combiningClass(folded)
      if combiningClass == 0 {
        flushMarks()
        append(folded)
      } else {
        marks.append(folded, combiningClass, origin: 0)
      }
    }
  }

  private mutating func flushMarks() {
    guard !marks.isEmpty else { return }
    var run = MarkRun()
    swap(&run, &marks)
    run.drain { scalar, _ in append(scalar) }
    swap(&run, &marks)
  }

  /// Returns the unchanged code points of a text of a record. Invalid UTF-8 becomes U+FFFD.
  static func scalars(_ text: Range<Int>, of record: RawSpan) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.count)
    var position = text.lowerBound
    while position < text.upperBound {
      let byte = CardRecord.byte(position, of: record)
      if byte < 0x80 {
        scalars.append(Unicode.Scalar(byte))
        position += 1
      } else {
        scalars.append(decode(record, &position, end: text.upperBound))
      }
    }
    return scalars
  }

  private static func decode(_ record: RawSpan, _ position: inout Int, end: Int) -> Unicode.Scalar {
    let first = CardRecord.byte(position, of: record)
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, end - position >= length else {
      position += 1
      return "\u{FFFD}"
    }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let next = CardRecord.byte(position + offset, of: record)
      guard next & 0xC0 == 0x80 else {
        position += 1
        return "\u{FFFD}"
      }
      value = value << 6 | UInt32(next & 0x3F)
    }
    position += length
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}

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
