import CResources
import Wire

/// Folds texts for searching (R7).
///
/// Each code point goes to its usual width (full-width forms to ASCII, the ideographic space to a space, half-width
/// katakana to the usual ones), to lower case, and to its canonical decomposition; runs of combining marks are put
/// into canonical order. So `ＡＢＣ`, `ABC` and `abc` are alike, as are `ガ` and `ｶﾞ`, and a composed and a decomposed
/// `é`. An `e` without accent is a part of the decomposed `é` and so finds it; an `é` does not find an `e`.
enum TextFolding {
  /// The usual forms of U+FF61 to U+FF9F.
  private static let katakana = Array(
    ("。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
      + "\u{3099}\u{309A}").unicodeScalars)
  /// The usual forms of U+FFE0 to U+FFEE; U+FFE7 is not assigned.
  private static let signs = Array("¢£¬¯¦¥₩\u{FFE7}│←↑→↓■○".unicodeScalars)

  /// Passes on the folded code points of one code point, not yet in canonical order with their neighbors.
  static func forEachFolded(of scalar: Unicode.Scalar, _ body: (Unicode.Scalar) -> Void) {
    let folded = foldedWidth(scalar)
    let value = folded.value
    if value < 0x80 {
      body(lowercaseASCII(folded))
    } else if 0x2E80...0xA63F ~= value || 0xAC00...0xD7A3 ~= value {
      CanonicalDecomposition.forEach(of: folded, body)  // no letter here has a case
    } else {
      for lower in folded.properties.lowercaseMapping.unicodeScalars {
        CanonicalDecomposition.forEach(of: lower == "ς" ? "σ" : lower, body)
      }
    }
  }

  /// The combining class; zero begins a new run.
  static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
    let value = scalar.value
    if value < 0x300 || 0x3100...0xA66E ~= value { return 0 }
    return scalar.properties.canonicalCombiningClass.rawValue
  }

  static func lowercaseASCII(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value + 32)) : scalar
  }

  /// The form of usual width.
  static func foldedWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x3000: " "
    case 0xFF01...0xFF5E: Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0xFEE0))
    case 0xFF61...0xFF9F: katakana[Int(scalar.value - 0xFF61)]
    case 0xFFE0...0xFFEE: signs[Int(scalar.value - 0xFFE0)]
    default: scalar
    }
  }
}

/// A folded text, with the original position of each code point.
struct FoldedText {
  /// The folded code points in canonical order.
  private(set) var scalars: [Unicode.Scalar] = []
  /// For each folded code point, the index of the code point of the original that it came from.
  private(set) var origins: [Int] = []

  init(_ text: String) {
    self.init(text.unicodeScalars)
  }

  init(_ original: some Sequence<Unicode.Scalar>) {
    var marks = MarkRun()
    for (index, scalar) in original.enumerated() {
      TextFolding.forEachFolded(of: scalar) { folded in
        let combiningClass = TextFolding.combiningClass(folded)
        if combiningClass == 0 {
          flush(&marks)
          append(folded, origin: index)
        } else {
          marks.append(folded, combiningClass, origin: index)
        }
      }
    }
    flush(&marks)
  }

  private mutating func append(_ scalar: Unicode.Scalar, origin: Int) {
    scalars.append(scalar)
    origins.append(origin)
  }

  private mutating func flush(_ marks: inout MarkRun) {
    marks.drain { append($0, origin: $1) }
  }

  /// The folded text as UTF-8.
  var utf8: [UInt8] {
    scalars.flatMap { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
  }

  /// Whether a folded text is a part of this one.
  func contains(_ sought: [Unicode.Scalar]) -> Bool {
    sought.isEmpty || firstMatch(of: SearchPattern(sought), from: 0) != nil
  }

  /// The code points of the original that folded ones came from.
  ///
  /// - Parameter takesMarks: whether it takes in the combining marks that follow.
  func original(of match: Range<Int>, takesMarks: Bool) -> Range<Int>? {
    var end = match.upperBound
    if takesMarks {
      while end < scalars.count, TextFolding.combiningClass(scalars[end]) != 0 { end += 1 }
    }
    let touched = origins[match.lowerBound..<end]
    guard let low = touched.min(), let high = touched.max() else { return nil }
    return low..<high + 1
  }

  /// Returns the first occurrence of a folded text from a position on, in positions of folded code points.
  func firstMatch(of sought: SearchPattern, from start: Int) -> Range<Int>? {
    guard !sought.scalars.isEmpty else { return nil }
    var count = 0
    for position in start..<max(start, scalars.count) {
      count = sought.matchLength(scalars[position], after: count)
      if count == sought.scalars.count { return position + 1 - count..<position + 1 }
    }
    return nil
  }
}

/// A folded text to search for, in time independent of its length (Knuth, Morris and Pratt, 1977).
struct SearchPattern {
  let scalars: [Unicode.Scalar]
  /// For each prefix of the pattern, the length of the longest proper suffix that is also a prefix.
  private var borders: [Int] = []

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    for position in scalars.indices {
      borders.append(position == 0 ? 0 : matchLength(scalars[position], after: borders[position - 1]))
    }
  }

