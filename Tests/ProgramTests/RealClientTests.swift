import Foundation
import TestSupport
import Testing

/// Clients of other projects: each creates a vault, stores a card, finds it, copies it, locks, is refused, unlocks, and ends
/// the conversation as language clients do. A client that is not installed is a failure; `Tests/packages` names what is needed.
@Suite("Real clients") struct RealClientTests {
  private static let scripts = Repository.top.appending(path: "Tests/ProgramTests/clients")

  /// Runs a client with a separate environment.
  private static func converse(_ client: String, _ arguments: [String]) async throws -> String {
    try await onThread {
      let directory = try TemporaryDirectory()
      let environment = [
        "PATH": "/usr/bin:/bin", "HOME": directory.path, "LANG": "C.UTF-8", "TERM": "dumb",
        "QUICKVAULT_PROGRAM": try Repository.program(), "QUICKVAULT_RESULT": directory.appending("result"),
        "QUICKVAULT_VAULT": directory.appending("vault.quickvault"), "PYTHONDONTWRITEBYTECODE": "1",
      ]
      let run = try run(client, arguments, environment: environment)
      let told = try? String(contentsOfFile: directory.appending("result"), encoding: .utf8)
      guard run.status == 0 else {
        throw Failure("\(client) ends with \(run.status): \(run.error)\(run.output)")
      }
      return told ?? run.output
    }
  }

  @Test("Emacs's own jsonrpc.el")
  func emacs() async throws {
    let arguments = ["-Q", "--batch", "--load", Self.scripts.appending(path: "emacs.el").path]
    #expect(try await Self.converse("/usr/bin/emacs", arguments) == "done\n")
  }

  @Test("Vim's own channel of the mode lsp")
  func vim() async throws {
    let arguments = [
      "-es", "-u", "NONE", "-i", "NONE", "-n", "-S", Self.scripts.appending(path: "client.vim").path,
    ]
    #expect(try await Self.converse("/usr/bin/vim", arguments) == "done\n")
  }

  @Test("python-lsp-jsonrpc")
  func python() async throws {
    #expect(
      try await Self.converse(CheckScript.python, [Self.scripts.appending(path: "pylsp_client.py").path])
        == "done\n")
  }
}
