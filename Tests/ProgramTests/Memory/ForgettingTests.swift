import Foundation
import Glibc
import TestSupport
import Testing

/// Searches the memory of an unlocked process for cards that were answered before.
@Suite("Forgetting", .enabled(if: geteuid() == 0, "reading another process's memory takes root"))
struct ForgettingTests {
  /// Words that occur nowhere else, with the message if one is found.
  private struct Planted {
    let title = "HEAD" + UUID().uuidString
    let value = "VALUE" + UUID().uuidString
    let concealed = "SECRET" + UUID().uuidString
    /// So short that Swift keeps it beside pointers and numbers, and not in memory of its own.
    let short = String(UUID().uuidString.prefix(8)) + "zq"

    var values: [String] { [value, concealed, short] }

    func card(_ number: Int) -> [String: Any] {
      [
        "title": "\(title) \(number)", "group": "personal", "type": "text", "tags": ["tagged"],
        "fields": ["text": "\(value) 电池 \(number)"],
        "extraFields": [
          ["label": "PIN", "value": short, "concealed": true] as [String: Any],
          ["label": "key", "value": "\(concealed) \(number)", "concealed": true],
        ],
      ]
    }
  }

  private let directory: TemporaryDirectory
  private let planted = Planted()
  private let password = "correct horse \(UUID().uuidString)"
  private var vault: String { directory.appending("vault.quickvault") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Makes a vault of planted cards, and gives their ids.
  private func makeVault(_ count: Int) throws -> [String] {
    let maker = try ProgramClient(vault: vault)
    try maker.createVault(password: password)
    let ids = try (0..<count).map { try maker.createCard(planted.card($0)) }
    guard try maker.program.finish().status == 0 else { throw Failure("the vault was not made") }
    return ids
  }

  private func unlocked() throws -> ProgramClient {
    let client = try ProgramClient(vault: vault)
    try client.unlock(password: password)
    return client
  }

  @Test("R10 a search leaves nothing of the cards in memory beyond its answer")
  func search() async throws {
    try await onThread {
      let ids = try makeVault(50)
      let client = try unlocked()
      for query in [planted.title, "tag:tagged", "group:personal", "type:text", "is:pinned"] {
        try client.call("card/search", with: ["query": query])
        try client.expectForgotten(planted.values, "the search for \(query)")
      }
      try client.call("card/search", with: ["query": "\"\(planted.value) 电池 7\""])
      try client.expectForgotten(planted.values + [planted.title, password], "the search for a value")
      try client.expectFound(secret: planted.value, ofCardWith: ids[0])
    }
  }

  @Test("R10 cards that were shown, copied, written, exported, imported or merged do not stay in memory")
  func everything() async throws {
    try await onThread {
      let ids = try makeVault(150)
      let (words, first) = (planted.values + [planted.title, password], ids[0])
      let copy = directory.appending("copy.quickvault")
      guard try run("/bin/cp", [vault, copy]).status == 0 else { throw Failure("cp") }
      let other = try ProgramClient(vault: copy)
      try other.unlock(password: password)
      for id in ids[..<40] {
        try other.call("card/update", with: ["id": id, "fields": ["text": "\(planted.value) changed"]])
      }
      guard try other.program.finish().status == 0 else { throw Failure("the copy was not changed") }

      let file = { (name: String) in directory.appending("cards.\(name)") }
      var steps: [(method: String, parameters: [String: Any])] = [
        ("card/list", [:]), ("card/get", ["id": first]), ("card/copy", ["id": first]),
        ("card/copy", ["id": first, "field": "PIN"]), ("card/update", ["id": first, "title": planted.title]),
        ("card/create", planted.card(1_000)), ("vault/verify", [:]),
      ]
      for format in ["json", "csv", "vcard", "markdown"] {
        steps.append(("vault/export", ["path": file(format), "format": format, "password": password]))
      }
      for format in ["json", "csv"] {
        steps.append(("vault/import", ["path": file(format), "dryRun": true]))
      }
      steps.append(("vault/merge", ["path": copy, "password": password, "dryRun": true]))
      steps.append(("vault/merge", ["path": copy, "password": password]))
      steps.append(("vault/import", ["path": file("json"), "duplicates": "keep"]))
      let client = try unlocked()
      try client.expectForgotten(words, "session/unlock")
      for (method, parameters) in steps {
        try client.call(method, with: parameters)
        try client.expectForgotten(words, "\(method) \(parameters["format"] ?? "")")
      }
      try client.expectFound(secret: planted.value, ofCardWith: first)
    }
  }

  @Test("A R10 items and actions that an editor lists and nobody chooses leave no value in memory")
  func listed() async throws {
    try await onThread {
      let ids = try makeVault(3)
      let client = try ProgramClient(vault: vault)
      try client.call(
        "initialize", #"{"processId":null,"clientInfo":{"name":"a"},"capabilities":{"textDocument":{}}}"#)
      try client.unlock(password: password)
      let text = ";;\(planted.title)"
      let position: [String: Any] = ["line": 0, "character": text.utf16.count]
      let document = #"{"uri":"file:///a","languageId":"text","version":1,"text":"\#(text)"}"#
      try client.program.channel.send(
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":\#(document)}}"#)
      let list = try client.call(
        "textDocument/completion", with: ["textDocument": ["uri": "file:///a"], "position": position])
      #expect((list["items"] as? [Any])?.count == 12, "three cards with three fields each")
      try client.call(
        "textDocument/codeAction",
        with: [
          "textDocument": ["uri": "file:///a"], "range": ["start": position, "end": position],
          "context": ["diagnostics": []],
        ])
      try client.expectForgotten(planted.values + [password], "textDocument/codeAction")
      try client.expectFound(secret: planted.value, ofCardWith: ids[0])
    }
  }

  @Test(
    "R10 values that an answer left on the stack are overwritten before the program waits for a request",
    .enabled(if: access("/proc/self/syscall", R_OK) == 0, "some kernels do not tell where a stack ends"))
  func stack() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault(password: password)
      for method in ["card/create", "card/list", "vault/status"] {
        try client.call(method, with: method == "card/create" ? planted.card(1) : [:])
        let deadline = Deadline.usual
        var left: Data?
        while left?.allSatisfy({ $0 == 0 }) != true, deadline.milliseconds > 0 {
          left = try ProcessMemory.unusedStack(of: client.program.process, count: 48 << 10)
        }
        let isEmpty = try #require(left).allSatisfy { $0 == 0 }
        #expect(isEmpty, "\(method)")
      }
    }
  }
}

extension ProgramClient {
  /// Waits until nothing of these is in the program's memory, with no request more: what it does behind an answer, and what
  /// another thread was about to end, takes a moment.
  fileprivate func expectForgotten(_ words: [String], _ what: String) throws {
    let deadline = Deadline.usual
    var left = words
    while deadline.milliseconds > 0 {
      let memory = try ProcessMemory(of: program.process)
      left = words.filter { memory.occurrences(of: $0) > 0 }
      if left.isEmpty { return }
    }
    Issue.record("after \(what) is in memory: \(left)")
  }

  /// A look finds a card while its answer is on its way, and not afterwards: the answer is longer than a pipe, and nobody
  /// reads it.
  func expectFound(secret word: String, ofCardWith id: String) throws {
    let text = Array(repeating: word, count: 90_000 / word.count).joined(separator: " ")
    try call(
      "card/update",
      with: [
        "id": id, "extraFields": [["label": "long", "value": text, "concealed": true] as [String: Any]],
      ])
    let request = #"{"jsonrpc":"2.0","id":0,"method":"card/get","params":{"id":"\#(id)"}}"#
    try program.channel.send(request)
    let deadline = Deadline.usual
    while try ProcessMemory(of: program.process).occurrences(of: word) == 0 {
      guard deadline.milliseconds > 0 else { throw Failure("the look does not find what is being shown") }
    }
    var answer = ""
    while !answer.hasPrefix(#"{"jsonrpc":"2.0","id":0,"#) { answer = try program.channel.message() }
    guard answer.contains(word) else { throw Failure("the card was not shown: \(answer.prefix(200))") }
    try expectForgotten([word], "the card was shown")
  }
}