  /// Returns how many code points of the pattern match after one more code point of the text.
  func matchLength(_ scalar: Unicode.Scalar, after count: Int) -> Int {
    var count = count == scalars.count ? borders[count - 1] : count
    while count > 0, scalars[count] != scalar { count = borders[count - 1] }
    return scalars[count] == scalar ? count + 1 : 0
  }
}

/// A run of combining marks that is sorted by combining class, in which equal ones keep their order.
struct MarkRun {
  private var marks: [(scalar: Unicode.Scalar, combiningClass: UInt8, origin: Int)] = []

  var isEmpty: Bool { marks.isEmpty }

  mutating func append(_ scalar: Unicode.Scalar, _ combiningClass: UInt8, origin: Int) {
    marks.append((scalar, combiningClass, origin))
  }

  mutating func drain(_ body: (Unicode.Scalar, Int) -> Void) {
    guard !marks.isEmpty else { return }
    if marks.count > 1 {
      let order = marks.indices.sorted {
        (marks[$0].combiningClass, $0) < (marks[$1].combiningClass, $1)
      }
      for index in order { body(marks[index].scalar, marks[index].origin) }
    } else {
      for mark in marks { body(mark.scalar, mark.origin) }
    }
    marks.removeAll(keepingCapacity: true)
  }
}

/// Canonical decomposition of single code points (Unicode Standard, section 3.7; Hangul by section 3.12).
enum CanonicalDecomposition {
  private struct Mapping {
    let first: UInt32
    /// Zero when the code point decomposes to one other.
    let second: UInt32
  }

  private static let mappings: [UInt32: Mapping] = {
    let (pairs, singletons) = unsafe (
      String(resource: quickvault_decomposition_pairs(), quickvault_decomposition_pairs_count()),
      String(resource: quickvault_decomposition_singletons(), quickvault_decomposition_singletons_count())
    )
    var mappings: [UInt32: Mapping] = [:]
    for numbers in numberLines(pairs) {
      guard let second = numbers.first else { continue }
      for index in stride(from: 1, to: numbers.count - 1, by: 2) {
        mappings[numbers[index + 1]] = Mapping(first: numbers[index], second: second)
      }
    }
    for numbers in numberLines(singletons) {
      guard let start = numbers.first else { continue }
      for (code, target) in zip(start..., numbers.dropFirst()) {
        mappings[code] = Mapping(first: target, second: 0)
      }
    }
    return mappings
  }()

  private static func numberLines(_ text: String) -> [[UInt32]] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: " ")).compactMap { UInt32(String(Substring($0)), radix: 16) }
    }
  }

  /// Passes on the full canonical decomposition of a code point; the code point itself when it has none.
  static func forEach(of scalar: Unicode.Scalar, _ body: (Unicode.Scalar) -> Void) {
    let value = scalar.value
    if value < 0xC0 || 0x3100...0xABFF ~= value {
      body(scalar)
    } else if 0xAC00...0xD7A3 ~= value {
      forEachJamo(ofSyllable: value - 0xAC00, body)
    } else if let mapping = mappings[value], let first = Unicode.Scalar(mapping.first) {
      forEach(of: first, body)
      if mapping.second != 0, let second = Unicode.Scalar(mapping.second) { forEach(of: second, body) }
    } else {
      body(scalar)
    }
  }

  private static func forEachJamo(ofSyllable index: UInt32, _ body: (Unicode.Scalar) -> Void) {
    let trailing = index % 28
    let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, trailing == 0 ? 0 : 0x11A7 + trailing]
    for part in parts where part != 0 {
      if let jamo = Unicode.Scalar(part) { body(jamo) }
    }
  }
}
