/// The unified social credit code of an organisation (GB 32100-2015), which is its tax number (R3).
enum CreditCode {
  /// The characters in the order of their values, 0 to 30: digits and capitals without I, O, S, V and Z.
  private static let alphabet = Array("0123456789ABCDEFGHJKLMNPQRTUWXY".utf8)

  /// The text with the letters a to z in capitals.
  static func capitals(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard ("a"..."z").contains(scalar) else {
        result.append(scalar)
        continue
      }
      result.append(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 32)))
    }
    return String(result)
  }

  /// The values of the 18 characters, or nil when the text has not the shape of a code: the third to the eighth are the
  /// digits of an administrative division (GB/T 2260).
  private static func values(_ text: String) -> [Int]? {
    let values = text.utf8.prefix(19).compactMap { alphabet.firstIndex(of: $0) }
    let hasShape = values.count == 18 && text.utf8.count == 18 && values[2..<8].allSatisfy { $0 < 10 }
    return hasShape ? values : nil
  }

  /// Whether a text in capitals has the shape of a code.
  static func hasShape(_ text: String) -> Bool {
    values(text) != nil
  }

  /// Returns whether a text consists of one repeated character.
  static func isOneCharacter(_ text: String) -> Bool {
    Set(text.utf8).count == 1
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
