import Foundation
import Glibc
import TestSupport
import Testing

/// Files that a client asks to be written under names that vaults use.
@Suite("Names that vaults use") struct ReservedNamesTests {
  private static let endings = ["-wal", "-shm", "-journal", "-wal-stray", "-wal-stray-2", "-Journal"]

  /// What writes a file at a path, with the kind of error for a name that a vault uses.
  private static func requests(_ path: String) -> [(
    method: String, parameters: String, kind: String
  )] {
    let password = ProgramClient.password
    return [false, true].flatMap { overwrite in
      [
        (
          "vault/export",
          #"{"path":"\#(path)","format":"json","password":"\#(password)","overwrite":\#(overwrite)}"#,
          "file.notWritable"
        ),
        ("vault/backup", #"{"path":"\#(path)","overwrite":\#(overwrite)}"#, "backup.inUse"),
      ]
    }
  }

  /// Returns a client of a new vault with one card.
  private static func client(with vault: String) throws -> ProgramClient {
    let client = try ProgramClient(vault: vault)
    try client.createVault()
    try client.createNote("one")
    return client
  }

  @Test("R14 no file is written under the name of a vault's log, index or journal")
  func companions() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let (vault, other) = (directory.appending("vault.quickvault"), directory.appending("other.quickvault"))
      let (client, otherClient) = (try Self.client(with: vault), try Self.client(with: other))
      for path in [vault, other] {
        for ending in Self.endings where access(path + ending, F_OK) != 0 {
          for request in Self.requests(path + ending) {
            let kind = try client.kindOfError(request.method, request.parameters)
            #expect(kind == request.kind, "\(request.method) \(ending)")
          }
          #expect(access(path + ending, F_OK) != 0)
        }
      }
      _ = try otherClient.program.finish()
      for request in Self.requests(other + "-journal") {
        #expect(try client.kindOfError(request.method, request.parameters) == request.kind, "a closed vault")
      }
      _ = try client.call(
        "vault/export",
        #"{"path":"\#(directory.appending("mine-journal"))","format":"json","password":"\#(ProgramClient.password)"}"#
      )
      #expect(access(directory.appending("mine-journal"), F_OK) == 0)
      _ = try client.program.finish()
    }
  }

  @Test("R17 overwriting replaces no link, no device and no vault that another process has open")
  func overwriting() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let (vault, other) = (directory.appending("vault.quickvault"), directory.appending("other.quickvault"))
      let (client, otherClient) = (try Self.client(with: vault), try Self.client(with: other))
      for request in Self.requests(other) {
        let kinds = request.parameters.contains("true") ? [request.kind] : ["file.exists", "backup.inUse"]
        let kind = try client.kindOfError(request.method, request.parameters)
        #expect(kinds.contains(kind), "\(request.method): \(kind)")
      }
      let (target, link) = (directory.appending("target"), directory.appending("link"))
      try "kept".write(toFile: target, atomically: true, encoding: .utf8)
      symlink(target, link)
      symlink("nowhere", link + "-dangling")
      for path in [link, link + "-dangling", "/dev/null"] {
        for request in Self.requests(path) where request.parameters.contains("true") {
          #expect(try client.kindOfError(request.method, request.parameters) == "file.notRegular", "\(path)")
        }
      }
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
      _ = try otherClient.program.finish()
      let again = try ProgramClient(vault: other)
      try again.unlock()
      #expect((try again.call("card/list")["items"] as? [Any])?.count == 1)
      _ = try again.program.finish()
      _ = try client.program.finish()
    }
  }
}
