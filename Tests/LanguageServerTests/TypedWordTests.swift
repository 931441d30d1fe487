import Service
import Testing

@Suite("What was typed") struct TypedWordTests {
  private func word(_ line: String, at offset: Int? = nil, _ triggers: [String] = [";;", "；；"]) -> TypedWord?
  {
    TypedWord(in: line[...], at: offset ?? line.utf16.count, triggers, .utf16)
  }

  @Test("A: the word behind the last trigger before the cursor")
  func found() {
    #expect(word("a ;;gsfp")?.word == "gsfp")
    #expect(word(";;a ;;b")?.word == "b")
    #expect(word(";;a ;;b", at: 3)?.word == "a")
    #expect(word("；；公司")?.typed == "；；公司")
    #expect(word(";;;x")?.typed == ";;x")
    #expect(word("😀;;x")?.typed == ";;x")
    #expect(word(";;")?.word == "")
    #expect(word(";;；；x")?.word == "x")
  }

  @Test("A: the word in which the cursor stands, up to white space")
  func around() {
    func word(_ line: String, around offset: Int) -> String? {
      TypedWord(around: offset, in: line[...], [";;", "；；"], .utf16)?.typed
    }
    for offset in 2...8 { #expect(word("a ;;gsfp b", around: offset) == ";;gsfp") }
    for offset in [0, 1, 9, 10] { #expect(word("a ;;gsfp b", around: offset) == nil) }
    #expect(word("a;;gsfp", around: 0) == nil)
    #expect(word(";;a;;b", around: 1) == nil)
  }

  @Test(
    "A No word without a trigger, behind white space, or longer than a title is typed",
    arguments: ["", "gsfp", "; gsfp", ";;gs fp", ";;gs\u{3000}fp", ";;" + String(repeating: "x", count: 65)])
  func none(_ line: String) {
    #expect(word(line) == nil)
  }

  @Test("A: a part that a client escapes or composes differently is another text")
  func bytes() {
    #expect(word(";\u{301};x") == nil)
  }

  @Test("A: the last full stop begins a field")
  func parts() {
    #expect(word(";;a.b.c")?.parts.query == "a.b")
    #expect(word(";;a.b.c")?.parts.field == "c")
    #expect(word(";;a")?.parts.field == nil)
  }
}
