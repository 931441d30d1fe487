import Foundation
import Testing

@testable import VaultStore

/// What other programs do to the log and its index under an open vault.
@Suite("Replaced logs") struct ReplacedLogTests {
  let directory: TemporaryDirectory
  let file: VaultFile

  init() throws {
    directory = try TemporaryDirectory()
    file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.insert([Sample.card(1)])
    try file.insert([Sample.card(2)])
  }

  enum Act: String, CaseIterable, Codable {
    case copyLog, copyIndex, copyBoth, oldLog, emptyLog, removeLog, removeIndex, removeBoth, truncateLog,
      strangeLog
  }

  /// Does to the files beside the vault what another program does, and puts new files in place by renaming.
  private func perform(_ act: Act) throws {
    let (log, index) = (directory.vault + "-wal", directory.vault + "-shm")
    switch act {
    case .copyLog: try replace(log, with: contents(log))
    case .copyIndex: try replace(index, with: contents(index))
    case .copyBoth:
      try replace(log, with: contents(log))
      try replace(index, with: contents(index))
    case .oldLog: try replace(log, with: contents(log).prefix(32 + 2 * (24 + 4_096)))
    case .emptyLog: try replace(log, with: Data())
    case .removeLog: try FileManager.default.removeItem(atPath: log)
    case .removeIndex: try FileManager.default.removeItem(atPath: index)
    case .removeBoth:
      try FileManager.default.removeItem(atPath: log)
      try FileManager.default.removeItem(atPath: index)
    case .truncateLog: try #require(truncate(log, 0) == 0)
    case .strangeLog: try replace(log, with: strangeLog())
    }
  }

