/// The unified social credit code of an organisation (GB 32100-2015), which is its tax number (R3).
enum CreditCode {
  /// The characters in the order of their values, 0 to 30: digits and capitals without I, O, S, V and Z.
  private static let alphabet = Array("0123456789ABCDEFGHJKLMNPQRTUWXY".utf8)

  /// The text with the letters a to z in capitals, those of full width too.
  static func capitals(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isSmall = ("a"..."z").contains(scalar) || ("ａ"..."ｚ").contains(scalar)
      result.append(isSmall ? Unicode.Scalar(scalar.value - 32) ?? scalar : scalar)
    }
    return String(result)
  }

  /// The values of the 18 characters, or nil when the text has not the shape of a code: the third to the eighth are the
  /// digits of an administrative division (GB/T 2260). Characters may have their full width, and spaces and dashes may
  /// stand between groups of them.
  private static func values(_ text: String) -> [Int]? {
    let characters = characters(of: text)
    let values = characters.prefix(19).compactMap { alphabet.firstIndex(of: $0) }
    let hasShape = values.count == 18 && characters.count == 18 && values[2..<8].allSatisfy { $0 < 10 }
    return hasShape ? values : nil
  }

  /// The characters of a text without what groups them; nothing for one that begins or ends with that. One outside ASCII
  /// is a zero byte.
  private static func characters(of text: String) -> [UInt8] {
    let ascii = text.unicodeScalars.map { scalar in
      UInt8(exactly: ("！"..."～").contains(scalar) ? scalar.value - 0xFEE0 : scalar.value) ?? 0
    }
    let isGroup = { (scalar: Unicode.Scalar) in
      [.spaceSeparator, .dashPunctuation].contains(scalar.properties.generalCategory)
    }
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, !isGroup(first),
      !isGroup(last)
    else { return [] }
    return zip(text.unicodeScalars, ascii).filter { !isGroup($0.0) }.map(\.1)
  }

  /// Whether a text in capitals has the shape of a code.
  static func hasShape(_ text: String) -> Bool {
    values(text) != nil
  }

  /// Returns whether a text consists of one repeated character.
  static func isOneCharacter(_ text: String) -> Bool {
    Set(characters(of: text)).count == 1
  }

  /// Whether the check character matches the first 17 characters: GB 32100-2015 weighs the character at place i
  /// (from 0) with 3 to the power of i, and the weighted sum of all 18 is a multiple of 31.
  static func hasMatchingCheckCharacter(_ text: String) -> Bool {
    guard let values = values(text) else { return false }
    var weight = 1
    var sum = 0
    for value in values.dropLast() {
      sum += value * weight
      weight = weight * 3 % 31
    }
    return values.last == (31 - sum % 31) % 31
  }
}
