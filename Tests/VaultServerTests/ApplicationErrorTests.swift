import Foundation
import TestSupport
import Testing
import Vault
import VaultInterface

/// Errors of the built program that no transcript can cause.
@Suite("Errors of the program") struct ApplicationErrorTests {
  private let directory: TemporaryDirectory
  private var vault: String { directory.appending("vault.quickvault") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Runs an SQL statement on a vault's file, without the key.
  private func damage(_ path: String, _ statement: String) throws {
    let script = """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], isolation_level=None)
      connection.execute("PRAGMA ignore_check_constraints = ON")
      connection.execute(sys.argv[2])
      connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      """
    let result = try run(CheckScript.python, ["-c", script, path, statement])
    guard result.status == 0 else { throw Failure(result.error) }
  }

  private func end(_ client: ProgramClient) throws {
    client.program.channel.closeInput()
    guard try client.program.exitStatus() == 0 else { throw Failure("the program did not end well") }
  }

  /// A vault with a card; nobody has it open.
  private func makeVault(_ path: String) throws {
    let client = try ProgramClient(vault: path)
    try client.createVault()
    try client.createNote("kept")
    try end(client)
  }

  @Test("R17 an import with too many entries or bytes stores nothing")
  func imports() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let table = directory.appending("table.csv")
      let rows = String(repeating: "a,b\n", count: 100_000)
      try Data(("title,text\n" + rows + "a,b\n").utf8).write(to: URL(filePath: table))
      #expect(try client.kindOfError("vault/import", #"{"path":"\#(table)"}"#) == "import.tooMany")
      let items = try client.call("card/list")["items"] as? [Any]
      #expect(items?.isEmpty == true)

      // A file of zeros that takes no room on the disk.
      let long = directory.appending("long.json")
      try Data().write(to: URL(filePath: long))
      guard truncate(long, (512 << 20) + 1) == 0 else { throw Failure("truncate: \(errno)") }
      #expect(try client.kindOfError("vault/import", #"{"path":"\#(long)"}"#) == "file.tooLarge")
      try end(client)
    }
  }

  @Test("R17 R5 a card with 64 attachments accepts no more")
  func attachments() async throws {
    let session = VaultSession(path: vault, clock: ControlledTime())
    try await session.create(
      password: ProgramClient.password, keyDerivation: .pbkdf2(iterations: 100_000))
    let card = try session.createCard(
      CardDraft(title: "a", group: .personal, type: .text, fields: ["text": "b"])
    ).card
    for number in 0..<64 {
      let content = try #require(PrivateBytes(capacity: 8))
      content.append([1, 2, 3])
      let draft = AttachmentDraft(
        name: "\(number).png", mediaType: .png, width: 1, height: 1, watermark: nil, content: content)
      _ = try session.addAttachment(draft, to: card.id)
    }
    session.close()
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.unlock()
      #expect(
        try client.kindOfError("attachment/add", #"{"cardId":"\#(card.id)","data":"AAAA"}"#)
          == "attachment.tooMany")
      try end(client)
    }
  }

  @Test("R17 R14 another vault or a damaged copy is not merged, wherever the damage is")
  func merges() async throws {
    try await onThread {
      try makeVault(vault)
      let (other, copy) = (directory.appending("other.quickvault"), directory.appending("copy.quickvault"))
      try makeVault(other)
      let client = try ProgramClient(vault: vault)
      try client.unlock()
      func kind(_ path: String) throws -> String {
        try client.kindOfError("vault/merge", #"{"path":"\#(path)","password":"\#(ProgramClient.password)"}"#)
      }
      #expect(try kind(other) == "merge.anotherVault")
      let damages = [
        "DELETE FROM card", "DELETE FROM slot", "DELETE FROM vault", "DROP TABLE card", "DROP TABLE vault",
        "UPDATE card SET sealed = zeroblob(99)", "UPDATE slot SET sealed = x'00'",
        "UPDATE vault SET head = x'00'",
      ]
      for statement in damages {
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: vault, toPath: copy)
        try damage(copy, statement)
        let told = try kind(copy)
        #expect(told == "merge.damagedCopy", "\(statement)")
      }
      let status = try client.call("vault/verify")
      #expect(status["integrity"] as? String == "intact")
      try end(client)
    }
  }

  @Test("R14 a copy from before the key was changed is refused as such, with the password that it has")
  func copyWithFormerKey() async throws {
    try await onThread {
      try makeVault(vault)
      let copy = directory.appending("copy.quickvault")
      try FileManager.default.copyItem(atPath: vault, toPath: copy)
      let client = try ProgramClient(vault: vault)
      try client.unlock()
      try client.call(
        "vault/rekey", with: ["oldPassword": ProgramClient.password, "newPassword": "a new password 42"])
      #expect(try client.kindOfError("vault/merge", #"{"path":"\#(copy)"}"#) == "merge.passwordRequired")
      let parameters = #"{"path":"\#(copy)","password":"\#(ProgramClient.password)"}"#
      #expect(try client.kindOfError("vault/merge", parameters) == "merge.otherKey")
      try end(client)
    }
  }

  @Test(
    "R17 R10 key derivation outside the limits is not tried, and a vault without its key cannot be repaired")
  func opening() async throws {
    try await onThread {
      let secret = #"{"password":"\#(ProgramClient.password)"}"#
      for (statement, method, kind) in [
        ("UPDATE slot SET iterations = 99999", "session/unlock", "vault.unsupportedParameters"),
        ("UPDATE slot SET iterations = 4000000000", "session/unlock", "vault.unsupportedParameters"),
        ("DELETE FROM slot", "vault/repair", "repair.notPossible"),
        ("DELETE FROM vault", "vault/repair", "repair.notPossible"),
      ] {
        try? FileManager.default.removeItem(atPath: vault)
        try makeVault(vault)
        try damage(vault, statement)
        let client = try ProgramClient(vault: vault)
        #expect(try client.kindOfError(method, secret) == kind, "\(statement)")
        try end(client)
      }
    }
  }
}