  private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path))
  }

  private func replace(_ path: String, with data: Data) throws {
    try data.write(to: URL(filePath: path + ".tmp"))
    try #require(rename(path + ".tmp", path) == 0)
  }

  /// A log of another vault.
  private func strangeLog() throws -> Data {
    let other = try TemporaryDirectory()
    let strange = try VaultFile.create(at: other.vault, with: Sample.content)
    try strange.insert([Sample.card(77)])
    return try contents(other.vault + "-wal")
  }

  /// Starts a process that has added a card to the vault, and keeps it open.
  private func processWithCard5() throws -> Process {
    let process = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("INSERT INTO card VALUES (5, randomblob(16), 1, randomblob(500))")
      c.execute("UPDATE vault SET generation = generation + 1")
      print("ready", flush=True)
      sys.stdin.read()
      """, directory.vault)
    #expect(try waitForLine(process) == "ready")
    return process
  }

  /// The cards as they are found by who opens the vault after everybody else has closed it.
  private func reopened() throws -> [Int64] {
    let again = try VaultFile.open(at: directory.vault)
    defer { try? again.close() }
    #expect(try again.isStructureIntact())
    return try again.numbers()
  }

  /// Sets the time when a name in the vault's directory last changed, and has it checked.
  private func checkQuietDirectory(_ file: VaultFile) throws {
    let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, directory.path, [time, time], 0) == 0)
    for _ in 0..<2 { _ = try file.commitMark() }
  }

  @Test(
    "R14 a log or index that is replaced in a quiet directory is noticed by the next request",
    arguments: Act.allCases.filter { $0 != .truncateLog })
  func noticedInQuietDirectory(_ act: Act) throws {
    try checkQuietDirectory(file)
    #expect(try file.numbers() == [1, 2])
    try perform(act)
    #expect(throws: StoreError.changed) { _ = try file.commitMark() }
    #expect(throws: StoreError.changed) { _ = try file.numbers() }
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
  }

  @Test("R14 a read of what a truncated log had is a change, and every later request finds it")
  func truncatedInQuietDirectory() throws {
    let other = try VaultFile.open(at: directory.vault)
    for file in [file, other] { try checkQuietDirectory(file) }
    try perform(.truncateLog)
    // It has read no card yet.
    #expect(throws: StoreError.changed) { _ = try other.numbers() }
    #expect(throws: StoreError.changed) { _ = try other.commitMark() }
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
    #expect(throws: StoreError.changed) { _ = try file.commitMark() }
  }

  @Test(
    "R14 nothing is written to a log that was replaced or truncated in the middle of a request",
    arguments: Act.allCases)
  func replacedDuringRequest(_ act: Act) throws {
    try checkQuietDirectory(file)
    #expect(try file.numbers() == [1, 2])
    _ = try file.commitMark()
    try perform(act)
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
  }

  @Test(
    "R14 once the log or its index is replaced, nothing is answered as written or read",
    arguments: Act.allCases)
  func noticed(_ act: Act) throws {
    try perform(act)
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
    #expect(throws: StoreError.changed) { _ = try file.numbers() }
    #expect(throws: StoreError.changed) { _ = try file.commitMark() }
    #expect(throws: StoreError.changed) { _ = try file.duplicate() }
  }

  @Test(
    "R14 what was answered before is there after closing",
    arguments: Act.allCases.filter { $0 != .truncateLog })
  func saved(_ act: Act) throws {
    try perform(act)
    try file.close()
    #expect(try reopened() == [1, 2])
    let names = try directory.names()
    #expect(names.contains("vault.quickvault-wal-stray") == (act == .strangeLog), "\(names)")
  }

  @Test(
    "R14 the log stays beside the file until it is opened again: the file may be replaced by a copy meanwhile",
    arguments: [Act.copyLog, .copyIndex, .removeIndex, .removeBoth, .copyBoth])
  func fileReplacedLater(_ act: Act) throws {
    try perform(act)
    let copy = try contents(directory.vault)
    try file.close()
    try replace(directory.vault, with: copy)
    #expect(try reopened() == [1, 2])
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test(
    "R14 the file has what the log has once it is closed: the log may be replaced by an older one meanwhile",
    arguments: [Act.copyLog, .removeLog, .oldLog, .copyIndex, .removeIndex], [Act.oldLog, .removeLog])
  func logReplacedLater(_ act: Act, _ later: Act) throws {
    try perform(act)
    try file.close()
    try perform(later)
    #expect(try reopened() == [1, 2])
  }

  @Test("R14 nothing is copied into a file that another process uses with another log or index")
  func logOfFileInUse() throws {
    try perform(.removeIndex)
    let other = try processWithCard5()
    let content = try contents(directory.vault)
    try file.close()
    #expect(try contents(directory.vault) == content)
    kill(other.processIdentifier, SIGKILL)
    other.waitUntilExit()
    #expect(try reopened() == [1, 2, 5])
  }

  @Test("R14 an index that leads to frames of another log is a change, not damage")
  func indexOfAnotherLog() throws {
    _ = try file.commitMark()
    try perform(.copyLog)
    // Both have the same index, and the new card is in the other's log alone.
    let other = try processWithCard5()
    #expect(throws: StoreError.changed) { _ = try file.numbers() }
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(4)]) }
    try file.close()
    kill(other.processIdentifier, SIGKILL)
    other.waitUntilExit()
    #expect(try reopened() == [1, 2, 5])
  }

  @Test("R14 a log that is cut off damages nothing that the file has")
  func truncated() throws {
    try file.checkpoint()
    try file.insert([Sample.card(3)])
    try perform(.truncateLog)
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(4)]) }
    try file.close()
    #expect(try reopened() == [1, 2])
  }

  @Test("R14 a log that is replaced during a write: the write is not answered, and nothing before it is lost")
  func duringWrite() throws {
    #expect(throws: StoreError.changed) {
      try file.write { transaction in
        try transaction.insertCard(Sample.card(3))
        try transaction.putHead([4, 5, 6], generation: transaction.read.vault().generation + 1)
        try perform(.copyLog)
      }
    }
    try file.close()
    #expect(try reopened() == [1, 2])
  }

  @Test(
    "R14 no change is lost, whichever of several processes and connections closes first",
    arguments: [false, true])
  func several(second: Bool) throws {
    let other = try VaultFile.open(at: directory.vault)
    try other.insert([Sample.card(3)])
    try perform(.removeLog)
    try (second ? other : file).close()
    try (second ? file : other).close()
    #expect(try reopened() == [1, 2, 3])
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test("R14 a process that went on with the log's copy loses nothing either")
  func goneOn() throws {
    try perform(.copyLog)
    try runPython(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("INSERT INTO card VALUES (5, randomblob(16), 1, randomblob(500))")
      c.execute("UPDATE vault SET generation = generation + 1")
      """, directory.vault)
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
    try file.close()
    #expect(try reopened() == [1, 2, 5])
  }

  @Test("R14 if a process uses another log, what this one holds is saved as a vault")
  func inUse() throws {
    try perform(.removeBoth)
    let other = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("INSERT INTO card VALUES (5, randomblob(16), 1, randomblob(500))")
      print("ready", flush=True)
      sys.stdin.read()
      """, directory.vault)
    #expect(try waitForLine(other) == "ready")
    let log = try contents(directory.vault + "-wal")
    try file.close()
    #expect(try contents(directory.vault + "-wal") == log)
    let saved = try VaultFile.open(at: directory.vault + "-stray")
    #expect(try saved.numbers() == [1, 2])
    try saved.close()
    kill(other.processIdentifier, SIGKILL)
    other.waitUntilExit()
  }

  @Test("R14 a log that is a link to the vault itself costs no lock")
  func linked() throws {
    let other = try VaultFile.open(at: directory.vault)
    try FileManager.default.removeItem(atPath: directory.vault + "-wal")
    try #require(link(directory.vault, directory.vault + "-wal") == 0)
    try file.close()
    #expect(FileUse.isOpenInThisProcess(try FileStatus(path: directory.vault).identity))
    try other.close()
    #expect(try reopened() == [1, 2])
  }
}
