import Wire

/// A key stroke in an editor that speaks the Language Server Protocol.
extension Bench {
  private static let document = "file:///letter.txt"
  /// The lines before the one that is typed in.
  private static let lines = 200

  /// Measures a key stroke: the changed document, and the list of cards for what is typed. Of several words, the slowest counts.
  func measureKeyStroke() throws {
    let client = try Client(server: server, vault: vault)
    _ = try client.ask(
      "initialize",
      [
        "processId": nil, "clientInfo": ["name": "quickvault-benchmark"],
        "capabilities": ["textDocument": ["completion": [:]]],
      ])
    try client.notify("initialized")
    try unlock(client)
    var version = 1
    try client.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(Self.document), "languageId": "text", "version": 1, "text": "",
        ]
      ])
    let searches = Searches(cards: count)
    let words = [searches.nothing, searches.one, searches.many, searches.chinese].map(\.text)
    guard try complete(words[2], version: &version, client).items > 0 else {
      throw BenchmarkError.wrong("an editor is offered no card for \(words[2])")
    }
    let summaries = try effort.measure {
      try words.map { try complete($0, version: &version, client).nanoseconds }
    }
    if let slowest = summaries.max(by: { $0.median < $1.median }) { results.add(.keyStroke, count, slowest) }
    try client.end()
  }

  private func complete(
    _ word: String, version: inout Int, _ client: Client
  ) throws -> (nanoseconds: Int64, items: Int) {
    version += 1
    let text = String(repeating: "Dear all, this is a line of a letter.\n", count: Self.lines) + ";;" + word
    let start = now()
    try client.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Self.document), "version": .integer(version)],
        "contentChanges": [["text": .string(text)]],
      ])
    let list = try client.ask(
      "textDocument/completion",
      [
        "textDocument": ["uri": .string(Self.document)],
        "position": ["line": .integer(Self.lines), "character": .integer(word.utf16.count + 2)],
      ])
    let end = now()
    guard case .array(let items)? = list["items"] else { throw BenchmarkError.wrong("no list of items") }
    return (end - start, items.count)
  }
}
