import Testing
import VaultInterface

@testable import qv

/// Texts on a terminal end their lines with a word, and pages put labels, times and commands in front.
@Suite("Pages of a terminal") struct PageTests {
  @Test(
    "Lines end with a word; a word that is longer than a line stays whole",
    arguments: [
      ("a page of words", 8, ["a page", "of words"]), ("two  columns", 12, ["two  columns"]),
      ("two  columns", 11, ["two", "columns"]), ("", 8, [""]),
      ("at /a/long/path of it", 6, ["at", "/a/long/path", "of it"]),
      ("保险库已锁定。", 6, ["保险库", "已锁", "定。"]), ("用“qv sync”开启", 9, ["用“qv", "sync”开启"]),
      ("（甲）乙", 6, ["（甲）", "乙"]), ("运行 qv 后", 8, ["运行 qv", "后"]),
    ])
  func wrapping(text: String, width: Int, expected: [String]) {
    let lines = text.wrapped(at: width)
    #expect(lines == expected)
  }

  @Test("What is in front is in a column, unless little room is left")
  func rows() {
    var page = TerminalPage(Localized(verbatim: "State."))
    page.addFacts([
      (Localized(verbatim: "One"), "first value"), (Localized(verbatim: "Other"), "x"),
      (Localized(verbatim: "None"), nil),
    ])
    page.addRows([], ifEmpty: Localized(verbatim: "There is nothing."))
    page.addNext([TerminalPage.Suggestion("qv now", Localized(verbatim: "do it")), nil])
    #expect(page.lines(20).state == ["State."])
    #expect(
      page.lines(20).rest == [
        "", "One:    first value", "Other:  x", "", "There is nothing.", "", Self.title, "  qv now  do it",
      ])
    #expect(
      page.lines(13).rest == [
        "", "One: first", "    value", "Other: x", "", "There is", "nothing.", "", "What you can", "do:",
        "  qv now", "      do it",
      ])
  }

  private static let title = "What you can do:"

  @Test("A text of paragraphs is broken anew, and keeps what is in front")
  func text() {
    let page = TerminalPage(
      text: """
        Title

        A paragraph in
        two lines:
          word      which goes on
                    in another line
          两个      中文的
                    续行

        The end.

        """)
    #expect(page.lines(60).state == ["Title"])
    #expect(
      page.lines(60).rest == [
        "", "A paragraph in two lines:", "", "word  which goes on in another line", "两个  中文的续行", "",
        "The end.",
      ])
  }
}
