/// Phone numbers, postal codes and tax numbers in a pasted text.
extension PastedText {
  /// Returns the phone numbers of a range that no field has, each with its country's code and its extension.
  /// - Parameters:
  ///   - isService: whether 400, 800 and 95 numbers count.
  ///   - isGlued: whether the end of a longer number may be a phone number, after the number of a room.
  func phones(in range: Range<Int>, isService: Bool = false, isGlued: Bool = true) -> [Range<Int>] {
    var (phones, index): ([Range<Int>], Int) = ([], range.lowerBound)
    while index < range.upperBound {
      if let phone = phone(at: index, in: range, isService, isGlued) {
        phones.append(phone)
        index = phone.upperBound
      } else {
        // Not from the middle of a number or of a word with digits.
        let isWord = isDigit(index) || isLetter(index)
        index += 1
        while isWord, index < range.upperBound, isDigit(index) { index += 1 }
      }
    }
    return phones
  }

  private func phone(at start: Int, in range: Range<Int>, _ isService: Bool, _ isGlued: Bool) -> Range<Int>? {
    guard isFree(start), isDigit(start) || ["+", "("].contains(folded[start]) else { return nil }
    guard start == range.lowerBound || !isDigit(start - 1) && !isLetter(start - 1) else { return nil }
    let groups = groups(from: start, in: range)
    guard let first = groups.first else { return nil }
    if let end = wholeNumber(groups, start, isService) { return start..<withExtension(end, in: range) }
    if isGlued, isDigit(start), let (begin, end) = gluedNumber(first, groups) {
      return begin..<withExtension(end, in: range)
    }
    return nil
  }

  /// The groups of digits from an index on, with at most one or two separators between them.
  private func groups(from start: Int, in range: Range<Int>) -> [Range<Int>] {
    var (groups, index): ([Range<Int>], Int) = ([], start)
    while index < range.upperBound, groups.count < 13 {
      var gap = index
      while gap < range.upperBound, gap - index < 3, isFree(gap), isGroupSeparator(gap) { gap += 1 }
      var end = gap
      while end < range.upperBound, isFree(end), isDigit(end) { end += 1 }
      guard gap < end else { break }
      groups.append(gap..<end)
      index = end
    }
    return groups
  }

  private func isGroupSeparator(_ index: Int) -> Bool {
    isSpace(index) || isDash(index) || "+()".unicodeScalars.contains(folded[index])
  }

  /// The end of the longest number that the groups begin with and that is a phone number by itself.
  private func wholeNumber(_ groups: [Range<Int>], _ start: Int, _ isService: Bool) -> Int? {
    for count in groups.indices.reversed().map({ $0 + 1 }) {
      let (end, last) = (groups[count - 1].upperBound, groups[count - 1])
      guard end == folded.count || !isLetter(end) else { continue }
      let digits = groups[..<count].flatMap { folded[$0] }.count
      let hasCode = folded[start] == "+" || starts(with: "(+", at: start) || starts(with: "00", at: start)
      guard (5...(hasCode ? 16 : 13)).contains(digits) else { continue }
      let written = foldedText(start..<end)
      let text = written.hasPrefix("(86)") ? "+86" + written.dropFirst(4) : written
      // 138… 501 is no number with an extension, and a part of another one is none.
      guard count == 1 || !isDash(last.lowerBound - 1) || last.count > 6 || !isMobile(groups[0])
      else { continue }
      if count > 1, last.lowerBound > groups[count - 2].upperBound,
        isMobile(groups[..<(count - 1)].flatMap { folded[$0] })
      {
        continue
      }
      if PhoneNumber.isValid(text, allowsService: isService), !isOnlyExtended(groups[..<count]) { return end }
      if isRegional(groups[..<count], start) { return end }
    }
    return nil
  }

  /// Whether the groups are a number of Hong Kong, Macau or Taiwan without a plus sign, or one of Taiwan as dialled there.
  private func isRegional(_ groups: ArraySlice<Range<Int>>, _ start: Int) -> Bool {
    let digits = groups.flatMap { folded[$0] }
    let first = groups.first.map { foldedText($0) } ?? ""
    switch first {
    case "852", "853": return digits.count == 11
    case "886": return (11...12).contains(digits.count)
    default:
      let isMobile =
        digits.count == 10 && digits.starts(with: "09".unicodeScalars) && first.unicodeScalars.count >= 4
      return isMobile
        || folded[start] == "(" && first.hasPrefix("0") && (2...3).contains(first.count)
          && (9...10).contains(digits.count)
    }
  }

  /// A number of Hong Kong or Macau without its code: eight digits.
  func shortNumber(in range: Range<Int>) -> Range<Int>? {
    range.lazy.compactMap { start -> Range<Int>? in
      guard isFree(start), ("2"..."9").contains(folded[start]),
        start == 0 || !isDigit(start - 1) && !isLetter(start - 1)
      else { return nil }
      let groups = groups(from: start, in: range)
      let isWhole =
        groups.first?.count == 8 || groups.count > 1 && groups[0].count == 4 && groups[1].count == 4
      return isWhole ? start..<groups[groups[0].count == 8 ? 0 : 1].upperBound : nil
    }.first
  }

  private func isDash(_ index: Int) -> Bool { "-–—−".unicodeScalars.contains(folded[index]) }

  private func isMobile(_ group: Range<Int>) -> Bool { isMobile(Array(folded[group])) }

  private func isMobile(_ digits: [Unicode.Scalar]) -> Bool {
    digits.count == 11 && digits[0] == "1" && ("3"..."9").contains(digits[1])
  }

