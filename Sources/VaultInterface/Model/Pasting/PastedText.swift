/// A pasted text, and which of its characters a field has already. What is left at the end goes to the notes, so nothing is lost.
struct PastedText {
  let scalars: [Unicode.Scalar]
  /// The same characters as they are compared: of usual width, simplified, in lower case.
  let folded: [Unicode.Scalar]
  private var isFree: [Bool]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    folded = Divisions.all.folded(text).map { scalar in
      let folded = TextFolding.lowercaseASCII(TextFolding.foldedWidth(scalar))
      return Self.variants[folded] ?? folded
    }
    isFree = [Bool](repeating: true, count: scalars.count)
  }

  /// Traditional characters of labels.
  private static let variants: [Unicode.Scalar: Unicode.Scalar] = {
    var pairs = Array(
      "話话號号遞递絡络戶户帳账帐账賬账稱称統统碼码稅税識识詳详註注發发貨货單单機机聯联⼈人⼿手⼾户⼝口⾏行⽅方⾦金電电郵邮編编開开銀银會会別别納纳細细備备頭头資资購购買买係系繫系寫写達达"
        .unicodeScalars)[...]
    var variants: [Unicode.Scalar: Unicode.Scalar] = [:]
    while let variant = pairs.popFirst(), let usual = pairs.popFirst() { variants[variant] = usual }
    return variants
  }()

  var whole: Range<Int> { scalars.indices }

  func isFree(_ index: Int) -> Bool { isFree[index] }

  mutating func take(_ range: Range<Int>) {
    for index in range { isFree[index] = false }
  }

  mutating func release(_ range: Range<Int>) {
    for index in range { isFree[index] = true }
  }

  /// The parts of a range that no field has.
  func free(in range: Range<Int>) -> [Range<Int>] {
    runs(in: range) { isFree[$0] }
  }

  /// The pieces of a range between separators and what a field has.
  func pieces(in range: Range<Int>) -> [Range<Int>] {
    runs(in: range) { isFree[$0] && !isSeparator($0) }
  }

  private func runs(in range: Range<Int>, _ belongs: (Int) -> Bool) -> [Range<Int>] {
    var (runs, start): ([Range<Int>], Int?) = ([], nil)
    for index in range {
      if belongs(index) {
        start = start ?? index
      } else if let first = start {
        runs.append(first..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<range.upperBound) }
    return runs
  }

  /// The ranges of the lines that are not empty.
  var lines: [Range<Int>] { runs(in: whole) { !scalars[$0].isLineBreak } }

  // MARK: Characters

  static let colons: Set<Unicode.Scalar> = [":", "=", "︰", "﹕"]
  private static let separators = Set(",、;:|/\\=。.!?~-—–―_·•()[]{}【】「」『』〔〕<>《》〈〉\"“”'‘’*".unicodeScalars)

  /// Whether a character only separates: white space, punctuation or one that is not seen.
  func isSeparator(_ index: Int) -> Bool {
    let scalar = folded[index]
    return isSpace(index) || Self.separators.contains(scalar) || scalar.isLineBreak
  }

  func isSpace(_ index: Int) -> Bool {
    let scalar = folded[index]
    return scalar == " " || scalar == "\t" || scalar.properties.isWhitespace && !scalar.isLineBreak
      || scalar.properties.isDefaultIgnorableCodePoint
  }

  func isDigit(_ index: Int) -> Bool { ("0"..."9").contains(folded[index]) }

  func isHan(_ index: Int) -> Bool { folded[index].properties.isIdeographic }

  func isLetter(_ index: Int) -> Bool { folded[index].properties.isAlphabetic && !isHan(index) }

  /// Whether a word begins at an index: nothing or a separator is before it.
  func isBoundary(_ index: Int) -> Bool { index == 0 || isSeparator(index - 1) }

  func starts(with word: String, at index: Int) -> Bool {
    folded[index...].starts(with: word.unicodeScalars)
  }

  // MARK: Texts

  /// The text of a range as it was typed.
  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  func foldedText(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(folded[range])) }

  /// A range without separators at its ends, but with the brackets around it that belong together.
  /// - Parameter outer: where brackets are looked for; the range itself by default.
  func trimmed(_ range: Range<Int>, in outer: Range<Int>? = nil) -> Range<Int> {
    let outer = outer ?? range
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSeparator(start) { start += 1 }
    while end > start, isSeparator(end - 1) { end -= 1 }
    for (open, close) in [("(", ")"), ("[", "]"), ("【", "】"), ("《", "》"), ("“", "”")]
      as [(Unicode.Scalar, Unicode.Scalar)]
    {
      let depth = folded[start..<end].reduce(0) { $0 + ($1 == open ? 1 : $1 == close ? -1 : 0) }
      if depth == 1, end < outer.upperBound, folded[end] == close { end += 1 }
      if depth == -1, start > outer.lowerBound, folded[start - 1] == open { start -= 1 }
    }
    return start..<end
  }

  /// The free parts of ranges as one line. Parts are joined by a space unless a Chinese character is at the joint.
  func joined(_ ranges: [Range<Int>]) -> String {
    var result = String.UnicodeScalarView()
    for range in ranges.flatMap({ free(in: $0) }) {
      for line in runs(in: range, { !scalars[$0].isLineBreak }) {
        let part = scalars[trimmed(line)]
        guard let first = part.first else { continue }
        if let last = result.last, !last.properties.isIdeographic, !first.properties.isIdeographic {
          result.append(" ")
        }
        result.append(contentsOf: part)
      }
    }
    return String(result)
  }

  /// What no field has: the rest of each line, without the separators around it.
  var rest: String {
    let lines = lines.flatMap { free(in: $0) }.map { text(trimmed($0)) }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
