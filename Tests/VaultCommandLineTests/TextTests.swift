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

  @Test(
    "Base64 (RFC 4648, section 10)",
    arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
  func base64(text: String, encoded: String) {
    #expect(Base64Text.encode(Array(text.utf8)) == encoded)
    #expect(Base64Text.decode(encoded) == Array(text.utf8))
  }

  @Test("Text that is not Base64 is not decoded", arguments: ["Z", "Zg=", "Z===", "Zm9v!", "会议"])
  func noBase64(text: String) {
    #expect(Base64Text.decode(text) == nil)
  }
}
