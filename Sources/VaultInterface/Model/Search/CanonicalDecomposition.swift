/// Canonical decomposition of single code points (Unicode Standard, section 3.7; Hangul by section 3.12).
enum CanonicalDecomposition {
  private struct Mapping {
    let first: UInt32
    /// Zero when the code point decomposes to one other.
    let second: UInt32
  }

  private static let mappings: [UInt32: Mapping] = {
    var mappings: [UInt32: Mapping] = [:]
    for numbers in numberLines(CanonicalDecompositionData.pairs) {
      guard let second = numbers.first else { continue }
      for index in stride(from: 1, to: numbers.count - 1, by: 2) {
        mappings[numbers[index + 1]] = Mapping(first: numbers[index], second: second)
      }
    }
    for numbers in numberLines(CanonicalDecompositionData.singletons) {
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
