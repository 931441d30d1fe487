/// The shapes of a phone number on an address card (R2).
public enum PhoneNumber {
  /// Whether a text is a Chinese mobile number (11 digits starting with 1) or a landline with area code.
  ///
  /// Spaces and dashes may separate digits, and +86 may precede them; after +86 the area code may come without its
  /// 0, as it is dialled from abroad. Area codes are 010, 02x and 03xx to 09xx; the number itself has 7 or 8 digits.
  public static func isValid(_ text: String) -> Bool {
    var rest = text.trimmed.unicodeScalars[...]
    let isInternational = rest.starts(with: "+86".unicodeScalars)
    if isInternational {
      rest = rest.dropFirst(3).drop(while: isSeparator)
    }
    guard let first = rest.first, let last = rest.last, isDigit(first), isDigit(last) else { return false }
    let digits = rest.filter { !isSeparator($0) }
    guard digits.allSatisfy(isDigit) else { return false }
    return isMobile(digits) || isLandline(digits, isInternational: isInternational)
  }

  private static func isMobile(_ digits: some Collection<Unicode.Scalar>) -> Bool {
    digits.count == 11 && digits.first == "1"
  }

  private static func isLandline(_ digits: some Collection<Unicode.Scalar>, isInternational: Bool) -> Bool {
    let hasTrunkPrefix = digits.first == "0"
    guard hasTrunkPrefix || isInternational else { return false }
    let national = hasTrunkPrefix ? Array(digits.dropFirst()) : Array(digits)
    guard national.count >= 2 else { return false }
    switch national[0] {
    case "1": return national[1] == "0" && (9...10).contains(national.count)
    case "2": return (9...10).contains(national.count)
    case "3"..."9": return (10...11).contains(national.count)
    default: return false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .dashPunctuation || scalar == "\u{2212}"
      || scalar.properties.generalCategory == .spaceSeparator
  }
}
