import Foundation
import TestSamples
import Testing

@testable import VaultInterface

@Suite struct FoldingTests {
  @Test(
    "R7 Alike: case, width, composition, voiced marks",
    arguments: [
      ("ABC", "abc"), ("ＡＢＣ１２３", "abc123"), ("（，：）", "(,:)"), ("\u{3000}", " "), ("ｶﾞｷﾞﾊﾟ", "ガギパ"),
      ("ガ", "カ\u{3099}"), ("ｱｲｳｴｵｯｰ｡｢｣､･", "アイウエオッー。「」、・"), ("ﾜｦﾝ", "ワヲン"), ("￠￡￢￣￤￥￦", "¢£¬¯¦¥₩"),
      ("￨￩￪￫￬￭￮", "│←↑→↓■○"),
      ("É", "e\u{301}"), ("e\u{301}\u{323}", "ẹ\u{301}"), ("ΣΑΣ", "σας"), ("K", "k"),
      ("각", "\u{1100}\u{1161}\u{11A8}"),
      ("ПРИВЕТ", "привет"), ("İ", "i\u{307}"), ("豈", "\u{8C48}"), ("𐐀", "𐐨"),
    ])
  func alike(_ left: String, _ right: String) {
    #expect(FoldedText(left).scalars == FoldedText(right).scalars)
  }

  @Test("R7 Every code point folds like its canonical decomposition and composition")
  func normalisation() {
    // Decompositions of code points assigned after Unicode 14 are not in the table.
    let isOld = { (scalar: Unicode.Scalar) in scalar.properties.age.map { $0.major <= 14 } ?? false }
    var decomposed = 0
    for scalar in (0...0x10FFFF).compactMap({ Unicode.Scalar(UInt32($0)) }).filter(isOld) {
      let text = String(scalar)
      let canonical = text.decomposedStringWithCanonicalMapping
      guard !canonical.unicodeScalars.elementsEqual(text.unicodeScalars) else { continue }
      decomposed += 1
      let folded = FoldedText(text).scalars
      #expect(folded == FoldedText(canonical).scalars, "U+\(String(scalar.value, radix: 16))")
      let composed = text.precomposedStringWithCanonicalMapping
      #expect(folded == FoldedText(composed).scalars, "U+\(String(scalar.value, radix: 16))")
    }
    #expect(decomposed > 13_000)
  }

  @Test("R7 Both normal forms of a text fold to the same, and folding twice changes nothing")
  func texts() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let text = Samples.randomText(20, &generator)
      let folded = FoldedText(text).scalars
      #expect(folded == FoldedText(text.decomposedStringWithCanonicalMapping).scalars)
      #expect(folded == FoldedText(text.precomposedStringWithCanonicalMapping).scalars)
      #expect(folded == FoldedText(String(String.UnicodeScalarView(folded))).scalars)
    }
  }

  @Test(
    "R7 Ranges are code points of the original",
    arguments: [
      ("xＡbＡB", "ab", [1..<3, 3..<5]), ("caf\u{65}\u{301}!", "é", [3..<5]), ("café!", "e", [3..<4]),
      ("cafe\u{301}!", "e", [3..<5]), ("ｶﾞ", "ガ", [0..<2]), ("aaa", "aa", [0..<2]), ("😀ab", "b", [2..<3]),
      ("İx", "x", [1..<2]), ("각", "가", [0..<1]), ("a", "b", []), ("", "a", []), ("a", "aa", []),
    ] as [(String, String, [Range<Int>])])
  func ranges(_ text: String, _ needle: String, _ expected: [Range<Int>]) {
    let (text, sought) = (FoldedText(text), SearchPattern(FoldedText(needle).scalars))
    var ranges: [Range<Int>] = []
    var start = 0
    while let match = text.firstMatch(of: sought, from: start) {
      ranges += [text.original(of: match, takesMarks: true)].compactMap { $0 }
      start = match.upperBound
    }
    #expect(ranges == expected)
  }
}
