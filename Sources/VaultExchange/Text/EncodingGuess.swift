import VaultInterface

/// The encoding in which all of a file makes most sense.
struct EncodingGuess {
  let encoding: TextEncoding
  /// Where another encoding makes as much sense: both readings, for a person to choose.
  private(set) var warnings: [Issue] = []

  /// How many bytes are looked at.
  private static let sampleLimit = 1 << 16
  private static let candidates: [TextEncoding] = [
    .gb18030, .big5, .shiftJIS, .eucJP, .eucKR, .windows1252, .windows1250, .windows1251,
  ]

  /// Chooses an encoding for the lines of a file that are not ASCII; nil if none makes sense.
  init?(_ lines: [[UInt8]], given: TextEncoding? = nil) {
    let unicode = lines.count(where: TextEncoding.isUTF8)
    if let given {
      encoding = given
      return
    }
    if unicode * 2 >= lines.count {
      encoding = .utf8
      return
    }
    let sample = Self.sample(of: lines)
    var readings: [(encoding: TextEncoding, text: [UInt8], sense: Double)] = []
    for candidate in Self.candidates {
      guard let text = CharacterConversion.utf8(of: sample, charset: candidate.rawValue) else { continue }
      readings.append((candidate, text, Self.sense(of: text, as: candidate)))
    }
    guard let best = readings.max(by: { $0.sense < $1.sense }), best.sense >= 0.5 else { return nil }
    encoding = best.encoding
    let rivals = readings.filter {
      $0.encoding != best.encoding && $0.text != best.text && $0.sense >= best.sense * 0.85
    }
    guard !rivals.isEmpty else { return }
    let texts =
      [(best.encoding, best.text)] + rivals.sorted { $0.sense > $1.sense }.map { ($0.encoding, $0.text) }
    warnings = [ImportMessages.unclearEncoding(texts.map { ($0, Self.start(of: $1)) })]
  }

  static func isPlausible(_ text: [UInt8], as encoding: TextEncoding) -> Bool {
    sense(of: text, as: encoding) >= 0.5
  }

  private static func sample(of lines: [[UInt8]]) -> [UInt8] {
    var sample: [UInt8] = []
    for line in lines where sample.isEmpty || sample.count + line.count < sampleLimit {
      sample += line + [0x0A]
    }
    return sample
  }

  /// The start of a text, for a person.
  private static func start(of text: [UInt8]) -> String {
    String(
      String(decoding: text, as: UTF8.self).trimmed.unicodeScalars.filter { $0.value >= 0x20 }.prefix(30).map(
        Character.init))
  }

  // MARK: Sense

  /// How much a text is like one that people write in an encoding, up to about 1.
  private static func sense(of text: [UInt8], as encoding: TextEncoding) -> Double {
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var (sum, count, own) = (0.0, 0, 0)
    for (index, scalar) in scalars.enumerated() where scalar.value >= 0x80 {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      let value = sense(of: scalar, between: before, after, encoding)
      count += 1
      sum += value
      if isOwn(scalar, to: encoding) { own += 1 }
    }
    guard count > 0 else { return 0 }
    let share = Double(own) / Double(count)
    // Japanese without kana and Korean without hangul hardly exist; a chance reading of Chinese has few of them.
    let weight: Double =
      switch encoding {
      case .gb18030, .windows1252: 1
      case .big5: 0.97
      case .shiftJIS, .eucJP: share > 0.2 ? 1.02 : 0.85
      case .eucKR: share > 0.95 ? (count >= 6 ? 1.05 : 0.88) : 0.5
      default: 0.95
      }
    return sum / Double(count) * weight
  }

  private static func isOwn(_ scalar: Unicode.Scalar, to encoding: TextEncoding) -> Bool {
    switch encoding {
    case .shiftJIS, .eucJP: 0x3041...0x30FC ~= scalar.value
    case .eucKR: 0xAC00...0xD7A3 ~= scalar.value
    default: false
    }
  }

