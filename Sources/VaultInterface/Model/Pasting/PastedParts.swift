/// A part of a pasted text: a label and its value, or a line or its rest without a label.
struct PastedPart {
  /// Nil for text without a label.
  var label: PastedLabel?
  /// Whether the label is written as one, with a colon, a bracket or on a line of its own.
  var isExplicit = false
  /// What an unknown label ends with, such as 地址 in 退货地址, and where that begins.
  var ending: (label: PastedLabel, start: Int)?
  /// From the label to the end of the value.
  var whole: Range<Int>
  var value: Range<Int>
}

extension PastedText {
  /// Divides the text into parts.
  func parts() -> [PastedPart] {
    var parts: [PastedPart] = []
    for line in lines {
      var (index, start) = (line.lowerBound, line.lowerBound)
      let first = contentStart(line)
      while index < line.upperBound {
        guard let mark = label(at: index, in: line, isFirst: index == first) else {
          index += 1
          continue
        }
        close(&parts, start, mark.whole.lowerBound)
        parts.append(mark)
        (index, start) = (mark.value.lowerBound, mark.value.lowerBound)
      }
      close(&parts, start, line.upperBound)
    }
    // A label is known by its end if no other label says the same; its beginning stays.
    let known = Set(parts.map(\.label))
    for index in parts.indices.reversed() {
      guard let (label, start) = parts[index].ending, !known.contains(label) else { continue }
      let front = parts[index].whole.lowerBound..<start
      parts[index].label = label
      parts[index].whole = start..<parts[index].whole.upperBound
      parts.insert(PastedPart(label: .other, whole: front, value: front), at: index)
    }
    return parts.filter { $0.label != nil || !trimmed($0.value).isEmpty }
  }

  /// Ends the last part, or adds one without a label.
  private func close(_ parts: inout [PastedPart], _ start: Int, _ end: Int) {
    guard start < end else { return }
    guard let last = parts.indices.last, isWaiting(parts[last], at: start) else {
      parts.append(PastedPart(label: nil, whole: start..<end, value: start..<end))
      return
    }
    parts[last].value = start..<end
    parts[last].whole = parts[last].whole.lowerBound..<end
  }

  /// Whether a part is a label whose value begins here: just behind it, or after the end of its line.
  private func isWaiting(_ part: PastedPart, at start: Int) -> Bool {
    guard let label = part.label, label != .heading else { return false }
    return part.value == start..<start || label != .other && trimmed(part.value).isEmpty
  }

  /// The label that begins at an index of a line, with an empty value behind it.
  private func label(at index: Int, in line: Range<Int>, isFirst: Bool) -> PastedPart? {
    guard !isSeparator(index) else { return nil }
    let start = isFirst ? line.lowerBound : index
    let isBoundary = isBoundary(index) || isFirst || isDigit(index - 1) && isHan(index)
    guard let (label, range) = labelGroup(at: index, in: line) else {
      return isBoundary ? unknownLabel(at: index, in: line) : nil
    }
    let end = skipSpaces(from: range.upperBound, in: line)
    let part = { (value: Int, isExplicit: Bool) in
      PastedPart(label: label, isExplicit: isExplicit, whole: start..<value, value: value..<value)
    }
    let isShort = range.count == 1
    if end == line.upperBound {
      return isFirst && !isShort ? part(end, true) : nil
    }
    if Self.colons.contains(folded[end]) {
      guard isBoundary || !isShort && label != .company && !isOwnerInside(range) else { return nil }
      return part(end + 1, true)
    }
    if index > line.lowerBound, let close = Self.brackets[folded[index - 1]], folded[end] == close {
      let next = skipSpaces(from: end + 1, in: line)
      let value = next < line.upperBound && Self.colons.contains(folded[next]) ? next + 1 : end + 1
      return PastedPart(
        label: label, isExplicit: true, whole: min(start, index - 1)..<value, value: value..<value)
    }
    guard !isShort, label != .heading else { return nil }
    // 我的地址是, 电话为.
    if isBoundary, label == .address || label == .phone, "是为".unicodeScalars.contains(folded[end]) {
      return part(end + 1, true)
    }
    return isGlued(label, range, to: end, in: line, isFirst: isFirst, isBoundary: isBoundary)
      ? part(end, false) : nil
  }

  private static let brackets: [Unicode.Scalar: Unicode.Scalar] = ["【": "】", "[": "]", "〔": "〕", "「": "」"]

