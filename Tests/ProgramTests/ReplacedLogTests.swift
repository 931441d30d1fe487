import Foundation
import Glibc
import TestSupport
import Testing

/// A synchronisation program replaces the log of an open vault.
@Suite("A log replaced under an open vault") struct ReplacedLogTests {
  private static let note = #"{"title":"after","group":"personal","type":"text","fields":{"text":"text"}}"#

  @Test(
    "R14 no stored card is lost, however the process ends", arguments: [SIGKILL, SIGTERM])
  func replaced(signal: Int32) async throws {
    try await onThread {
      for removes in [false, true] {
        let directory = try TemporaryDirectory()
        let vault = directory.appending("vault.quickvault")
        let client = try ProgramClient(vault: vault)
        try client.createVault()
        var answered: [String] = []
        for number in 0..<3 {
          try client.createNote("before \(number)")
          answered.append("before \(number)")
        }
        if removes {
          guard unlink(vault + "-wal") == 0 else { throw Failure("unlink: \(errno)") }
        } else {
          try FileManager.default.copyItem(atPath: vault + "-wal", toPath: vault + "-wal.tmp")
          guard rename(vault + "-wal.tmp", vault + "-wal") == 0 else { throw Failure("rename: \(errno)") }
        }
        #expect(try client.kindOfError("card/create", Self.note) == "vault.changed")
        try client.unlock()
        for number in 0..<3 {
          try client.createNote("later \(number)")
          answered.append("later \(number)")
        }
        client.program.send(signal: signal)
        _ = try client.program.exitStatus()
        let other = try ProgramClient(vault: vault)
        try other.unlock()
        let items = try other.call("card/list", #"{"limit":1000}"#)["items"] as? [[String: any Sendable]]
        #expect((items ?? []).compactMap { $0["title"] as? String }.sorted() == answered.sorted())
        _ = try other.program.finish()
      }
    }
  }

  @Test("R14 a log that is truncated long after a name in the directory changed locks the vault")
  func truncated() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      // Otherwise the program looks at the log at each request.
      let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
      guard utimensat(AT_FDCWD, directory.path, [time, time], 0) == 0 else { throw Failure("time: \(errno)") }
      try client.createNote("before")
      guard truncate(vault + "-wal", 0) == 0 else { throw Failure("truncate: \(errno)") }
      #expect(try client.kindOfError("card/create", Self.note) == "vault.changed")
      #expect(try client.kindOfError("card/create", Self.note) == "vault.locked")
      try client.unlock()
      try client.createNote("later")
      _ = try client.program.finish()
    }
  }
}
