/// A word of a query that is matched with the readings of Chinese characters (R7).
///
/// Every character of the text is met by itself or, if it is Chinese, by one of its readings, or by that reading's first
/// letter, or by its zh, ch or sh; where the word ends, the beginning of a reading is enough. So `gongsi`, `gs`,
/// `gongs` and `gong司` all find 公司. An apostrophe parts syllables: `xi'an` is 西安 and not 先.
///
/// It is a class so that a search over many records hands on one reference.
final class PinyinWord: Hashable, Sendable {
  /// Positions in the word that a match has reached, as bits: bit 0 is the beginning.
  typealias Places = UInt64

  /// The longest word, in code points after folding, that is looked for as pinyin.
  static let longest = 60
  private static let apostrophe: UInt32 = 0x27

  /// The word's code points, u with diaeresis as v, every apostrophe as `'`.
  let values: [UInt32]
  /// The positions of apostrophes.
  private let gaps: Places
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
    gaps = values.indices.reduce(0) { values[$1] == Self.apostrophe ? $0 | 1 << Places($1) : $0 }
    let run = values.drop { $0 < 0x80 }.prefix { $0 >= 0x80 }.compactMap(Unicode.Scalar.init)
    anchor = run.flatMap { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
    let second = Self.second(values, gaps)
    self.second = second
    beforeLast = values.dropLast().reduce(0) { $0 | Self.letter($1) }
    let first = Self.letter(values[0])
    fits = Readings.initials.map { ($0 & first == 0 ? 0 : 1) | ($0 & second == 0 ? 0 : 2) }
  }

  /// Whether the word is ASCII, so that it can begin within a text only with a reading or a plain letter before one.
  var isASCII: Bool { anchor.isEmpty }

  /// The position that a complete match has reached.
  var end: Places { 1 << Places(values.count) }

  /// Returns the bit of a code point: bit 0 is a, bit 26 any other character.
  static func letter(_ value: UInt32) -> UInt32 {
    1 << min(value &- 0x61, 26)
  }

  /// The letters that syllables begin with: neither i nor u nor v.
  private static let initials: UInt32 = 0x3FF_FFFF & ~(1 << 8 | 1 << 20 | 1 << 21)

  private static func second(_ values: [UInt32], _ gaps: Places) -> UInt32 {
    let met = Readings.syllables.reduce(0) { $0 | meeting($1, in: values, from: 0) }
    let places = met | (met & gaps) << 1
    if places >> Places(values.count) & 1 != 0 { return .max }
    return values.indices.reduce(0) { places >> Places($1) & 1 != 0 ? $0 | letter(values[$1]) : $0 }
  }
}

extension PinyinWord {
  static func == (left: PinyinWord, right: PinyinWord) -> Bool {
    left.values == right.values
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }
}

extension PinyinWord {
  /// Returns the positions that a match reaches after one more code point of a folded text.
  func advanced(_ places: Places, over value: UInt32) -> Places {
    let readings = Readings.of(value)
    var plain: Places = 0
    var read: Places = 0
    var left = places & ~end
    while left != 0 {
      let place = left.trailingZeroBitCount
      left &= left - 1
      if values[place] == value { plain |= 1 << Places(place + 1) }
      if Self.letter(values[place]) < 1 << 26 {
        for number in 0..<readings.count { read |= Self.meeting(readings[number], in: values, from: place) }
      }
    }
    return plain | read | (read & gaps) << 1
  }

  /// The places after a reading that is met from a place on: behind all of it, behind its initial, and at the end where the
  /// rest of the word is a beginning of it.
  private static func meeting(_ reading: Readings.Syllable, in values: [UInt32], from place: Int) -> Places {
    var common = 0
    while place + common < values.count, values[place + common] == reading[common] { common += 1 }
    guard common > 0 else { return 0 }
    var behind: Places = 1 << 1
    if common == reading.count || place + common == values.count { behind |= 1 << Places(common) }
    if common >= 2, reading[1] == 0x68 { behind |= 1 << 2 }
    return behind << Places(place)
  }
}

extension FoldedText {
  /// Whether a word is found as pinyin.
  func contains(_ word: PinyinWord) -> Bool {
    scalars.indices.contains { end(of: word, from: $0) != nil }
  }

  /// Returns the matches of a word as pinyin: ranges of code points of the original, in order.
  func ranges(of word: PinyinWord) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < scalars.count {
      guard let end = end(of: word, from: start) else {
        start += 1
        continue
      }
      let touched = origins[start..<end]
      if let low = touched.min(), let high = touched.max() { ranges.append(low..<high + 1) }
      start = end
    }
    return ranges
  }

  private func end(of word: PinyinWord, from start: Int) -> Int? {
    var places: PinyinWord.Places = 1
    for position in start..<scalars.count {
      places = word.advanced(places, over: scalars[position].value)
      if places & word.end != 0 { return position + 1 }
      if places == 0 { return nil }
    }
    return nil
  }
}
