import Glibc
import TestSamples

/// `pass show` and `pass grep` over the same cards, each a file that GnuPG encrypted to a key without a passphrase.
struct PassStore {
  static let program = "pass"
  /// Few cards, because every search starts GnuPG once for each card.
  static let cards = 1_000

  let directory: String

  private var keys: String { directory + "/gnupg" }
  private var store: String { directory + "/store" }
  private var environment: [String: String] {
    ["GNUPGHOME": keys, "PASSWORD_STORE_DIR": store, "HOME": directory, "LC_ALL": "C.UTF-8"]
  }

  /// The version; nil if pass or GnuPG is not installed.
  static var version: String? {
    (try? output(of: "gpg", ["--version"])).flatMap { gpg in
      (try? output(of: program, ["version"])) == nil ? nil : gpg.map { "pass with " + $0 }
    }
  }

  /// Measures a search without a hit, after checking one with a hit, and removes all its files.
  ///
  /// The directory has a short path, because the path of GnuPG's socket must fit in 108 bytes.
  ///
  /// - Parameter searches: whether searches are measured, beside printing one entry.
  static func measure(searches isSearching: Bool, into results: inout Results) throws {
    let directory = "/tmp/qv-pass-\(getpid())"
    try Files.makeDirectory(directory)
    let pass = PassStore(directory: directory)
    defer {
      _ = try? pass.run("gpgconf", ["--kill", "gpg-agent"])
      try? Files.remove(directory)
    }
    try pass.make()
    let shown = try Effort.slow.measure {
      [try timeProgram("pass", ["show", "card-\(cards / 2)"], pass.environment)]
    }
    results.add(.pass, .showField, cards, shown[0])
    guard isSearching else { return }
    let searches = Searches(cards: cards)
    guard try !pass.search(searches.one.text).isEmpty else {
      throw BenchmarkError.wrong("pass grep does not find what is there")
    }
    // Once is enough: a search starts GnuPG a thousand times.
    let start = now()
    guard try pass.search(searches.nothing.text).isEmpty else {
      throw BenchmarkError.wrong("pass grep finds what is not there")
    }
    results.add(.pass, .searchNothing, cards, Summary(once: now() - start))
  }

  private func make() throws {
    for path in [keys, store] {
      try Files.makeDirectory(path)
    }
    let name = "benchmark"
    let recipe = ["--batch", "--passphrase", "", "--quick-generate-key", name, "default", "default", "never"]
    try mustSucceed("gpg", recipe)
    try mustSucceed("pass", ["init", name])
    var files: [String] = []
    for number in 0..<Self.cards {
      let card = SampleCard(number: number)
      let text = ([card.title] + card.fields.map { "\($0.key): \($0.value)" } + card.tags).joined(
        separator: "\n")
      let path = "\(store)/card-\(number)"
      try Files.write(text + "\n", to: path)
      files.append(path)
    }
    try mustSucceed(
      "gpg", ["--batch", "--quiet", "--trust-model", "always", "-r", name, "--encrypt-files"] + files)
    for path in files { try Files.remove(path) }
  }

  /// Runs `pass grep` and returns its output.
  private func search(_ text: String) throws -> String {
    try output(of: "pass", ["grep", text], environment: environment) ?? ""
  }

  private func mustSucceed(_ program: String, _ arguments: [String]) throws {
    let status = try run(program, arguments)
    guard status == 0 else { throw BenchmarkError.wrong("\(program) ended with status \(status)") }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    try Peer(program, arguments, environment: environment, showsErrors: false).end()
  }
}
