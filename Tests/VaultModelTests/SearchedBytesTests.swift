import CText
import TestSamples
import Testing

/// Bytes that are compared many at a time, beside the same said plainly.
@Suite struct SearchedBytesTests {
  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }

  private static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    guard bytes.count >= word.count else { return false }
    let bytes = bytes.map(small)
    return (0...bytes.count - word.count).contains { bytes[$0...].starts(with: word) }
  }

  @Test("R7 Searching many bytes at a time has the same result as one by one", arguments: 0..<4)
  func agreement(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabets: [[UInt8]] = [
      Array("abAB[{@`".utf8), Array(0...255), Array(0x80...0xFF), Array(0xE4...0xE9),
    ]
    var (hits, folding) = (0, 0)
    for _ in 0..<10_000 {
      let alphabet = generator.one(of: alphabets) ?? []
      func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in generator.one(of: alphabet) ?? 0 } }
      let text = bytes(Int.random(in: 0..<130, using: &generator))
      let word = bytes(Int.random(in: 0..<4, using: &generator)).map(Self.small)
      let expected = Self.contains(text, word)
      #expect((quickvault_contains(text, text.count, word, word.count) != 0) == expected, "\(text) \(word)")
      let mayFold = text.contains { $0 >= 0xC0 && !(0xE4...0xE9).contains($0) }
      #expect((quickvault_may_fold(text, text.count) != 0) == mayFold, "\(text)")
      hits += expected ? 1 : 0
      folding += mayFold ? 1 : 0
    }
    #expect((1_000..<9_000).contains(hits) && (1_000..<9_000).contains(folding))
  }

  @Test("R7 Words that nearly match everywhere are found where they are, and nowhere else", arguments: 0..<4)
  func repetitions(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let unit = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        generator.one(of: Array("abA".utf8)) ?? 0
      }
      let count = Int.random(in: 100...400, using: &generator)
      var text = Array(repeating: unit, count: count).flatMap { $0 }
      let start = Int.random(in: 0..<text.count - 60, using: &generator)
      var word = text[start...].prefix(Int.random(in: 40...300, using: &generator)).map(Self.small)
      if Bool.random(using: &generator) { word[word.count / 2] = UInt8(ascii: "c") }
      if Bool.random(using: &generator) {
        text.insert(contentsOf: word.map { $0 == UInt8(ascii: "b") ? UInt8(ascii: "B") : $0 }, at: start)
      }
      let expected = Self.contains(text, word)
      #expect((quickvault_contains(text, text.count, word, word.count) != 0) == expected)
    }
  }
}
