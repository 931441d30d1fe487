import Glibc
import Wire

/// What a user of Emacs, Vim or Neovim waits for, measured in the editor with its clock.
extension Bench {
  /// The number of cards for these works; where the project is, for the clients and the scripts.
  private static let (cards, scripts) = (10_000, "Tests/Benchmarks/Editors")
  /// What is typed in the search, each letter in turn.
  private static let word = "har"

  func measureEditorClients() throws {
    guard count == Self.cards else { return }
    guard Files.exists(Self.scripts) else {
      return results.notes.append(
        "the editors were not measured: run the benchmark in the project's directory")
    }
    let vault = try EditorVault(server: server, copyOf: vault, directory: directory)
    for editor in TextEditor.allCases {
      guard editor.version != nil else {
        results.notes.append("\(editor.name) is not installed: its client was not measured")
        continue
      }
      tell("measuring \(editor.name)")
      try measure(editor, vault)
    }
  }

  /// Measures an editor, a new one in each round; the floor is a client that sends the same requests and shows nothing.
  private func measure(_ editor: TextEditor, _ vault: EditorVault) throws {
    let session = try EditorSession(editor, vault, scripts: Self.scripts, word: Self.word, cards: count)
    let rounds = max(3, effort.leastRounds / 2)
    let summaries = try Effort(leastRounds: rounds, mostRounds: rounds, budget: 0).measure {
      let (times, floors) = (try session.run(), try vault.floors(word: Self.word))
      return [times.unlock, times.allRows, floors.unlock, floors.allRows] + times.keys + floors.keys
    }
    let keys = zip(summaries[4...], summaries[(4 + Self.word.count)...])
    guard let slowest = keys.max(by: { $0.0.median < $1.0.median }) else { return }
    let works = editor.works
    results.add(works.unlock, count, summaries[0], floor: (.unlockRequests, summaries[2]))
    results.add(works.key, count, slowest.0, floor: (.searchRequest, slowest.1))
    results.add(works.allRows, count, summaries[1], floor: (.listRequests, summaries[3]))
  }
}

/// A copy of the vault with the usual key derivation, which a user of an editor waits for.
private struct EditorVault {
  let server: String
  let path: String
  /// The directory for the editors' files.
  let home: String

  init(server: String, copyOf vault: String, directory: String) throws {
    home = try absolute(directory) + "/editors"
    try Files.makeDirectory(home)
    path = home + "/vault.quickvault"
    try Files.copy(vault, to: path)
    self.server = try absolute(server.contains("/") ? server : "./" + server)
    let client = try Client(server: server, vault: path)
    try client.initialize()
    let password = JSON.string(VaultFiles.password)
    _ = try client.ask(
      "vault/changePassword",
      // The number of iterations is that of a new vault.
      ["oldPassword": password, "newPassword": password, "kdf": ["algorithm": "pbkdf2-hmac-sha256"]])
    try client.end()
  }

  /// The nanoseconds of the requests that an editor sends, without an editor.
  func floors(word: String) throws -> EditorTimes {
    let client = try Client(server: server, vault: path)
    try client.initialize()
    let start = now()
    _ = try client.ask("session/unlock", ["password": .string(VaultFiles.password)])
    var page = try client.ask("card/list", ["limit": 200])
    let unlocked = now()
    let keys = try (1...word.count).map {
      try client.time("card/search", ["query": .string(String(word.prefix($0))), "limit": 40])
    }
    let asked = now()
    while let cursor = page["nextCursor"] {
      page = try client.ask("card/list", ["limit": 1_000, "cursor": cursor])
    }
    let end = now()
    try client.end()
    return EditorTimes(unlock: unlocked - start, keys: keys, allRows: end - asked)
  }
}

/// An editor that is started, measured and ended in each round.
private struct EditorSession {
  /// The seconds without a message after which an editor counts as stuck.
  private static let timeout: Int64 = 60

  private let editor: TextEditor
  private let arguments: [String]
  private let environment: [String: String]
  private let messages: String
  private let word: String
  private let cards: Int

  init(_ editor: TextEditor, _ vault: EditorVault, scripts: String, word: String, cards: Int) throws {
    let home = "\(vault.home)/\(editor.name)"
    try Files.makeDirectory(home)
    try Files.makeDirectory(home + "/run")
    let client = editor == .emacs ? try Self.compiled(editor.client, in: home) : try absolute(editor.client)
    (self.editor, self.word, self.cards, messages) = (editor, word, cards, home + "/messages")
    arguments = try editor.arguments(scripts: absolute(scripts), client: client)
    environment = [
      "HOME": home, "XDG_RUNTIME_DIR": home + "/run", "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home,
      "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home, "LC_ALL": "C.UTF-8",
      // Neither the keychain nor the session of the person who measures.
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home)/none",
      "BENCHMARK_CLIENT": client, "BENCHMARK_PROGRAM": vault.server, "BENCHMARK_VAULT": vault.path,
      "BENCHMARK_PASSWORD": VaultFiles.password, "BENCHMARK_WORD": word, "BENCHMARK_MESSAGES": messages,
    ]
  }

  /// Compiles the client for Emacs, as the installation of a package does.
  ///
  /// - Returns: the directory of the compiled client.
  private static func compiled(_ client: String, in home: String) throws -> String {
    let directory = home + "/client"
    let words = ["-r", "--", client, directory]
    guard try Peer("cp", words).end() == 0,
      try Peer(
        "emacs",
        ["-Q", "--batch", "-L", directory, "--eval", "(byte-recompile-directory \"\(directory)\" 0)"],
        environment: ["HOME": home], showsErrors: false
      ).end() == 0
    else { throw BenchmarkError.wrong("the client for Emacs was not compiled") }
    return directory
  }

  /// Starts the editor, types what its script asks for, and returns what it measured.
  func run() throws -> EditorTimes {
    try Files.write("", to: messages)
    let terminal = try Terminal(editor.program, arguments, environment: environment)
    defer { terminal.end() }
    var answered = 0
    var deadline = now() + Self.timeout * 1_000_000_000
    while now() < deadline {
      let isRunning = terminal.watch(milliseconds: 2)
      let lines = try Files.read(messages).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      for line in lines.dropFirst(answered) {
        answered += 1
        deadline = now() + Self.timeout * 1_000_000_000
        switch try EditorMessage(line: String(line), from: editor.name, letters: word.count, cards: cards) {
        case .type(let keys): try terminal.type(keys)
        case .measured(let times): return times
        }
      }
      if !isRunning { throw BenchmarkError.wrong("\(editor.name) ended: \(terminal.lastText)") }
    }
    throw BenchmarkError.wrong("\(editor.name) does not go on: \(terminal.lastText)")
  }
}
