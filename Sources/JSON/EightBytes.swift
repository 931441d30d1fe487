/// Eight bytes of a JSON string, looked at together.
struct EightBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highest: UInt64 = 0x8080_8080_8080_8080

  private let word: UInt64

  init(_ word: UInt64) {
    self.word = word
  }

  /// Whether all of them stand for themselves: no control, no quote and no backslash.
  ///
  /// A byte that is less than another borrows from its highest bit when that is taken away, and one that is zero does so for
  /// one. A borrow may make the next byte look so too, but then it is true of the first.
  var arePlain: Bool {
    let quotes = word ^ (Self.ones &* 0x22)
    let backslashes = word ^ (Self.ones &* 0x5C)
    let controls = (word &- Self.ones &* 0x20) & ~word
    let signs = (quotes &- Self.ones) & ~quotes | (backslashes &- Self.ones) & ~backslashes
    return (controls | signs) & Self.highest == 0
  }
}

extension [UInt8] {
  /// Appends a text that is known when the program is made.
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends the digits of a number that is not negative.
  package mutating func append(decimal number: Int) {
    var weight = 1
    while number / weight >= 10 { weight *= 10 }
    while weight > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / weight % 10))
      weight /= 10
    }
  }
}
