import Foundation
import Testing
import Wire

@testable import VaultStore

/// R10 Values that are longer than the format allows are damage, and are not read. How much was read is counted by the
/// system, for this thread alone.
@Suite struct LengthLimitTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.write { transaction in
      try transaction.insertCard(Sample.card(1))
      try transaction.putHistory(HistoryRow(id: Sample.card(1).id, revision: 1, sealed: [7]))
      let sealed = [UInt8](repeating: 8, count: 40)
      try sealed.withUnsafeBytes { sealed in
        try transaction.insertContent(Sample.card(1).id, sealed.bytes)
        try transaction.putRendition(of: Sample.card(1).id, size: 64, sealed.bytes)
      }
      try transaction.setLockout(
        LockoutRow(failedAttempts: 2, waitMilliseconds: 0, startedWall: 0, startedBoot: 0, bootID: "boot"))
      try transaction.appendEvent(EventRow(at: 1, kind: "unlocked", method: "password", reason: "none"))
      try transaction.putHead([4, 5, 6], generation: transaction.read.vault().generation + 1)
    }
    try file.close()
  }

  @Test("R10 a value that is longer than can be read is not written")
  func longerIsNotWritten() throws {
    let file = try VaultFile.open(at: directory.vault)
    let id = Sample.card(1).id
    func expectRefused(
      _ longest: Int, _ write: (borrowing WriteTransaction, [UInt8]) throws -> Void
    ) throws {
      let bytes = [UInt8](repeating: 1, count: longest + 1)
      #expect(throws: StoreError.tooLarge) { try file.write { try write($0, bytes) } }
    }
    try expectRefused(LengthLimit.card) { transaction, bytes in
      try transaction.updateCard(CardRow(id: id, revision: 2, sealed: bytes), expected: 1)
    }
    try expectRefused(LengthLimit.document) { transaction, bytes in
      try transaction.insertDocument(DocumentRow(name: "long", revision: 1, sealed: bytes))
    }
    try expectRefused(LengthLimit.history) { transaction, bytes in
      try transaction.putHistory(HistoryRow(id: id, revision: 2, sealed: bytes))
    }
    try expectRefused(LengthLimit.content) { transaction, bytes in
      try bytes.withUnsafeBytes { try transaction.insertContent(Sample.card(2).id, $0.bytes) }
    }
    try file.close()
  }

  /// A column, and whether it holds text.
  struct Column: Sendable, CustomTestStringConvertible {
    let table: String
    let name: String
    let longest: Int
    var isText = false
    /// How a value that is too long is told: some make a reading fail, others count as absent.
    var isAbsent: Bool {
      ["lockout", "event", "rendition", "content"].contains(table)
        || ["head", "open_settings"].contains(name)
    }

    var testDescription: String { "\(table).\(name)" }
  }

  static let columns = [
    Column(table: "vault", name: "head", longest: LengthLimit.head),
    Column(table: "vault", name: "vault_id", longest: 16),
    Column(table: "vault", name: "open_settings", longest: LengthLimit.plaintextSettings, isText: true),
    Column(table: "slot", name: "id", longest: 16),
    Column(table: "slot", name: "salt", longest: 16),
    Column(table: "slot", name: "sealed", longest: LengthLimit.sealedKey),
    Column(table: "card", name: "sealed", longest: LengthLimit.card),
    Column(table: "history", name: "id", longest: 16),
    Column(table: "history", name: "sealed", longest: LengthLimit.history),
    Column(table: "content", name: "sealed", longest: LengthLimit.content),
    Column(table: "rendition", name: "sealed", longest: LengthLimit.rendition),
    Column(table: "document", name: "name", longest: LengthLimit.documentName, isText: true),
    Column(table: "document", name: "sealed", longest: LengthLimit.document),
    Column(table: "lockout", name: "boot_id", longest: LengthLimit.bootID, isText: true),
    Column(table: "event", name: "kind", longest: LengthLimit.eventText, isText: true),
    Column(table: "event", name: "method", longest: LengthLimit.eventText, isText: true),
    Column(table: "event", name: "reason", longest: LengthLimit.eventText, isText: true),
    Column(table: "migration", name: "name", longest: LengthLimit.migrationName, isText: true),
  ]

  /// Lengthens a column as somebody does who can write the file.
  private func lengthen(_ column: Column, to count: Int) throws {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("PRAGMA ignore_check_constraints = ON")
      value = "x" * int(sys.argv[4]) if sys.argv[5] == "text" else bytes(int(sys.argv[4]))
      where = "" if sys.argv[2] != "migration" else " WHERE position = 0"
      c.execute(f"UPDATE {sys.argv[2]} SET {sys.argv[3]} = ?" + where, [value])
      c.commit()
      c.close()
      """
    try runPython(
      script, directory.vault, column.table, column.name, "\(count)", column.isText ? "text" : "blob")
  }

  /// Opens the file and reads everything, as far as that goes.
  ///
  /// - Returns: how many of the readings were damage.
  private func readEverything() throws -> Int {
    var damaged = 0
    func reading(_ body: () throws -> Void) throws {
      do { try body() } catch StoreError.corrupt { damaged += 1 }
    }
    try reading {
      let file = try VaultFile.open(at: directory.vault)
      defer { try? file.close() }
      let id = Sample.card(1).id
      try file.read { transaction in
        try reading { _ = try transaction.vault() }
        try reading { _ = try transaction.vaultID() }
        try reading { _ = try transaction.plaintextSettings() }
        try reading { _ = try transaction.slots() }
        try reading { _ = try transaction.hasSlot(id) }
        try reading { _ = try transaction.card(id) }
        try reading { try transaction.forEachCard { _, _, _, _ in } }
        try reading { _ = try transaction.document("settings") }
        try reading { _ = try transaction.documents() }
        try reading { _ = try transaction.history(id) }
        try reading { try transaction.forEachHistory { _, _ in } }
        try reading { _ = try transaction.content(id) { $0.byteCount } }
        try reading { try transaction.forEachContent { _, _, _ in } }
        try reading { _ = try transaction.rendition(of: id, size: 64) { $0.byteCount } }
        try reading { _ = try transaction.lockout() }
        try reading { _ = try transaction.events() }
      }
    }
    return damaged
  }

  @Test("R10 a value that is much longer than the format allows is not read", arguments: columns)
  func longValues(_ column: Column) throws {
    try lengthen(column, to: 60_000_000)
    let before = try BytesRead()
    let damaged = try readEverything()
    #expect(try BytesRead().count - before.count < 1_000_000)
    #expect(column.isAbsent ? damaged == 0 : damaged > 0)
  }

  @Test(
    "R10 a value that is one byte too long is damage, and one as long as allowed is not", arguments: columns)
  func limits(_ column: Column) throws {
    guard column.longest != 16, column.table != "migration" else { return }
    try lengthen(column, to: column.longest)
    #expect(try readEverything() == 0)
    try lengthen(column, to: column.longest + 1)
    #expect(try readEverything() > 0 || column.isAbsent)
  }

  @Test("R10 R11 attempts count if a text beside them is too long; such plain settings and heads are empty")
  func plainRows() throws {
    try lengthen(Column(table: "vault", name: "head", longest: 0), to: 60_000_000)
    try lengthen(Column(table: "event", name: "kind", longest: 0, isText: true), to: 60_000_000)
    try lengthen(Column(table: "rendition", name: "sealed", longest: 0), to: 60_000_000)
    try lengthen(Column(table: "lockout", name: "boot_id", longest: 0, isText: true), to: 60_000_000)
    try lengthen(Column(table: "vault", name: "open_settings", longest: 0, isText: true), to: 60_000_000)
    let file = try VaultFile.open(at: directory.vault)
    let (lockout, plaintextSettings, vault) = try file.read {
      (try $0.lockout(), try $0.plaintextSettings(), try $0.vault())
    }
    #expect(lockout?.failedAttempts == 2)
    #expect(lockout?.bootID == "")
    #expect(plaintextSettings == nil)
    #expect(vault.plaintextSettings == "")
    #expect(vault.head == [])
    #expect(try file.read { try $0.events() } == [])
    #expect(try file.read { try $0.rendition(of: Sample.card(1).id, size: 64) { $0.byteCount } } == nil)
  }

  @Test("R10 a statement in the list of tables that is too long is damage, and is not read")
  func longStatement() throws {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("PRAGMA writable_schema = ON")
      c.execute("UPDATE sqlite_schema SET sql = sql || ? WHERE name = 'card'", [" " * 60_000_000])
      c.commit()
      c.close()
      """
    try runPython(script, directory.vault)
    let before = try BytesRead()
    #expect(throws: StoreError.corrupt) { _ = try VaultFile.open(at: directory.vault) }
    #expect(try BytesRead().count - before.count < 1_000_000)
  }

  @Test("R10 more slots or documents than the format allows are damage", arguments: ["slot", "document"])
  func manyRows(_ table: String) throws {
    let script = """
      import os, sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      for index in range(1_000):
          if sys.argv[2] == "slot":
              c.execute("INSERT INTO slot VALUES (?, 2, 3, 0, 0, zeroblob(16), zeroblob(48))", [os.urandom(16)])
          else:
              c.execute("INSERT INTO document VALUES (?, 1, zeroblob(32))", [f"document {index}"])
      c.commit()
      c.close()
      """
    try runPython(script, directory.vault, table)
    #expect(try readEverything() == 1)
  }

  @Test("R10 rows that claim the same long chain of pages are not all salvaged")
  func sharedOverflow() throws {
    try lengthen(Column(table: "card", name: "sealed", longest: 0), to: 20_000_000)
    // Every cell of the page of cards now leads to the only card.
    let script = """
      import sqlite3, struct, sys
      c = sqlite3.connect(sys.argv[1])
      root = c.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'card'").fetchone()[0]
      size = c.execute("PRAGMA page_size").fetchone()[0]
      c.close()
      with open(sys.argv[1], "r+b") as file:
          file.seek((root - 1) * size)
          page = bytearray(file.read(size))
          cell = int.from_bytes(page[8:10], "big")
          count = (cell - 8) // 2
          page[3:5] = struct.pack(">H", count)
          for index in range(count):
              page[8 + 2 * index:10 + 2 * index] = page[8:10]
          file.seek((root - 1) * size)
          file.write(page)
      """
    try runPython(script, directory.vault)
    let before = try BytesRead()
    let file = try VaultFile.salvage(at: directory.vault) { _ in true }
    #expect(try file.numbers() == [1])
    #expect(try BytesRead().count - before.count < 100_000_000)
  }
}

/// The bytes that this thread has asked the system for (proc(5)).
private struct BytesRead {
  let count: Int

  init() throws {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    count = try #require(Int(line.dropFirst("rchar: ".count)))
  }
}
