import Service
import Testing
import Wire

@Suite("What an editor says of itself") struct LanguageClientTests {
  @Test("A: a client with capabilities of the protocol speaks it, and no other")
  func speaks() {
    #expect(LanguageClient(initialize: nil) == nil)
    #expect(LanguageClient(initialize: ["capabilities": ["sessionAdmit": true]]) == nil)
    #expect(LanguageClient(initialize: ["capabilities": ["workspace": [:], "window": [:]]]) == nil)
    #expect(LanguageClient(initialize: ["capabilities": ["textDocument": nil]]) == nil)
    let client = LanguageClient(initialize: ["capabilities": ["textDocument": [:]]])
    #expect(client?.encoding == .utf16)
    #expect(client?.triggers == [";;", "；；"])
  }

  @Test("A: the shape of items goes by the client's name, and by what the user has set")
  func shapes() {
    func shape(_ name: String?, snippets: Bool = false, wanted: String? = nil) -> CompletionShape {
      CompletionShape(wanted: wanted, client: name, hasSnippets: snippets)
    }
    #expect(shape("Neovim") == .marker)
    #expect(shape("Neovim", snippets: true) == .command)
    #expect(shape(nil) == .none)
    #expect(shape("Eglot") == .none)
    #expect(shape("helix") == .command)
    #expect(shape("helix", wanted: "bareCommand") == .bareCommand)
    #expect(shape("helix", wanted: "nonsense") == .command)
  }

  @Test("A: triggers that cannot be used are left out")
  func triggers() {
    func triggers(_ option: JSON) -> [String]? {
      LanguageClient(
        initialize: [
          "capabilities": ["textDocument": [:]], "initializationOptions": ["quickvault": ["trigger": option]],
        ])?.triggers
    }
    #expect(triggers("@@") == ["@@"])
    #expect(triggers(["@", "a b", "", 7, "123456789"]) == ["@"])
    #expect(triggers("") == LanguageClient.defaultTriggers)
    #expect(triggers(7) == LanguageClient.defaultTriggers)
  }

  @Test("A: what a client has said crosses to the next process")
  func handoff() throws {
    let client = try #require(
      LanguageClient(
        initialize: [
          "clientInfo": ["name": "Some\u{7}thing"],
          "capabilities": [
            "textDocument": [:], "general": ["positionEncodings": ["utf-8"]],
            "workspace": ["workspaceEdit": ["documentChanges": true]],
          ],
        ]))
    #expect(client.name == "Something")
    #expect(client.takesVersions)
    #expect(try LanguageClient.read(client.json, at: "") == client)
  }
}
