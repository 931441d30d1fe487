import Testing

@testable import quickvault_benchmark

@Suite struct EditorMessageTests {
  private func read(_ line: String) throws -> EditorMessage {
    try EditorMessage(line: line, from: "Vim", letters: 2, cards: 10_000)
  }

  @Test("keys to type")
  func keys() throws {
    #expect(try read(#"{"type":"\u001bxquickvault\r"}"#) == .type("\u{1B}xquickvault\r"))
  }

  @Test("times, which become nanoseconds; editors write members in any order")
  func times() throws {
    let times = EditorTimes(unlock: 250_000, keys: [60_000, 61_000], allRows: 1_000_000)
    #expect(
      try read(#"{"measured":{"rows":10000,"unlock":250,"keys":[60,61],"allRows":1000}}"#) == .measured(times)
    )
  }

  @Test("an error of the script is told with the name of the editor")
  func error() {
    #expect {
      try read(#"{"error":"E121: Undefined variable"}"#)
    } throws: { error in
      (error as? BenchmarkError)?.description == "a wrong answer: Vim: E121: Undefined variable"
    }
  }

  @Test(
    "what is missing, or is not what was asked for, is an error",
    arguments: [
      "", "Vim", "{}", #"{"measured":{}}"#,
      #"{"measured":{"rows":9999,"unlock":250,"keys":[60,61],"allRows":1000}}"#,
      #"{"measured":{"rows":10000,"unlock":250,"keys":[60],"allRows":1000}}"#,
      #"{"measured":{"rows":10000,"unlock":250,"keys":[60,-1],"allRows":1000}}"#,
      #"{"measured":{"rows":10000,"unlock":250,"keys":[60,61],"allRows":0}}"#,
      #"{"measured":{"rows":10000,"unlock":"250","keys":[60,61],"allRows":1000}}"#,
    ])
  func wrong(line: String) {
    #expect(throws: BenchmarkError.self) { _ = try read(line) }
  }

  @Test("the works of the editors have targets for as many cards as are measured")
  func targets() {
    for works in TextEditor.allCases.map(\.works) {
      #expect(works.unlock.target(cards: 10_000) == .atMost(milliseconds: 250))
      #expect(works.key.target(cards: 10_000) == .atMost(milliseconds: 60))
      #expect(works.allRows.target(cards: 10_000) == .atMost(milliseconds: 1_000))
    }
  }

  @Test("a program in a terminal has its size, shows what it writes, and gets what is typed")
  func terminal() throws {
    let terminal = try Terminal("sh", ["-c", "stty size; read line; echo \"<$line>\""], environment: [:])
    func see(_ text: String) {
      let deadline = now() + 240_000_000_000
      while now() < deadline, !terminal.lastText.contains(text), terminal.watch(milliseconds: 10) {}
      #expect(terminal.lastText.contains(text))
    }
    see("40 110")
    try terminal.type("随取\r")
    see("<随取>")
  }
}
