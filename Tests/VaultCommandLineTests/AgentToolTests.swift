import Testing
import VaultInterface
import Wire

@testable import qv

/// The tools of agents (M).
@Suite("Tools of agents") struct AgentToolTests {
  private static let tools = Dictionary(
    AgentTool.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  @Test(
    "M Arguments are those of the schema",
    arguments: [
      ("find_cards", ["query": ""], true), ("find_cards", [:], false), ("find_cards", ["query": 1], false),
      ("find_cards", ["query": "", "more": ""], false), ("copy_to_clipboard", ["card": "a"], true),
      ("copy_to_clipboard", ["card": ""], false), ("type_into_window", ["card": "a"], false),
      ("fill_file", ["path": "a", "cards": ["b"]], true), ("fill_file", ["path": "a", "cards": []], false),
      ("fill_file", ["path": "a", "cards": [1]], false), ("fill_file", ["path": "a\u{0}b"], false),
      ("run_command", ["argv": ["a", ""], "env": ["A": "b"]], true),
      ("run_command", ["argv": [], "env": ["A": "b"]], false),
      ("run_command", ["argv": ["a"], "env": [:]], false),
      ("run_command", ["argv": ["a"], "env": ["A": 1]], false),
      ("lock", [:], true), ("lock", ["a": 1], false),
    ] as [(String, JSON, Bool)])
  func arguments(_ name: String, _ arguments: JSON, _ isValid: Bool) throws {
    let tool = try #require(Self.tools[name])
    if isValid {
      try tool.check(arguments)
    } else {
      #expect(throws: ToolError.self) { try tool.check(arguments) }
    }
  }

  @Test("M Only two tools need a setting")
  func needed() {
    #expect(AgentTool.all.filter { $0.needed != nil }.map(\.name) == ["run_command", "reveal_field"])
  }

  @Test("M An error of the vault is said without a word of a card")
  func errors() {
    let error = RequestError(
      ResponseError(code: 1, message: "no card Secret", data: ["kind": "card.other", "cards": ["Secret"]]))
    #expect(ToolError(error).text == "QuickVault could not do that (card.other).")
  }
}
