/// The shapes of a phone number on a card (R2).
public enum PhoneNumber {
  /// Whether a text is a Chinese mobile number (11 digits starting with 1), a landline with area code, or a number with
  /// another country's code.
  ///
  /// Area codes are 010, 02x and 03xx to 09xx; the number itself has 7 or 8 digits. Spaces and dashes may separate digits,
  /// brackets may enclose the area code, and digits may be full-width. China's code may come first, and then the area code
  /// may come without its 0, as it is dialled from abroad. An extension of 1 to 6 digits may follow, after a dash, 转 or
  /// `;ext=`. Marks that are not seen, as address books put around numbers, do not count.
  /// - Parameter allowsService: whether the numbers of companies that have no area code count: 400, 800 and 95.
  public static func isValid(_ text: String, allowsService: Bool = false) -> Bool {
    parts(of: text, allowsService) != nil
  }

  /// The number as digits only, as it is dialled in China: without what groups them and without China's code, but with another
  /// country's. An extension follows a dash. A text that is no valid number stays as it is.
  static func plain(_ text: String, allowsService: Bool) -> String {
    guard let (number, extensionDigits) = parts(of: text, allowsService) else { return text }
    var digits = number.filter { isDigit($0) || $0 == "+" }
    if let code = chineseCodes.first(where: { number.starts(with: $0.unicodeScalars) }),
      !(allowsService && isService(digits))
    {
      digits.removeFirst(code.unicodeScalars.filter { isDigit($0) || $0 == "+" }.count)
      let isMobile = digits.count == 11 && digits.first == "1"
      if !isMobile, digits.first != "0" { digits.insert("0", at: 0) }
    }
    let suffix = extensionDigits.isEmpty ? [] : ["-"] + extensionDigits
    return String(String.UnicodeScalarView(digits + suffix))
  }

  /// The folded number and the digits of its extension; nil for a text that is no valid number.
  private static func parts(
    of text: String, _ allowsService: Bool
  ) -> (number: ArraySlice<Unicode.Scalar>, extensionDigits: ArraySlice<Unicode.Scalar>)? {
    let number = FoldedText(text.trimmed).scalars.filter { !$0.properties.isDefaultIgnorableCodePoint }[...]
    if isComplete(number, allowsService) { return (number, []) }
    let mark =
      extensionMarks.lazy.compactMap { sought in
        number.indices.last { number[$0...].starts(with: sought.unicodeScalars) }.map {
          ($0, sought.unicodeScalars.count)
        }
      }.first ?? number.lastIndex(where: isDash).map { ($0, 1) }
    guard let mark else { return nil }
    let extensionDigits = number[mark.0...].dropFirst(mark.1).drop(while: isSpace)
    var rest = number[..<mark.0]
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    guard (1...6).contains(extensionDigits.count), extensionDigits.allSatisfy(isDigit),
      isComplete(rest, allowsService)
    else { return nil }
    return (rest, extensionDigits)
  }

  private static let extensionMarks = ["转", ";ext="]

  private static func isComplete(_ number: ArraySlice<Unicode.Scalar>, _ allowsService: Bool) -> Bool {
    if allowsService, let digits = digits(of: number), isService(digits) { return true }
    for code in chineseCodes where number.starts(with: code.unicodeScalars) {
      return isChinese(number.dropFirst(code.unicodeScalars.count).drop(while: isSeparator), withCode: true)
    }
    return isChinese(number, withCode: false) || isForeign(number)
  }

  /// Whether digits are a number for the whole country: 400 or 800 with seven more, or 95 with three to six more.
  private static func isService(_ digits: [Unicode.Scalar]) -> Bool {
    if digits.starts(with: "95".unicodeScalars) { return (5...8).contains(digits.count) }
    return digits.count == 10
      && (digits.starts(with: "400".unicodeScalars) || digits.starts(with: "800".unicodeScalars))
  }

  /// No Chinese number begins with 86 itself: mobile numbers begin with 1, area codes with 0.
  private static let chineseCodes = ["+86", "(+86)", "0086", "86"]

  private static func isChinese(_ number: ArraySlice<Unicode.Scalar>, withCode: Bool) -> Bool {
    var number = number
    var bracketedCount: Int?
    if number.first == "(" {
      guard let end = number.firstIndex(of: ")") else { return false }
      let areaCode = number[..<end].dropFirst()
      number = areaCode + number[end...].dropFirst().drop(while: isSeparator)
      bracketedCount = areaCodeLength(areaCode)
      guard bracketedCount == areaCode.count else { return false }
    }
    guard let digits = digits(of: number) else { return false }
    if bracketedCount == nil, digits.count == 11, digits.first == "1" { return true }
    guard withCode || digits.first == "0", let areaCodeLength = areaCodeLength(digits[...])
    else { return false }
    return (7...8).contains(digits.count - areaCodeLength)
  }

  /// The number of digits of a landline's area code, with the leading 0 if it is there.
  private static func areaCodeLength(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
    let trunkCount = digits.first == "0" ? 1 : 0
    let national = digits.dropFirst(trunkCount)
    switch national.first {
    case "1": return national.dropFirst().first == "0" ? trunkCount + 2 : nil
    case "2": return trunkCount + 2
    case "3", "4", "5", "6", "7", "8", "9": return trunkCount + 3
    default: return nil
    }
  }

  /// Whether a text is a plus sign and as many digits as E.164 allows, the country's code included.
  private static func isForeign(_ number: ArraySlice<Unicode.Scalar>) -> Bool {
    guard number.first == "+", let code = number.dropFirst().first, code != "0",
      let digits = digits(of: number.dropFirst().filter { $0 != "(" && $0 != ")" }[...])
    else { return false }
    return (7...15).contains(digits.count)
  }

  /// The digits of a text that begins and ends with one and has nothing but digits and separators; nil for another.
  private static func digits(of text: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar]? {
    guard let first = text.first, let last = text.last, isDigit(first), isDigit(last) else { return nil }
    let digits = text.filter { !isSeparator($0) }
    return digits.allSatisfy(isDigit) ? digits : nil
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    isDash(scalar) || isSpace(scalar)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .spaceSeparator
  }

  private static func isDash(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .dashPunctuation || scalar == "\u{2212}"
  }
}
