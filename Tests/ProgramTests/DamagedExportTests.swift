import Foundation
import TestSupport
import Testing

/// R14 An export of a damaged vault says how much of it is not in the file.
@Suite("Exports of a damaged vault") struct DamagedExportTests {
  /// A vault with three cards: the record of one does not open, and that of another is gone.
  private struct Damaged {
    let directory: TemporaryDirectory
    let client: ProgramClient
    let readable: String
    let unreadable: String
    let missing: String

    init() throws {
      directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let maker = try ProgramClient(vault: vault)
      try maker.createVault()
      (readable, unreadable) = (try maker.createNote("readable"), try maker.createNote("unreadable"))
      missing = try maker.createNote("missing")
      _ = try maker.program.finish()
      let script = """
        import sqlite3, sys, uuid
        vault = sqlite3.connect(sys.argv[1])
        unreadable, missing = (uuid.UUID(id).bytes for id in sys.argv[2:])
        vault.execute("UPDATE card SET sealed = zeroblob(length(sealed)) WHERE id = ?", [unreadable])
        vault.execute("DELETE FROM card WHERE id = ?", [missing])
        vault.commit()
        """
      let done = try run(
        "/usr/bin/python3", ["-c", script, vault, unreadable, missing], environment: ["PATH": "/usr/bin:/bin"]
      )
      guard done.status == 0 else { throw Failure(done.error) }
      client = try ProgramClient(vault: vault)
      try client.unlock()
    }

    /// The parameters of an export to a new file.
    func parameters(_ more: String = "", format: String = "json") -> String {
      let path = directory.appending(UUID().uuidString)
      return #"{"path":"\#(path)","format":"\#(format)","password":"\#(ProgramClient.password)"\#(more)}"#
    }
  }

  @Test("All unreadable and missing cards are counted, once each", arguments: ["json", "csv"])
  func everything(format: String) async throws {
    try await onThread {
      let vault = try Damaged()
      let answer = try vault.client.call("vault/export", vault.parameters(format: format))
      try expect(answer["cards"] as? Int == 1, "\(answer)")
      try expect(answer["damaged"] as? Int == 2, "\(answer)")
    }
  }

  @Test("A chosen card that is unreadable is counted, and one that is missing is not found")
  func chosen() async throws {
    try await onThread {
      let vault = try Damaged()
      let ids = #","ids":["\#(vault.readable)","\#(vault.unreadable)"]"#
      let answer = try vault.client.call("vault/export", vault.parameters(ids))
      try expect(answer["cards"] as? Int == 1, "\(answer)")
      try expect(answer["damaged"] as? Int == 1, "\(answer)")
      let missing = vault.parameters(#","ids":["\#(vault.missing)"]"#)
      try expect(try vault.client.kindOfError("vault/export", missing) == "card.notFound", "not found")
    }
  }

  @Test("A query finds no unreadable card, and counts none")
  func query() async throws {
    try await onThread {
      let vault = try Damaged()
      let answer = try vault.client.call("vault/export", vault.parameters(#","query":"readable""#))
      try expect(answer["damaged"] as? Int == 0, "\(answer)")
    }
  }
}
