import Foundation
import TestSupport
import Testing

/// Copies of the file of an unlocked vault, without its log.
@Suite("A copied file") struct CopiedFileTests {
  /// Reads the vault as it is now, and keeps that state until its input ends.
  private static let reader = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT generation FROM vault").fetchone()
    print("ready", flush=True)
    sys.stdin.read()
    connection.execute("ROLLBACK")
    """

  private let directory: TemporaryDirectory
  private var vault: String { directory.appending("vault.quickvault") }
  private var copy: String { directory.appending("copy.quickvault") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The number of cards in a copy of the file alone; nil if it is not intact, because pages came into it meanwhile.
  private func cardsInCopy() throws -> Int? {
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: vault, toPath: copy)
    let client = try ProgramClient(vault: copy)
    defer { _ = try? client.program.finish() }
    guard (try? client.unlock()) != nil,
      try client.call("vault/verify")["integrity"] as? String == "intact"
    else { return nil }
    return try client.call("card/list")["total"] as? Int
  }

  private func expectCopy(has count: Int) throws {
    let deadline = Deadline.usual
    while try cardsInCopy() != count {
      guard deadline.milliseconds > 0 else { throw Failure("the file never has \(count) cards") }
    }
  }

  @Test("R14 a copy of the file of an unlocked vault soon has every card, though others have it open")
  func unlocked() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let other = try ProgramClient(vault: vault)
      try other.unlock()
      for number in 0..<20 { try client.createNote("card \(number)") }
      try expectCopy(has: 20)
      try other.createNote("of the other")
      try expectCopy(has: 21)

      let reader = try RunningProgram("/usr/bin/python3", ["-c", Self.reader, vault])
      try expect(try reader.channel.message() == "ready", "the reader reads: \(reader.standardError)")
      // This change has to wait for the reader.
      try client.createNote("while another program reads")
      #expect(try cardsInCopy() != 22)
      _ = try reader.finish()
      try expectCopy(has: 22)
      for client in [client, other] { _ = try client.program.finish() }
    }
  }
}
