import Glibc
import TestSamples

/// The command line as whole processes, from the start to the end of each, with the vault unlocked in the shared service.
extension Bench {
  func measureCommandLine() throws {
    let qv = try CommandLine(server: server, vault: vault, directory: directory)
    defer { try? qv.end() }
    try qv.unlock()
    let card = SampleCard(number: count / 2)
    let field = card.fields[0]
    let show = ["show", card.title, "--field", field.key]
    let complete = ["complete", "--", "show", String(card.title.prefix(4))]
    guard try qv.lines(show).first == field.value.split(separator: "\n").first.map(String.init) else {
      throw BenchmarkError.wrong("qv show does not print \(field.key)")
    }
    guard try qv.lines(["list"]).count == count else { throw BenchmarkError.wrong("qv list is not complete") }
    // Of the cards that begin like this one, qv offers the first thousand.
    let offered = try qv.lines(complete.dropLast() + [card.title])
    guard offered.contains(where: { $0.hasPrefix(card.title) }) else {
      throw BenchmarkError.wrong("qv complete does not offer \(card.title)")
    }
    let summaries = try effort.measure { try [show, ["list"], complete].map(qv.time) }
    for (work, summary) in zip([Work.showField, .listToPipe, .completeTitle], summaries) {
      results.add(work, count, summary)
    }
  }
}

/// qv with a home of its own.
private struct CommandLine {
  private let qv: String
  private let environment: [String: String]

  init(server: String, vault: String, directory: String) throws {
    let home = try absolute(directory)
    qv = try absolute(server.split(separator: "/").count > 1 ? server : "./" + server).directory + "/qv"
    guard Files.exists(qv) else { throw BenchmarkError.wrong("\(qv) is missing") }
    try Files.makeDirectory(home + "/run")
    guard unsafe chmod(home + "/run", 0o700) == 0 else {
      throw BenchmarkError.system(call: "chmod", number: errno)
    }
    environment = [
      "HOME": home, "XDG_RUNTIME_DIR": home + "/run", "XDG_STATE_HOME": home, "LC_ALL": "C.UTF-8",
      "QUICKVAULT_VAULT": try absolute(vault),
    ]
  }

  /// Unlocks the vault for all that run here: without a terminal, each run would have to be admitted.
  func unlock() throws {
    let password = ["--password-command", "echo '\(VaultFiles.password)'"]
    for words in [["unlock"], ["settings", "sharedUnlock=always"]] {
      _ = try lines(words + password)
    }
  }

  func end() throws { _ = try lines(["lock"]) }

  /// The nanoseconds from the start of the program to its end.
  func time(_ words: [String]) throws -> Int64 {
    try timeProgram(qv, words, environment)
  }

  func lines(_ words: [String]) throws -> [String] {
    guard let text = try text(of: qv, words, environment: environment) else {
      throw BenchmarkError.wrong("qv \(words[0]) failed")
    }
    return text.split(separator: "\n").map(String.init)
  }
}

/// The nanoseconds from the start of a program to its end, with its output read.
func timeProgram(_ program: String, _ words: [String], _ environment: [String: String]) throws -> Int64 {
  let start = now()
  let status = try Peer(program, words, environment: environment).end()
  let end = now()
  guard status == 0 else { throw BenchmarkError.wrong("\(program) \(words[0]) ended with status \(status)") }
  return end - start
}

/// The real path of a file that exists.
func absolute(_ path: String) throws -> String {
  guard let real = unsafe realpath(path, nil) else {
    throw BenchmarkError.system(call: "realpath", number: errno)
  }
  defer { unsafe free(real) }
  return unsafe String(cString: real)
}

extension String {
  /// The part before the last slash.
  var directory: String { String(self[..<(lastIndex(of: "/") ?? startIndex)]) }
}
