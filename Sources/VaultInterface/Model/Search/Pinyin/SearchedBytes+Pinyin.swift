import CText

extension SearchedBytes {
  /// Whether a word is found as pinyin in a range.
  ///
  /// - Parameter steps: is raised by the code points that were compared with readings, at most a few a byte.
  func contains(_ word: PinyinWord, in range: Range<Int>, _ steps: inout Int) -> Bool {
    guard !range.isEmpty, range.upperBound <= count else { return false }
    guard word.isASCII else {
      return contains(word.anchor, in: range) && containsAnywhere(word, in: range, &steps)
    }
    return containsASCII(word, in: range, &steps)
  }

  /// The search for a word in ASCII, which cannot meet a Chinese character but by a reading: passes over ASCII eight bytes
  /// at a time, and looks closer only where two characters can be met one after another by the letters they begin with.
  ///
  /// A text of nothing but beginnings of matches would be looked at again from each of them; there, all are followed at once.
  private func containsASCII(_ word: PinyinWord, in range: Range<Int>, _ steps: inout Int) -> Bool {
    let characters = unsafe quickvault_pinyin_characters()
    return unsafe word.fits.withUnsafeBufferPointer { fits in
      guard let fits = fits.baseAddress else { return false }
      let base = unsafe start
      let end = range.upperBound
      let stepLimit = range.count + 1_024
      var position = range.lowerBound
      while true {
        let high = highBits(from: position)
        position &+= high == 0 ? 8 : high.trailingZeroBitCount >> 3
        if position >= end { return false }
        if high == 0 { continue }
        if steps > stepLimit { return containsAnywhere(word, in: range, &steps) }
        if position > range.lowerBound, continues(word, at: position, in: range, &steps) { return true }
        guard startsCharacter(at: position) else {
          if wordMatches(word, from: 1, at: position, in: range, &steps) { return true }
          position &+= 1
          continue
        }
        // Bit 1 of `before` is whether the word can begin with the character before this one.
        var before: UInt8 = 0
        while position &+ 2 < count {
          let head = unsafe base.load(fromByteOffset: position, as: UInt8.self)
          if head &- 0xE4 > 5 { break }
          let middle = unsafe base.load(fromByteOffset: position &+ 1, as: UInt8.self)
          let last = unsafe base.load(fromByteOffset: position &+ 2, as: UInt8.self)
          let place = (Int(head) &<< 12) &+ (Int(middle) &<< 6) &+ Int(last) &- Self.firstPlace
          let fit = unsafe fits[Int(characters[place])]
          if fit & before != 0 {
            if wordMatches(word, from: 1, at: position &- 3, in: range, &steps) { return true }
            if steps > stepLimit { return containsAnywhere(word, in: range, &steps) }
          }
          before = fit &<< 1
          position &+= 3
        }
        if before & 2 != 0, follows(word.second, at: position, in: range),
          wordMatches(word, from: 1, at: position &- 3, in: range, &steps)
        {
          return true
        }
      }
    }
  }

  /// U+4000 with the marks of UTF-8 in its three bytes.
  private static var firstPlace: Int { 0xE0 << 12 + 0x80 << 6 + 0x80 + 0x4000 }

  /// Whether a character of three bytes that begin with E4 to E9 stands at a position. In a record that was not folded the
  /// length of an entry can look like such a beginning.
  private func startsCharacter(at position: Int) -> Bool {
    position &+ 2 < count && self[position] &- 0xE4 <= 5
      && (self[position &+ 1] ^ 0x80) | (self[position &+ 2] ^ 0x80) < 0x40
  }

  /// Whether the character at a position can follow a first reading.
  private func follows(_ second: UInt32, at position: Int, in range: Range<Int>) -> Bool {
    if second == .max { return true }
    guard position < range.upperBound else { return false }
    let byte = small(position)
    return byte >= 0x80 || PinyinWord.letter(UInt32(byte)) & second != 0
  }

  /// Whether the word matches across a position: its beginning literally before it, and the rest as pinyin after it.
  private func continues(
    _ word: PinyinWord, at position: Int, in range: Range<Int>, _ steps: inout Int
  ) -> Bool {
    let before = UInt32(small(position &- 1))
    guard PinyinWord.letter(before) & word.beforeLast != 0 else { return false }
    return continuesLiteralMatch(word, before, at: position, in: range, &steps)
  }

  @inline(never)
  private func continuesLiteralMatch(
    _ word: PinyinWord, _ before: UInt32, at position: Int, in range: Range<Int>, _ steps: inout Int
  ) -> Bool {
    var places: PinyinWord.PositionSet = 0
    for place in word.values.indices.dropFirst() where word.values[place &- 1] == before {
      let start = position - place
      guard start >= range.lowerBound else { break }
      steps += place
      let isSame = (0..<place).allSatisfy { word.values[$0] == UInt32(small(start + $0)) }
      if isSame { places |= 1 << PinyinWord.PositionSet(place) }
    }
    return places != 0 && wordMatches(word, from: places, at: position, in: range, &steps)
  }

  /// Whether a title in a range is a word as pinyin, or begins with it.
  func rank(beginningWith word: PinyinWord, in range: Range<Int>) -> SearchRank? {
    var (places, position, rank): (PinyinWord.PositionSet, Int, SearchRank?) = (1, range.lowerBound, nil)
    while places != 0, position < range.upperBound {
      places = word.advanced(places, over: scalar(at: &position, before: range.upperBound))
      guard places & word.end != 0 else { continue }
      rank = position == range.upperBound ? .wholeTitle : .beginningOfTitle
    }
    return rank
  }

  /// Looks at each code point once, for matches from every position at the same time.
  private func containsAnywhere(_ word: PinyinWord, in range: Range<Int>, _ steps: inout Int) -> Bool {
    steps += range.count
    var places: PinyinWord.PositionSet = 0
    var position = range.lowerBound
    while position < range.upperBound {
      places = word.advanced(places | 1, over: scalar(at: &position, before: range.upperBound))
      if places & word.end != 0 { return true }
    }
    return false
  }

  /// Whether the word matches from a position on, continuing from these places in the word.
  @inline(never)
  private func wordMatches(
    _ word: PinyinWord, from beginning: PinyinWord.PositionSet, at position: Int, in range: Range<Int>,
    _ steps: inout Int
  ) -> Bool {
    var places = beginning
    var position = position
    while places != 0, position < range.upperBound {
      steps += 1
      places = word.advanced(places, over: scalar(at: &position, before: range.upperBound))
      if places & word.end != 0 { return true }
    }
    return false
  }

  /// The code point at a position, which goes on behind it; a byte of 0x80 or more as it is where there is none.
  private func scalar(at position: inout Int, before end: Int) -> UInt32 {
    let first = small(position)
    let length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    defer { position += 1 }
    guard length > 1, end - position >= length else { return UInt32(first) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let next = self[position + offset]
      guard next & 0xC0 == 0x80 else { return UInt32(first) }
      value = value << 6 | UInt32(next & 0x3F)
    }
    position += length - 1
    return value
  }
}