  /// Whether digits only look like a mobile number: it begins with 13 to 19.
  private func isOnlyExtended(_ groups: ArraySlice<Range<Int>>) -> Bool {
    let digits = groups.flatMap { folded[$0] }
    return digits.count == 11 && digits.first == "1" && !isMobile(digits)
  }

  /// A number at the end of a group that begins with the number of a room: 3栋50113800138000.
  private func gluedNumber(_ first: Range<Int>, _ groups: [Range<Int>]) -> (Int, Int)? {
    for count in 1...min(3, groups.count) {
      let more = groups[1..<count].reduce(0) { $0 + $1.count }
      guard more < 11, first.count > 11 - more, first.count <= 16 - more else { continue }
      let begin = first.upperBound - (11 - more)
      let digits = Array(folded[begin..<first.upperBound]) + groups[1..<count].flatMap { folded[$0] }
      let isWhole = groups.count == count || groups[count].lowerBound > groups[count - 1].upperBound
      if isMobile(digits), isWhole, count == 1 || more == 8 { return (begin, groups[count - 1].upperBound) }
    }
    // A landline with its area code: 5010755-86541234.
    guard groups.count > 1, (7...8).contains(groups[1].count), groups[1].lowerBound == first.upperBound + 1
    else { return nil }
    for length in [3, 4] where first.count > length && first.count <= length + 4 {
      let begin = first.upperBound - length
      let isCode = folded[begin] == "0" && (length == 4) == ("3"..."9").contains(folded[begin + 1])
      if isCode, PhoneNumber.isValid(foldedText(begin..<groups[1].upperBound)) {
        return (begin, groups[1].upperBound)
      }
    }
    return nil
  }

  /// The end of a number with its extension: `-802`, `转802`, `（转802）`, `分机802`, `ext. 802`.
  private func withExtension(_ end: Int, in range: Range<Int>) -> Int {
    var index = skipSpaces(from: end, in: range)
    let isBracketed = index < range.upperBound && folded[index] == "("
    if isBracketed { index += 1 }
    guard index < range.upperBound, isFree(index) else { return end }
    let marks = ["转分机", "转", "分机", "ext.", "ext", "#", "-"]
    guard let mark = marks.first(where: { starts(with: $0, at: index) }) else { return end }
    index = skipSpaces(from: index + mark.unicodeScalars.count, in: range)
    let digits = index
    while index < range.upperBound, isDigit(index) { index += 1 }
    guard (1...6).contains(index - digits) else { return end }
    if isBracketed {
      guard index < range.upperBound, folded[index] == ")" else { return end }
      return index + 1
    }
    return index < range.upperBound && "号室栋楼".unicodeScalars.contains(folded[index]) ? end : index
  }

  /// The postal code of a range: six digits that are no part of a number, and not the number of a room.
  func postalCode(in range: Range<Int>) -> Range<Int>? {
    for run in digitRuns(in: range, count: 6) {
      let (before, after) = (run.lowerBound - 1, run.upperBound)
      guard ("0"..."8").contains(folded[run.lowerBound]) else { continue }
      if before >= range.lowerBound, isLetter(before) || "#-第+".unicodeScalars.contains(folded[before]) {
        continue
      }
      if after < range.upperBound,
        isLetter(after) || "号栋室楼弄幢层座户巷单元院组队#-期年月元".unicodeScalars.contains(folded[after])
      {
        continue
      }
      return run
    }
    return nil
  }

  private func digitRuns(in range: Range<Int>, count: Int) -> [Range<Int>] {
    var (runs, index): ([Range<Int>], Int) = ([], range.lowerBound)
    while index < range.upperBound {
      var end = index
      while end < range.upperBound, isFree(end), isDigit(end) { end += 1 }
      if end - index == count { runs.append(index..<end) }
      index = max(end, index + 1)
    }
    return runs
  }

  /// The unified social credit code of a range; not the number of an identity card, which has a birthday inside.
  func creditCode(in range: Range<Int>) -> Range<Int>? {
    for piece in pieces(in: range) where piece.count >= 18 {
      for start in piece.lowerBound...(piece.upperBound - 18) {
        let run = start..<start + 18
        let isEdge = { (index: Int) in !piece.contains(index) || !isDigit(index) && !isLetter(index) }
        guard isEdge(start - 1), isEdge(run.upperBound), run.allSatisfy({ isDigit($0) || isLetter($0) })
        else { continue }
        let code = CreditCode.capitals(foldedText(run))
        let isIdentity = ["19", "20"].contains(foldedText(start + 6..<start + 8)) && folded[start] != "9"
        if CreditCode.hasShape(code), !isIdentity { return run }
      }
    }
    return nil
  }

  /// The number of a bank account in a range: the longest run of at least nine digits in groups.
  func accountNumber(in range: Range<Int>) -> Range<Int>? {
    var (best, index): (Range<Int>?, Int) = (nil, range.lowerBound)
    while index < range.upperBound {
      guard isFree(index), isDigit(index), index == range.lowerBound || !isLetter(index - 1) else {
        index += 1
        continue
      }
      var (end, next) = (index, index)
      while next < range.upperBound, isFree(next),
        isDigit(next) || isSpace(next) || isDash(next)
      {
        if isDigit(next) { end = next + 1 }
        next += 1
      }
      let count = { (run: Range<Int>) in run.lazy.filter(isDigit).count }
      if count(index..<end) >= 9, count(index..<end) > best.map(count) ?? 0 { best = index..<end }
      index = next
    }
    return best
  }
}
