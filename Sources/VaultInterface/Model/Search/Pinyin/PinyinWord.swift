import CText

/// A word of a query that is matched with the readings of Chinese characters (R7).
///
/// Every character of the text is met by itself or, if it is Chinese, by one of its readings, or by that reading's first
/// letter, or by its zh, ch or sh; where the word ends, the beginning of a reading is enough. So `gongsi`, `gs`,
/// `gongs` and `gong司` all find 公司. An apostrophe parts syllables: `xi'an` is 西安 and not 先.
///
/// It is a class so that a search over many records hands on one reference.
final class PinyinWord: Hashable, Sendable {
  /// Positions in the word that a match has reached, as bits: bit 0 is the beginning.
  typealias PositionSet = UInt64

  /// The longest word, in code points after folding, that is looked for as pinyin.
  static let longest = 60
  private static let apostrophe: UInt32 = 0x27

  /// The word's code points, u with diaeresis as v, every apostrophe as `'`.
  let values: [UInt32]
  /// The positions of apostrophes.
  private let gaps: PositionSet
  /// The positions of each letter from a to z.
  private let letters: [PositionSet]
  /// The first run of the word that is not ASCII and must therefore occur literally.
  let anchor: [UInt8]
  /// The letters that can follow the first reading: bit 0 is a, bit 26 any other character; all ones if nothing must follow.
  let second: UInt32
  /// The letters of the word before its last code point, with bits as in ``second``.
  let beforeLast: UInt32
  /// For each set of readings, whether the word can begin with one of them (bit 0) and continue with one (bit 1).
  let fits: [UInt8]

  /// A word, unless it can be found only as it is.
  init?(_ folded: [Unicode.Scalar]) {
    var values: [UInt32] = []
    for scalar in folded {
      if scalar == "\u{308}", values.last == 0x75 {
        values[values.count - 1] = 0x76
      } else {
        values.append(scalar == "’" ? Self.apostrophe : scalar.value)
      }
    }
    guard 2...Self.longest ~= values.count, values.contains(where: { Self.letter($0) & Self.initials != 0 })
    else { return nil }
    self.values = values
    gaps = values.indices.reduce(0) { values[$1] == Self.apostrophe ? $0 | 1 << PositionSet($1) : $0 }
    let run = values.drop { $0 < 0x80 }.prefix { $0 >= 0x80 }.compactMap(Unicode.Scalar.init)
    anchor = run.flatMap { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
    let letters: [PositionSet] = (UInt32(0x61)...0x7A).map { letter in
      values.indices.reduce(0) { values[$1] == letter ? $0 | 1 << PositionSet($1) : $0 }
    }
    self.letters = letters
    let second = Self.second(values, gaps, letters)
    self.second = second
    beforeLast = values.dropLast().reduce(0) { $0 | Self.letter($1) }
    let first = Self.letter(values[0])
    fits = Readings.initials.map { ($0 & first == 0 ? 0 : 1) | ($0 & second == 0 ? 0 : 2) }
  }

  /// Whether the word is ASCII, so that it can begin within a text only with a reading or a plain letter before one.
  var isASCII: Bool { anchor.isEmpty }

  /// The position that a complete match has reached.
  var end: PositionSet { 1 << PositionSet(values.count) }

  /// Returns the bit of a code point: bit 0 is a, bit 26 any other character.
  static func letter(_ value: UInt32) -> UInt32 {
    1 << min(value &- 0x61, 26)
  }

  /// The letters that syllables begin with: neither i nor u nor v.
  private static let initials: UInt32 = 0x3FF_FFFF & ~(1 << 8 | 1 << 20 | 1 << 21)

  private static func second(_ values: [UInt32], _ gaps: PositionSet, _ letters: [PositionSet]) -> UInt32 {
    let met = Readings.syllables.reduce(0) {
      $0 | positionsAfter($1, from: 1, letters, end: 1 << PositionSet(values.count))
    }
    let places = met | (met & gaps) << 1
    if places >> PositionSet(values.count) & 1 != 0 { return .max }
    return values.indices.reduce(0) { places >> PositionSet($1) & 1 != 0 ? $0 | letter(values[$1]) : $0 }
  }

  static func == (left: PinyinWord, right: PinyinWord) -> Bool {
    left.values == right.values
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }

  /// Returns the positions that a match reaches after one more code point of a folded text.
  ///
  /// All positions are advanced at once, so the time does not depend on how many there are.
  func advanced(_ places: PositionSet, over value: UInt32) -> PositionSet {
    let readings = Readings.of(value)
    let left = places & ~end
    let plain = (left & self.places(of: value)) << 1
    var read: PositionSet = 0
    for number in 0..<readings.count {
      read |= Self.positionsAfter(readings[number], from: left, letters, end: end)
    }
    return plain | read | (read & gaps) << 1
  }

  /// The positions in the word at which a code point stands.
  private func places(of value: UInt32) -> PositionSet {
    if 0x61...0x7A ~= value { return letters[Int(value - 0x61)] }
    if value >= 0x80, isASCII { return 0 }
    return values.indices.reduce(0) { values[$1] == value ? $0 | 1 << PositionSet($1) : $0 }
  }

  /// The places after a reading that is met from some places on: behind all of it, behind its initial, and at the end where
  /// the rest of the word is a beginning of it.
  private static func positionsAfter(
    _ reading: Readings.Syllable, from places: PositionSet, _ letters: [PositionSet], end: PositionSet
  ) -> PositionSet {
    // Where as many letters of the reading are met as were looked at.
    var met = places
    var behind: PositionSet = 0
    for number in 0..<reading.count {
      met &= letters[Int(reading[number] - 0x61)] >> PositionSet(number)
      guard met != 0 else { break }
      let reached = met << PositionSet(number + 1)
      let isBeginning = number == 0 || number == 1 && reading[1] == 0x68
      behind |= isBeginning || number + 1 == reading.count ? reached : reached & end
    }
    return behind
  }
}

extension FoldedText {
  /// Whether a word is found as pinyin.
  func contains(_ word: PinyinWord) -> Bool {
    scalars.indices.contains { end(of: word, from: $0) != nil }
  }

  /// Returns the first match of a word as pinyin from a position on, in positions of folded code points.
  func firstMatch(of word: PinyinWord, from start: Int) -> Range<Int>? {
    var places: PinyinWord.PositionSet = 0
    for position in start..<max(start, scalars.count) {
      places = word.advanced(places | 1, over: scalars[position].value)
      guard places & word.end != 0 else { continue }
      // This match is the first to end. No match is longer than the word, so none began before that.
      for first in max(start, position + 1 - word.values.count)...position {
        if let end = end(of: word, from: first) { return first..<end }
      }
    }
    return nil
  }

  /// Whether the title is a word as pinyin, or begins with it.
  func rank(beginningWith word: PinyinWord) -> SearchRank? {
    var (places, rank): (PinyinWord.PositionSet, SearchRank?) = (1, nil)
    for (position, scalar) in scalars.enumerated() {
      places = word.advanced(places, over: scalar.value)
      guard places & word.end != 0 else { continue }
      rank = position + 1 == scalars.count ? .wholeTitle : .beginningOfTitle
    }
    return rank
  }

  private func end(of word: PinyinWord, from start: Int) -> Int? {
    var places: PinyinWord.PositionSet = 1
    for position in start..<scalars.count {
      places = word.advanced(places, over: scalars[position].value)
      if places & word.end != 0 { return position + 1 }
      if places == 0 { return nil }
    }
    return nil
  }
}

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
