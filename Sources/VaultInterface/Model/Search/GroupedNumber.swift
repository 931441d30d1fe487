/// A word of a query that is a number, which is found however its digits are grouped (R7): `13800138000` is in `138 0013-8000`,
/// and `138-0013-8000` in `13800138000`.
///
/// It has four ASCII letters and digits or more, of which three are digits. Between two of them a text may have up to three characters that
/// group. China's code in front of a mobile number is no part of it, since a card may lack it.
///
/// It is a class so that a search over many records hands on one reference.
final class GroupedNumber: Hashable, Sendable {
  /// The longest number that is looked for, without what groups it.
  static let longest = 64
  private static let shortest = 4
  private static let leastDigits = 3
  fileprivate static let mostGrouping = 3

  /// The letters, which are small, and digits.
  let elements: [UInt8]
  /// For each beginning, the length of the longest proper end of it that is also a beginning (Knuth, Morris and Pratt, 1977).
  let borders: [UInt8]

  /// A word, unless it can be found only as it is.
  init?(_ folded: [Unicode.Scalar]) {
    var elements: [UInt8] = []
    for scalar in folded.drop(while: { $0 == "+" }) where !Self.isGrouping(scalar) {
      guard Self.isElement(scalar.value), elements.count < Self.longest else { return nil }
      elements.append(UInt8(scalar.value))
    }
    guard elements.count >= Self.shortest, elements.count(where: { $0 < 0x3A }) >= Self.leastDigits
    else { return nil }
    for code in ["86", "0086"].map({ Array($0.utf8) })
    where elements.starts(with: code + [0x31]) && elements.count == code.count + 11 {
      elements.removeFirst(code.count)
    }
    self.elements = elements
    borders = Self.borders(of: elements)
  }

  private static func borders(of elements: [UInt8]) -> [UInt8] {
    var borders: [UInt8] = [0]
    var same = 0
    for element in elements.dropFirst() {
      while same > 0, element != elements[same] { same = Int(borders[same - 1]) }
      if element == elements[same] { same += 1 }
      borders.append(UInt8(same))
    }
    return borders
  }

  /// Whether a folded code point is a small letter or a digit of ASCII.
  static func isElement(_ value: UInt32) -> Bool { 0x30...0x39 ~= value || 0x61...0x7A ~= value }

  /// Whether a code point may stand between two digits of one number: a space, a dash, a bracket or a dot. CSearch.c has the
  /// same ones.
  static func isGrouping(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "-", "(", ")", ".", "\u{A0}", "\u{2010}"..."\u{2015}", "\u{2212}", "\u{3000}", "（", "）": true
    default: false
    }
  }

  static func == (left: GroupedNumber, right: GroupedNumber) -> Bool { left.elements == right.elements }

  func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension FoldedText {
  /// Returns the first match of a number from a position on, in positions of folded code points.
  func firstMatch(of number: GroupedNumber, from start: Int) -> Range<Int>? {
    var same = 0
    var grouping = 0
    // Where the elements of a possible match are.
    var positions: [Int] = []
    for position in start..<max(start, scalars.count) {
      let scalar = scalars[position]
      guard GroupedNumber.isElement(scalar.value) else {
        grouping += 1
        if grouping > GroupedNumber.mostGrouping || !GroupedNumber.isGrouping(scalar) {
          (same, positions) = (0, [])
        }
        continue
      }
      grouping = 0
      while same > 0, scalar.value != UInt32(number.elements[same]) { same = Int(number.borders[same - 1]) }
      if scalar.value == UInt32(number.elements[same]) { same += 1 }
      positions.append(position)
      if same == number.elements.count { return positions[positions.count - same]..<position + 1 }
    }
    return nil
  }
}
