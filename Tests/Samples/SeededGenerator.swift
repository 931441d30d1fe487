/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers for the same seed on every machine, so that a failure
/// comes back and two programs are measured with the same data.
public struct SeededGenerator: RandomNumberGenerator, Codable, Sendable {
  private var state: UInt64

  /// A generator that begins with a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number of the range, which is not empty.
  public mutating func number(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(max(range.count, 1)))
  }

  /// One of the elements; nil if there is none.
  public mutating func one<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(0..<elements.count)]
  }

  /// One character of the text, as text; empty if the text is.
  mutating func letter(of text: String) -> String {
    one(of: Array(text)).map(String.init) ?? ""
  }

  /// So many characters of the text.
  mutating func letters(_ count: Int, of text: String) -> String {
    let letters = Array(text)
    return String((0..<count).compactMap { _ in one(of: letters) })
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool {
    number(0..<100) < percent
  }
}
