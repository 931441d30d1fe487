import Foundation
import Testing

@testable import VaultStore

/// Which logs beside a vault are the vault's, and what happens to those of other copies.
@Suite("Origin of logs") struct LogOriginTests {
  @Test(
    "R14 a log of the older format is the vault's where it begins at the vault's generation or the next, whatever numbers are in it",
    arguments: [
      (1, true), (2, true), (0, false), (3, false), (-1, false), (Int64.min, false), (Int64.max, false),
    ])
  func generations(_ generation: Int64, isOwn: Bool) throws {
    try expectLog(isOwn, generation, vault(withLogOf: generation, as: .older))
  }

  @Test(
    "R14 a log is the vault's if it begins after the vault's last transaction", arguments: [2, 3, Int64.max])
  func nextTransaction(_ generation: Int64) throws {
    try expectLog(true, generation, vault(withLogOf: generation, as: .next))
    try expectLog(false, generation, vault(withLogOf: generation, as: .stranger))
  }

  private func expectLog(_ isOwn: Bool, _ generation: Int64, _ directory: TemporaryDirectory) throws {
    let file = try VaultFile.open(at: directory.vault)
    #expect(try file.read { try $0.vault().generation } == (isOwn ? generation : 1))
    let names = try directory.names()
    #expect(names.contains("vault.quickvault-wal-stray") == !isOwn)
    #expect(names.contains("vault.quickvault-stray") == !isOwn)
  }

  @Test("R14 a log that begins with the next generation, and ends before the vault's, is not the vault's")
  func descending() throws {
    let directory = try vault(withLogOf: 2, as: .older)
    try directory.leaveLog(generations: [2, 0], as: .older)
    #expect(try VaultFile.open(at: directory.vault).read { try $0.vault().generation } == 1)
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
  }

  @Test(
    "R14 a log of another transaction than the vault's last is not the vault's, though it changes no card")
  func shorter() throws {
    let directory = try TemporaryDirectory()
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.appendEvent(EventRow(at: 1, kind: "unlocked"))
    let log = try Data(contentsOf: URL(filePath: directory.vault + "-wal"))
    try file.insert((1...40).map { Sample.card($0) })
    try file.close()
    try log.write(to: URL(filePath: directory.vault + "-wal"))
    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == Array(1...40))
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
  }

  @Test("R14 a log is the vault's if its first transaction gives the vault transaction IDs")
  func firstIDs() throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let older = try VaultFile.open(at: directory.vault)
    try older.insert([Sample.card(9)], head: [UInt8](1...20))
    try older.close()
    try removeTransactionIDs(directory.vault)
    let copy = directory.path + "/copy.quickvault"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: copy)
    let file = try VaultFile.open(at: directory.vault)
    for number in 1...3 { try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    try FileManager.default.copyItem(atPath: directory.vault + "-wal", toPath: copy + "-wal")
    #expect(try VaultFile.open(at: copy).numbers() == [1, 2, 3, 9])
    #expect(try !directory.names().contains("copy.quickvault-wal-stray"))
  }

  @Test(
    "R14 a log with events that continue the vault's is the vault's, however many there are",
    arguments: [1, 100, 3_000])
  func events(_ count: Int64) throws {
    let directory = try TemporaryDirectory()
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.write { transaction in
      for at in 0..<count { try transaction.appendEvent(EventRow(at: at, kind: "unlocked")) }
    }
    try file.close()
    let copy = directory.path + "/copy.quickvault"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: copy)
    let again = try VaultFile.open(at: directory.vault)
    for number in 1...5 {
      try again.appendEvent(EventRow(at: count + Int64(number), kind: "locked"))
      try again.insert([Sample.card(UInt64(number))], head: [UInt8(number)])
      try again.write { transaction in
        for at in 0..<count / 10 { try transaction.appendEvent(EventRow(at: at, kind: "unlocked")) }
      }
    }
    try FileManager.default.copyItem(atPath: directory.vault + "-wal", toPath: copy + "-wal")
    #expect(try VaultFile.open(at: copy).numbers() == Array(1...5))
    #expect(try !directory.names().contains("copy.quickvault-wal-stray"))
  }

  @Test("R14 a log of which the vault has a part is the vault's", arguments: 0...3)
  func checkpointed(_ part: Int) throws {
    let directory = try TemporaryDirectory()
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    let reader = try file.duplicate()
    for number in 0..<part { try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    let copy = directory.path + "/copy.quickvault"
    // Because of the reader, what the file already has stays in the log.
    try reader.read { transaction in
      _ = try transaction.vault()
      _ = try file.connection.pragma("wal_checkpoint(PASSIVE)") { _ in }
      try FileManager.default.copyItem(atPath: directory.vault, toPath: copy)
      for number in part..<4 { try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
      try FileManager.default.copyItem(atPath: directory.vault + "-wal", toPath: copy + "-wal")
    }
    let stored = try VaultFile.openImmutable(at: copy).numbers()
    #expect(stored == Array(0..<Int64(part)))
    #expect(try VaultFile.open(at: copy).numbers() == Array(0..<4))
    #expect(try !directory.names().contains("copy.quickvault-wal-stray"))
  }

  @Test(
    "R14 a log is the vault's though its first transactions change only the end of the vault's row, or a checkpoint was cut short"
  )
  func rowLongerThanPage() throws {
    let made = try TemporaryDirectory()
    let (file, log, after) = try longRow(in: made) { file in
      for _ in 0..<3 { try file.setLockout(.none) }
      try file.insert([Sample.card(2)], head: longHead(2))
      for _ in 0..<3 { try file.setLockout(.none) }
    }
    let pages = stride(from: 0, to: after.count, by: 512).map { $0..<$0 + 512 }
    let changed = pages.filter { $0.upperBound > file.count || file[$0] != after[$0] }
    #expect(changed.count > 3)
    // As if the checkpoint had copied none, all, one, or all up to one of them.
    let copied = [[], changed] + changed.map { [$0] } + changed.indices.map { Array(changed[...$0]) }
    for some in copied {
      let directory = try TemporaryDirectory()
      var torn = file
      for page in some {
        torn += Data(count: max(0, page.upperBound - torn.count))
        torn.replaceSubrange(page, with: after[page])
      }
      try torn.write(to: URL(filePath: directory.vault))
      try log.write(to: URL(filePath: directory.vault + "-wal"))
      let opened = try VaultFile.open(at: directory.vault)
      #expect(try opened.numbers() == [1, 2])
      #expect(try opened.isStructureIntact())
      try opened.close()
      #expect(try directory.names() == ["vault.quickvault"])
    }
  }
}