  /// Whether a value follows a label without a colon.
  private func isGlued(
    _ label: PastedLabel, _ range: Range<Int>, to end: Int, in line: Range<Int>, isFirst: Bool,
    isBoundary: Bool
  ) -> Bool {
    let isSpaced = end > range.upperBound
    let next = folded[end]
    switch label {
    case .phone: return isDigit(end) || ["+", "("].contains(next)
    case .postalCode: return isDigit(end)
    case .account, .taxId: return (isBoundary || isSpaced) && (isDigit(end) || isLetter(end))
    case .bank, .company, .bankAndAccount, .addressAndPhone:
      return isFirst && (isSpaced || range.count > 2 && !Set("名称户号地".unicodeScalars).contains(next))
    case .address:
      let rest = text(end..<min(end + 40, line.upperBound))
      return isFirst && isSpaced || isBoundary && isHan(end)
        || !RegionalAddress(street: rest).province.isEmpty
    case .name: return isBoundary && range.count > 1 && (isHan(end) || isLetter(end))
    case .region, .notes: return isFirst && isSpaced
    default: return false
    }
  }

  /// A label, and others that are joined to it: 开户行及账号, 地址、电话, 税号（统一社会信用代码）.
  private func labelGroup(at start: Int, in line: Range<Int>) -> (PastedLabel, Range<Int>)? {
    guard var (label, range) = PastedLabel.found(in: self, at: start), range.upperBound <= line.upperBound,
      start == 0 || isBoundary(start)
        || range.count > 1 && !(isLetter(start) && (isLetter(start - 1) || isDigit(start - 1)))
    else { return nil }
    while true {
      var next = skipSpaces(from: range.upperBound, in: line)
      var closes = false
      if next < line.upperBound, "/、及和与或&,(".unicodeScalars.contains(folded[next]) {
        closes = folded[next] == "("
        next = skipSpaces(from: next + 1, in: line)
      }
      guard next < line.upperBound, let (other, more) = PastedLabel.found(in: self, at: next),
        more.upperBound <= line.upperBound, let both = label.joined(other)
      else { break }
      var end = more.upperBound
      if closes {
        guard end < line.upperBound, folded[end] == ")" else { break }
        end += 1
      }
      (label, range) = (both, range.lowerBound..<end)
    }
    return (label, range)
  }

  /// A word before a colon that names no field.
  private func unknownLabel(at start: Int, in line: Range<Int>) -> PastedPart? {
    var end = start
    while end < line.upperBound, end - start < 16, isHan(end) || isLetter(end) || isSpace(end) { end += 1 }
    let word = trimmed(start..<end)
    guard end < line.upperBound, folded[end] == ":", !word.isEmpty, word.count <= 12 else { return nil }
    var ending: (label: PastedLabel, start: Int)?
    for next in word.dropFirst() where ending == nil {
      guard let (label, range) = labelGroup(at: next, in: line), range.upperBound == word.upperBound else {
        continue
      }
      // A value, and the label of the next one: 张三 电话.
      if isSpace(next - 1) || isOwnerInside(range) || nameScore(word.lowerBound..<next) >= 3 { return nil }
      if range.count > 1 { ending = (label, next) }
    }
    let name = foldedText(word)
    if ending?.label == .address, ["邮箱", "邮件", "网", "ip", "mac"].contains(where: name.contains) {
      ending = nil
    }
    return PastedPart(
      label: .other, isExplicit: true, ending: ending, whole: start..<end + 1, value: end + 1..<end + 1)
  }

  /// Whether a label that begins inside a word may end a name: …有限公司地址.
  private func isOwnerInside(_ range: Range<Int>) -> Bool {
    isHan(range.lowerBound - 1) && PastedLabel.owners.contains { starts(with: $0, at: range.lowerBound) }
  }

  /// Where a line begins behind its number or bullet: `1、`, `(2)`.
  private func contentStart(_ line: Range<Int>) -> Int {
    let start = line.first { !isSeparator($0) } ?? line.upperBound
    let digits = line[start...].prefix { isDigit($0) }
    guard (1...2).contains(digits.count), digits.endIndex < line.upperBound,
      "、.)".unicodeScalars.contains(folded[digits.endIndex])
    else { return start }
    let next = skipSpaces(from: digits.endIndex + 1, in: line)
    return next < line.upperBound && !isDigit(next) ? next : start
  }

  func skipSpaces(from start: Int, in line: Range<Int>) -> Int {
    var index = start
    while index < line.upperBound, isSpace(index) { index += 1 }
    return index
  }
}
