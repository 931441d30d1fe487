import Foundation
import Testing

@testable import VaultStore

/// Logs beside a vault that belong to other files, forged ones included.
@Suite("Stray logs") struct StrayLogTests {
  /// A vault of generation 1, and beside it a log that nobody uses and that sets another.
  private func vault(withLogOf generation: Int64) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    try leaveLog(generations: [generation], in: directory)
    return directory
  }

  private func leaveLog(
    generations: [Int64], in directory: TemporaryDirectory, pageSize: Int = 4_096
  ) throws {
    try runPython(
      """
      import os, shutil, sqlite3, sys
      path, made = sys.argv[1], sys.argv[1] + ".made"
      shutil.copy(path, made)
      c = sqlite3.connect(made, isolation_level=None)
      if int(sys.argv[3]) != c.execute("PRAGMA page_size").fetchone()[0]:
          for command in "PRAGMA journal_mode = DELETE", "PRAGMA page_size = " + sys.argv[3], "VACUUM":
              c.execute(command)
          c.execute("PRAGMA journal_mode = WAL")
      c.execute("PRAGMA wal_autocheckpoint = 0")
      for generation in sys.argv[2].split():
          c.execute("UPDATE vault SET generation = ?", (int(generation),))
      shutil.copy(made + "-wal", path + "-wal")
      c.close()
      os.unlink(made)
      """, directory.vault, generations.map { "\($0)" }.joined(separator: " "), "\(pageSize)")
  }

  @Test(
    "R14 a log is the vault's where it begins at the vault's generation or the next, whatever numbers are in it",
    arguments: [
      (1, true), (2, true), (0, false), (3, false), (-1, false), (Int64.min, false), (Int64.max, false),
    ])
  func generations(_ generation: Int64, isOwn: Bool) throws {
    let directory = try vault(withLogOf: generation)
    let file = try VaultFile.open(at: directory.vault)
    #expect(try file.read { try $0.vault().generation } == (isOwn ? generation : 1))
    #expect(try directory.names().contains("vault.quickvault-wal-stray") == !isOwn)
  }

  @Test("R14 a log that begins with the next generation, and ends before the vault's, is not the vault's")
  func descending() throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    try leaveLog(generations: [2, 0], in: directory)
    #expect(try VaultFile.open(at: directory.vault).read { try $0.vault().generation } == 1)
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
  }

  @Test("R14 a log that does not identify its vault is an older one's if the vault has become longer")
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

  @Test("R14 a log of a copy that was written to on its own is not the vault's, even in its generations")
  func fork() throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let other = directory.vault + ".other"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: other)
    let copy = try VaultFile.open(at: other)
    for number in 11...20 { try copy.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    let log = try Data(contentsOf: URL(filePath: other + "-wal"))
    let file = try VaultFile.open(at: directory.vault)
    for number in 1...5 { try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    try file.close()
    try log.write(to: URL(filePath: directory.vault + "-wal"))

    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == Array(1...5))
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
    #expect(try VaultFile.open(at: directory.vault + "-stray").numbers() == Array(11...20))
  }

  @Test(
    "R14 a log of a copy that was used on its own is not the vault's, though it begins where that ends",
    arguments: [0, 5])
  func forkThatContinues(_ changes: Int64) throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let other = directory.vault + ".other"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: other)
    for (path, first) in [(directory.vault, Int64(1)), (other, 11)] {
      let file = try VaultFile.open(at: path)
      try file.appendEvent(EventRow(at: first, kind: "unlocked"))
      for number in first..<first + changes {
        try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)])
      }
      try file.close()
    }
    let copy = try VaultFile.open(at: other)
    try copy.appendEvent(EventRow(at: 12, kind: "unlocked"))
    try copy.insert([Sample.card(16)], head: [16])
    let log = try Data(contentsOf: URL(filePath: other + "-wal"))
    try log.write(to: URL(filePath: directory.vault + "-wal"))

    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == Array(1..<1 + changes))
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
    #expect(try VaultFile.open(at: directory.vault + "-stray").numbers().contains(16))
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

  @Test("R14 a journal beside a vault is renamed before SQLite applies it")
  func journal() throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let notes = Data("Somebody's notes.\n".utf8)
    try notes.write(to: URL(filePath: directory.vault + "-journal"))
    try VaultFile.open(at: directory.vault).close()
    #expect(try directory.names() == ["vault.quickvault", "vault.quickvault-journal-stray"])
    #expect(try Data(contentsOf: URL(filePath: directory.vault + "-journal-stray")) == notes)
  }

  @Test("R14 renamed logs do not replace each other, however many there are")
  func severalLogs() throws {
    let directory = try vault(withLogOf: 10)
    let first = try Data(contentsOf: URL(filePath: directory.vault + "-wal"))
    for _ in 1...3 {
      try VaultFile.open(at: directory.vault).close()
      try leaveLog(generations: [20], in: directory)
    }
    #expect(
      try directory.names() == [
        "vault.quickvault", "vault.quickvault-wal", "vault.quickvault-wal-stray",
        "vault.quickvault-wal-stray-2",
        "vault.quickvault-wal-stray-3",
      ])
    #expect(try Data(contentsOf: URL(filePath: directory.vault + "-wal-stray")) == first)
    for number in 4...120 {
      try Data().write(to: URL(filePath: directory.vault + "-wal-stray-\(number)"))
    }
    let count = try directory.names().count
    try VaultFile.open(at: directory.vault).close()
    #expect(try directory.names().count == count)
    #expect(try FileStatus(path: directory.vault + "-wal-stray-121").size > 0)
    #expect(try Data(contentsOf: URL(filePath: directory.vault + "-wal-stray")) == first)
  }

  @Test("R14 a log of a file with pages of another size is not the vault's", arguments: [512, 1_024, 65_536])
  func otherPageSize(_ size: Int) throws {
    let directory = try TemporaryDirectory()
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.insert([Sample.card(1)])
    try file.close()
    try leaveLog(generations: [3], in: directory, pageSize: size)
    let before = try Data(contentsOf: URL(filePath: directory.vault))
    let opened = try VaultFile.open(at: directory.vault)
    #expect(try opened.numbers() == [1])
    #expect(try opened.isStructureIntact())
    try opened.close()
    #expect(try directory.names() == ["vault.quickvault", "vault.quickvault-wal-stray"])
    #expect(try Data(contentsOf: URL(filePath: directory.vault)) == before)
  }

  @Test("R14 a log of an independent copy that claims too great a length is not saved with the file")
  func longFork() throws {
    let directory = try vault(withLogOf: 2)
    let log = URL(filePath: directory.vault + "-wal")
    let data = try Data(contentsOf: log)
    try FileManager.default.removeItem(at: log)
    let file = try VaultFile.open(at: directory.vault)
    try file.insert([Sample.card(1)], head: [7])
    try file.close()
    try data.write(to: log)
    try claim(10_000, inLogOf: directory)
    #expect(try VaultFile.open(at: directory.vault).numbers() == [1])
    let names = try directory.names()
    #expect(names.contains("vault.quickvault-wal-stray"))
    #expect(!names.contains("vault.quickvault-stray"))
  }

  /// Makes each transaction of the log claim that the file has so many pages.
  private func claim(_ pages: UInt32, inLogOf directory: TemporaryDirectory) throws {
    try runPython(
      """
      import struct, sys
      path = sys.argv[1] + "-wal"
      log = bytearray(open(path, "rb").read())
      order = ">" if log[3] & 1 else "<"
      def add(sums, data):
          for a, b in struct.iter_unpack(order + "II", bytes(data)):
              sums[0] = (sums[0] + a + sums[1]) & 0xFFFFFFFF
              sums[1] = (sums[1] + b + sums[0]) & 0xFFFFFFFF
      sums = [0, 0]
      add(sums, log[:24])
      for at in range(32, len(log), 24 + 4096):
          if log[at + 4:at + 8] != b"\\0\\0\\0\\0": log[at + 4:at + 8] = struct.pack(">I", int(sys.argv[2]))
          add(sums, log[at:at + 8])
          add(sums, log[at + 24:at + 24 + 4096])
          log[at + 16:at + 24] = struct.pack(">II", *sums)
      open(path, "wb").write(log)
      """, directory.vault, "\(pages)")
  }

  @Test(
    "a log that claims to make the file 16 TiB long, and a file of 8 EiB, are read as far as there is something"
  )
  func lengths() throws {
    let directory = try vault(withLogOf: 2)
    try claim(0xFFFF_FFFF, inLogOf: directory)
    #expect(try PageSource(path: directory.vault).pageCount == 0xFFFF_FFFF)
    let salvaged = try VaultFile.salvage(at: directory.vault) { _ in true }
    #expect(try salvaged.read { try $0.vault().generation } == 2)

    let long = URL(filePath: "/dev/shm/vault-store-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: long) }
    let descriptor = open(long.path, O_CREAT | O_RDWR, 0o600)
    try #require(descriptor >= 0 && ftruncate(descriptor, off_t.max) == 0 && close(descriptor) == 0)
    #expect(try PageSource(path: long.path).page(1)?.count == 4_096)
  }
}