  private static func sense(
    of scalar: Unicode.Scalar, between before: Unicode.Scalar, _ after: Unicode.Scalar,
    _ encoding: TextEncoding
  ) -> Double {
    switch scalar.value {
    case 0x80...0x9F, 0xE000...0xF8FF, 0xFFFD: return -1
    case 0x3000...0x3002, 0x300A...0x3011, 0xFF01...0xFF5E: return isEastAsian(encoding) ? 0.9 : 0
    case 0x3041...0x30FC: return encoding == .shiftJIS || encoding == .eucJP ? 1 : 0.2
    case 0xFF61...0xFF9F: return 0.2
    case 0xAC00...0xD7A3: return common[encoding]?.contains(scalar) ?? false ? 1 : 0.1
    default: break
    }
    if scalar.properties.isIdeographic { return common[encoding]?.contains(scalar) ?? false ? 1 : 0.2 }
    guard scalar.properties.isAlphabetic else {
      if "€£©®°".unicodeScalars.contains(scalar) { return after.properties.isAlphabetic ? 0.2 : 0.9 }
      return "‘’“”–—…•·«»¿¡".unicodeScalars.contains(scalar) ? 0.9 : 0.3
    }
    if isCyrillic(scalar) {
      let isMixed = [before, after].contains { $0.properties.isAlphabetic && $0.value < 0x80 }
      let isShouted = scalar.properties.isUppercase && before.properties.isLowercase
      return isMixed ? 0 : isShouted ? 0.3 : encoding == .windows1251 ? 1 : 0.3
    }
    let isInWord = [before, after].contains { $0.properties.isAlphabetic && $0.value < 0x80 }
    let isUsual = usualLetters[encoding]?.contains(scalar) ?? false
    let isShouted = scalar.properties.isUppercase && before.properties.isLowercase
    return isUsual && isInWord && !isShouted ? 1 : 0.25
  }

  private static func isEastAsian(_ encoding: TextEncoding) -> Bool {
    [.gb18030, .big5, .shiftJIS, .eucJP, .eucKR].contains(encoding)
  }

  private static func isCyrillic(_ scalar: Unicode.Scalar) -> Bool {
    0x0400...0x04FF ~= scalar.value
  }

  private static let usualLetters: [TextEncoding: Set<Unicode.Scalar>] = [
    .windows1252: Set("àáâãäåæçèéêëìíîïñòóôõöøùúûüýßœÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÛÜ".unicodeScalars),
    .windows1250: Set("ąćčďęěłľńňőřśšťůűźżžáéíóúýôäöüßĄĆČĎĘĚŁŃŇŘŚŠŤŮŰŹŻŽÁÉÍÓÚÝÄÖÜ".unicodeScalars),
  ]

  /// The characters of the first level of each standard, which hold those in common use.
  private static let common: [TextEncoding: Set<Unicode.Scalar>] = {
    let simplified = firstLevel("GB2312", 0xB0A1...0xD7F9)
    let traditional = firstLevel("BIG5", 0xA440...0xC67E)
    let japanese = firstLevel("EUC-JP", 0xB0A1...0xCFD3)
    let korean = firstLevel("EUC-KR", 0xB0A1...0xC8FE)
    return [
      .gb18030: simplified, .big5: traditional, .shiftJIS: japanese, .eucJP: japanese, .eucKR: korean,
    ]
  }()

  private static func firstLevel(_ name: String, _ codes: ClosedRange<UInt16>) -> Set<Unicode.Scalar> {
    let isBig5 = name == "BIG5"
    let bytes = codes.map { (UInt8($0 >> 8), UInt8($0 & 0xFF)) }
      .filter { (0xA1...0xFE).contains($0.1) || isBig5 && (0x40...0x7E).contains($0.1) }
      .flatMap { [$0.0, $0.1] }
    let text = CharacterConversion.utf8(of: bytes, from: name) ?? []
    return Set(String(decoding: text, as: UTF8.self).unicodeScalars)
  }
}
