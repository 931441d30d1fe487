import CText

/// How Chinese characters are read in pinyin: without tones, ü as both v and u, every reading of today.
enum Readings {
  /// The characters whose readings are in a table.
  static let table: ClosedRange<UInt32> = 0x4000...0x9FFF

  /// A set of readings that one or more characters have.
  struct Group: Hashable {
    fileprivate let number: UInt16

    /// The number of readings; zero where it is not a Chinese character.
    var count: Int { quickvault_pinyin_reading_count(number) }

    /// One of them.
    subscript(position: Int) -> Syllable {
      Syllable(letters: quickvault_pinyin_reading(number, position))
    }
  }

  /// A syllable of 1 to 6 small letters: the first in the lowest byte, zeros above the last.
  struct Syllable: Hashable {
    let letters: UInt64

    /// The number of letters.
    var count: Int { 8 - letters.leadingZeroBitCount / 8 }

    /// One of the letters; zero behind the last.
    subscript(position: Int) -> UInt32 { UInt32(letters >> UInt64(8 * position) & 0xFF) }
  }

  /// The readings of a code point.
  static func of(_ value: UInt32) -> Group {
    if table ~= value {
      return Group(number: unsafe quickvault_pinyin_characters()[Int(value - table.lowerBound)])
    }
    return Group(number: value < 0x3007 ? 0 : quickvault_pinyin_rare_set(value))
  }

  /// The initial letters of each set of readings, as bits: bit 0 is a, bit 26 means no readings.
  static var initials: some Collection<UInt32> {
    (0..<quickvault_pinyin_set_count()).lazy.map { unsafe quickvault_pinyin_initials()[$0] }
  }

  /// Every syllable that a character can have.
  static var syllables: some Sequence<Syllable> {
    (0..<quickvault_pinyin_syllable_count()).lazy.map { Syllable(letters: quickvault_pinyin_syllable($0)) }
  }
}
