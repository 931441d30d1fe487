import Testing

@testable import qv

@Suite("Text on a terminal") struct TextTests {
  @Test(
    "The columns of wide, combining and full-width characters",
    arguments: [
      ("", 0), ("abc", 3), ("会议室", 6), ("e\u{301}", 1), ("ａ", 2), ("😀", 2), ("한국", 4), ("ｱ", 1), ("✅", 2),
      ("❤\u{fe0f}", 1),
      ("🇨🇳", 2), ("ก่", 1), ("שָׁ", 1),
    ])
  func width(text: String, columns: Int) {
    #expect(text.displayWidth == columns)
  }

  @Test("A text is shortened between characters, and padded to its width")
  func truncated() {
    #expect("会议室".truncated(to: 6) == "会议室")
    #expect("会议室".truncated(to: 5) == "会议…")
    #expect("会议室".truncated(to: 4) == "会… ")
    #expect("ab".truncated(to: 4) == "ab  ")
    #expect("abc".truncated(to: 1) == "…")
  }

  @Test("Text contains no control characters and no bidirectional overrides")
  func printable() {
    #expect("a\u{1b}[2J\u{7f}\u{9b}\u{202e}b\tc\n".printable == "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}b\tc\n")
    #expect("a\tb\nc\u{1b}".oneLine == "a b c\u{fffd}")
    #expect("a\r\nb\rc".oneLine == "a b c")
  }
}
