import TestSamples
import Testing
import Wire

/// Values and bytes at random, from seeds that make every run the same.
@Suite struct JSONRandomTests {
  @Test("a written value is read back unchanged", arguments: 0..<8)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let value = Self.value(depth: 5, using: &generator)
      let bytes = value.utf8
      let read = try JSONReader.read(bytes)
      #expect(read == value)
      #expect(read.utf8 == bytes)
      #expect(!bytes.contains(0x0A) && !bytes.contains(0x0D))
    }
  }

  @Test("a string is written and read as one character after another would be", arguments: 0..<4)
  func strings(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 2_000 + seed)
    let parts = [
      "\"", "\\", "\n", "\u{1F}", " ", "!", "#", "[", "]", "\u{7F}", "é", "税", "😀", "a", "bcdefghij",
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<40, using: &generator)
      let text = (0..<count).map { _ in generator.one(of: parts) ?? "" }.joined()
      let written = JSON.string(text).utf8
      #expect(written == Self.plain(text))
      #expect(try JSONReader.read(written) == .string(text))
      #expect(try JSONReader.read(Array("[\(Self.escaped(text)),1]".utf8)) == [.string(text), 1])
    }
  }

  /// The text as RFC 8259 has it, one code point after another.
  private static func plain(_ text: String) -> [UInt8] {
    let escapes: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\u{1F}": "\\u001f",
    ]
    return Array("\"\(text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())\"".utf8)
  }

  /// The same with an escape for every code unit.
  private static func escaped(_ text: String) -> String {
    let digits = text.utf16.map { unit in
      let text = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - text.count) + text
    }
    return "\"\(digits.joined())\""
  }

  @Test(
    "100,000 damaged texts trap nowhere, and what is still read is written and read again",
    arguments: 0..<4)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 1_000 + seed)
    let texts = (0..<50).map { _ in Self.value(depth: 3, using: &generator).utf8 }.filter { $0.count > 2 }
    try #require(!texts.isEmpty)
    var accepted = 0
    for round in 0..<25_000 {
      var bytes = texts[round % texts.count]
      for _ in 0...Int.random(in: 0..<3, using: &generator) { Self.damage(&bytes, using: &generator) }
      guard let value = try? JSONReader.read(bytes) else { continue }
      accepted += 1
      let written = value.utf8
      #expect(try JSONReader.read(written).utf8 == written)
    }
    #expect(accepted > 100 && accepted < 25_000)
  }

  private static func value(depth: Int, using generator: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
    case 0: return nil
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return number(using: &generator)
    case 3, 4: return .string(string(using: &generator))
    case 5, 6:
      let count = Int.random(in: 0..<4, using: &generator)
      return .array((0..<count).map { _ in value(depth: depth - 1, using: &generator) })
    default:
      let count = Int.random(in: 0..<4, using: &generator)
      return .object(
        (0..<count).map { _ in
          JSON.Member(string(using: &generator), value(depth: depth - 1, using: &generator))
        })
    }
  }

  private static func number(using generator: inout SeededGenerator) -> JSON {
    func digits() -> String {
      (0..<Int.random(in: 1..<25, using: &generator)).map { _ in
        String(Int.random(in: 0..<10, using: &generator))
      }.joined()
    }
    var text = Bool.random(using: &generator) ? "-" : ""
    text +=
      Bool.random(using: &generator) ? "0" : String(Int.random(in: 1..<10, using: &generator)) + digits()
    if Bool.random(using: &generator) { text += "." + digits() }
    if Bool.random(using: &generator) {
      text += (["e", "E", "e+", "E-"].randomElement(using: &generator) ?? "e") + digits()
    }
    return (try? JSONReader.read(Array(text.utf8))) ?? .string("no number: \(text)")
  }

  private static func string(using generator: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x7F...0x7FF, 0x300...0x36F, 0x4E00...0x9FFF, 0xE000...0xFFFF,
      0x10000...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &generator) {
      let range = ranges.randomElement(using: &generator) ?? 0x20...0x7E
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
    }
    return String(text)
  }

  private static func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &generator) else { return }
    let structure = Array(#"{}[]",:\u0eE+-.truefalsn 19"#.utf8)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[index] = structure.randomElement(using: &generator) ?? 0
    case 2: bytes.remove(at: index)
    case 3: bytes.insert(structure.randomElement(using: &generator) ?? 0, at: index)
    case 4: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
    case 5: bytes.removeSubrange(index...)
    default: bytes.removeSubrange(..<index)
    }
  }
}
