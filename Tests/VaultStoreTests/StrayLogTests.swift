import Foundation
import Testing

@testable import VaultStore

/// Logs beside a vault that belong to other files, forged ones included.
@Suite("Stray logs") struct StrayLogTests {
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

  /// What somebody may put under the name of a log, index or journal.
  enum Obstacle: String, CaseIterable {
    case fifo, directory, link, device

    func make(at path: String) throws {
      switch self {
      case .fifo: #expect(mkfifo(path, 0o600) == 0)
      case .directory:
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .link:
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-elsewhere")
      case .device: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
      }
    }
  }

  @Test(
    "R14 what is no file is renamed under the name of a log, index or journal, before and after a vault is opened",
    arguments: UnfinishedFile.companions, Obstacle.allCases)
  func obstacle(_ companion: String, _ obstacle: Obstacle) throws {
    let directory = try TemporaryDirectory()
    let first = try VaultFile.create(at: directory.vault, with: Sample.content)
    try first.insert([Sample.card(1)])
    try first.close()
    try obstacle.make(at: directory.vault + companion)
    let file = try VaultFile.open(at: directory.vault)
    #expect(try file.numbers() == [1])
    #expect(try directory.names().contains("vault.quickvault\(companion)-stray"))
    guard companion == "-journal" else { return try file.close() }
    // SQLite looks for a journal whenever a connection reads for the first time.
    try obstacle.make(at: directory.vault + companion)
    let other = try file.duplicate()
    #expect(try other.numbers() == [1])
    try other.close()
    try file.close()
    #expect(try directory.names().contains("vault.quickvault\(companion)-stray-2"))
  }

  @Test("R14 SQLite waits for no FIFO that takes a journal's name after the look at it")
  func late() throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let connection = try Connection(path: directory.vault)
    #expect(mkfifo(directory.vault + "-journal", 0o600) == 0)
    #expect(throws: StoreError.self) {
      try connection.withStatement("SELECT count(*) FROM card") { _ = try $0.step() }
    }
  }

  @Test("R14 renamed logs do not replace each other, however many there are")
  func severalLogs() throws {
    let directory = try vault(withLogOf: 10)
    let first = try Data(contentsOf: URL(filePath: directory.vault + "-wal"))
    for _ in 1...3 {
      try VaultFile.open(at: directory.vault).close()
      try directory.leaveLog(generations: [20])
    }
    #expect(
      try directory.names() == [
        "vault.quickvault", "vault.quickvault-stray", "vault.quickvault-stray-2", "vault.quickvault-stray-3",
        "vault.quickvault-wal", "vault.quickvault-wal-stray", "vault.quickvault-wal-stray-2",
        "vault.quickvault-wal-stray-3",
      ])
    #expect(try Data(contentsOf: URL(filePath: directory.vault + "-wal-stray")) == first)
    for number in 4...120 {
      try Data().write(to: URL(filePath: directory.vault + "-wal-stray-\(number)"))
    }
    try VaultFile.open(at: directory.vault).close()
    #expect(try FileStatus(path: directory.vault + "-wal-stray-121").size > 0)
    #expect(try Data(contentsOf: URL(filePath: directory.vault + "-wal-stray")) == first)
  }

  @Test("R14 a log of a file with pages of another size is not the vault's", arguments: [512, 1_024, 65_536])
  func otherPageSize(_ size: Int) throws {
    let directory = try TemporaryDirectory()
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.insert([Sample.card(1)])
    try file.close()
    try directory.leaveLog(generations: [3], pageSize: size)
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
