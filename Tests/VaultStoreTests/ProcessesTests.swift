import Foundation
import Testing
import Wire

@testable import VaultStore

/// Several connections and processes on one vault, and processes that die.
@Suite struct ProcessesTests {
  let directory: TemporaryDirectory
  let file: VaultFile

  init() throws {
    directory = try TemporaryDirectory()
    file = try VaultFile.create(
      at: directory.vault, with: Sample.content, settings: Sample.impatient
    ) { _ in }
  }

  @Test("two connections see each other's writes, and the data version tells")
  func dataVersion() throws {
    let other = try VaultFile.open(at: directory.vault)
    let before = try file.dataVersion()
    #expect(try file.dataVersion() == before)
    try file.insert([Sample.card(1)])
    #expect(try file.dataVersion() == before)
    try other.insert([Sample.card(2)])
    let after = try file.dataVersion()
    #expect(after != before)
    #expect(try file.numbers() == [1, 2])
    #expect(try other.numbers() == [1, 2])
    #expect(try file.dataVersion() == after)
  }

  @Test("R14 threads that open a vault at the same moment all get it", arguments: 0..<40)
  func openedAtOnce(round: Int) async throws {
    let path = directory.vault
    try file.close()
    let errors = await withTaskGroup(of: (any Error)?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do {
            try VaultFile.open(at: path).close()
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
    }
    #expect(errors.isEmpty, "\(errors)")
  }

  @Test(
    "the mark of a commit changes with every one of any connection, as the data version does with those of others"
  )
  func commitMarks() throws {
    let other = try VaultFile.open(at: directory.vault)
    var random = SystemRandomNumberGenerator()
    var (mark, version, known) = (try file.commitMark(), try file.dataVersion(), 0)
    var marks: Set<CommitMark> = []
    #expect(mark != nil)
    for number in 1...120 {
      let (isOwn, isOther) = (Int.random(in: 0..<3, using: &random) == 0, Bool.random(using: &random))
      if isOwn { try file.insert([Sample.card(UInt64(number))]) }
      if isOther { try other.insert([Sample.card(UInt64(1_000 + number))]) }
      known += (isOwn ? 1 : 0) + (isOther ? 1 : 0)
      let newMark = try file.commitMark()
      #expect(try (file.dataVersion() != version) == isOther)
      #expect((newMark != mark) == (isOwn || isOther))
      if let mark, let newMark { #expect(newMark.follows(mark) == (isOwn != isOther)) }
      #expect(try file.numbers().count == known)
      if isOwn || isOther, let newMark { #expect(marks.insert(newMark).inserted) }
      // A log that restarts is no commit, but both may count it as one.
      if number.isMultiple(of: 20) { try other.checkpoint() }
      (mark, version) = (try file.commitMark(), try file.dataVersion())
    }
    #expect(marks.count > 50)
    try other.close()
    #expect(try file.commitMark() == mark)
  }

  @Test("an immutable file has no mark, and a missing one is reported")
  func noMark() throws {
    #expect(try file.commitMark() != nil)
    try file.close()
    let unwritten = try VaultFile.openImmutable(at: directory.vault)
    #expect(try unwritten.commitMark() == nil)
    try unwritten.close()
    let again = try VaultFile.open(at: directory.vault)
    try FileManager.default.removeItem(atPath: directory.vault)
    #expect(throws: StoreError.changed) { _ = try again.commitMark() }
  }

  @Test("R14 opening and closing a second connection in one process leaves the first one's locks")
  func locksSurvive() throws {
    try file.insert([Sample.card(1)])
    try VaultFile.open(at: directory.vault).close()
    #expect(throws: StoreError.alreadyExists) {
      _ = try VaultFile.create(at: directory.vault, with: Sample.content)
    }
    // A process that believes itself the last one puts the log into the file and removes it.
    try runPython(
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM card').fetchall(); c.close()",
      directory.vault)
    #expect(try directory.names().contains("vault.quickvault-wal"))
    try file.insert([Sample.card(2)])
    try file.close()
    #expect(try VaultFile.open(at: directory.vault).numbers() == [1, 2])
    #expect(try directory.names() == ["vault.quickvault"])
  }

  /// A process that begins to write and stays in the middle of it until it is killed.
  private func startWriter() throws -> Process {
    let writer = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("PRAGMA cache_size = 1")
      c.execute("BEGIN IMMEDIATE")
      c.execute("DELETE FROM slot")
      c.execute("DELETE FROM card")
      for i in range(2000): c.execute("INSERT INTO card VALUES (?, randomblob(16), 1, randomblob(500))", (i + 10,))
      print("ready", flush=True)
      sys.stdin.read()
      """, directory.vault)
    try #require(try waitForLine(writer) == "ready")
    return writer
  }

  @Test("R17 while another process writes, reading works and writing is busy after the timeout")
  func busy() throws {
    let writer = try startWriter()
    #expect(throws: StoreError.busy) { try file.insert([Sample.card(1)]) }
    #expect(throws: StoreError.busy) { try file.appendEvent(EventRow(at: 1, kind: "unlocked")) }
    #expect(try file.read { try $0.slots() } == [Sample.slot])
    kill(writer.processIdentifier, SIGKILL)
    writer.waitUntilExit()
    try file.insert([Sample.card(1)])
    #expect(try file.numbers() == [1])
  }

  @Test("R14 kill -9 in the middle of a transaction: what was committed stays, the rest is gone")
  func killedWriter() throws {
    try file.insert([Sample.card(1)])
    try file.close()
    let writer = try startWriter()
    #expect(try FileStatus(path: directory.vault + "-wal").size > 500_000)
    kill(writer.processIdentifier, SIGKILL)
    writer.waitUntilExit()
    #expect(try FileStatus(path: directory.vault + "-wal").size > 500_000)
    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == [1])
    #expect(try again.read { try $0.slots() } == [Sample.slot])
    #expect(try again.isStructureIntact())
    try again.close()
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test("R14 kill -9 right after a write returned loses nothing, the log being all that has it")
  func killedAfterWrite() async throws {
    try file.close()
    let directory = directory
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.vault as String] in
      let file = try VaultFile.open(at: path)
      try file.insert([Sample.card(1)])
      try file.setLockout(
        LockoutRow(failedAttempts: 2, waitMilliseconds: 0, startedWall: 0, startedBoot: 0, bootID: ""))
      kill(getpid(), SIGKILL)
    }
    #expect(try directory.names().contains("vault.quickvault-wal"))
    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == [1])
    #expect(try again.read { try $0.vault().generation } == 2)
    #expect(try again.read { try $0.lockout()?.failedAttempts } == 2)
  }

  @Test("a checkpoint empties the log unless a reader still needs it")
  func checkpoint() throws {
    let reader = try VaultFile.open(at: directory.vault)
    try file.insert([Sample.card(1)])
    try reader.read { transaction in
      #expect(try transaction.cardCount() == 1)
      try file.insert([Sample.card(2)])
      #expect(try !file.checkpoint())
    }
    #expect(try file.checkpoint())
    #expect(try FileStatus(path: directory.vault + "-wal").size == 0)
    #expect(try reader.numbers() == [1, 2])
  }

  @Test("L a removed vault leaves nothing, and others that have it open learn of it")
  func remove() throws {
    let other = try VaultFile.open(at: directory.vault)
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.vault)
    try Data().write(to: URL(filePath: directory.path + "/.quickvault-unfinished-1"))
    try Data().write(to: URL(filePath: directory.path + "/someone-else's"))
    let linked = try VaultFile.open(at: link)
    try linked.insert([Sample.card(1)])
    try linked.remove()
    #expect(try directory.names() == ["someone-else's"])
    #expect(throws: StoreError.closed) { _ = try linked.numbers() }
    #expect(throws: StoreError.changed) { try other.insert([Sample.card(2)]) }
    try other.close()
    try file.close()
    #expect(try directory.names() == ["someone-else's"])
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    #expect(try VaultFile.open(at: directory.vault).numbers() == [])
  }

  @Test(
    "R14 a file that is being written is not removed as a leftover, nor is its log, and one that is not is")
  func leftovers() throws {
    let names = [".quickvault-unfinished-1", ".quickvault-unfinished-1-wal", ".quickvault-unfinished-2-wal"]
    for name in names { try Data().write(to: URL(filePath: directory.path + "/" + name)) }
    let unfinished = try UnfinishedFile(in: directory.path, isLocked: true)
    try Data().write(to: URL(filePath: unfinished.path + "-wal"))
    try VaultFile.create(at: directory.path + "/other.quickvault", with: Sample.content).close()
    let left = try directory.names().filter { $0.hasPrefix(".quickvault-unfinished") }
    #expect(left.map { directory.path + "/" + $0 } == [unfinished.path, unfinished.path + "-wal"])
    try unfinished.rename(to: directory.path + "/named")
    unfinished.remove()
    #expect(try !directory.names().contains { $0.hasPrefix(".quickvault-unfinished") })
  }

  @Test("two threads scan halves of one vault, each with its own connection")
  func twoThreads() async throws {
    try file.insert((0..<1_000).map { Sample.card($0 &* 0x9e37_79b9_7f4a_7c15) })
    let path = directory.vault
    let seen = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for range in [Int64.min ... -1, 0...Int64.max] {
        group.addTask {
          var numbers: [Int64] = []
          try VaultFile.open(at: path).read { transaction in
            try transaction.forEachCard(in: range) { number, _, _, _ in numbers.append(number) }
          }
          return numbers
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(try seen.sorted() == file.numbers())
    #expect(seen.count == 1_000)
  }

  @Test("a duplicate reads the same file, and refuses one whose tables were changed or that was replaced")
  func duplicate() throws {
    try file.insert([Sample.card(1)])
    let duplicate = try file.duplicate()
    #expect(try duplicate.numbers() == [1])
    try file.insert([Sample.card(2)])
    #expect(try duplicate.numbers() == [1, 2])
    try duplicate.close()
    try runPython(
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('CREATE TABLE stranger (a)'); c.close()",
      directory.vault)
    #expect(throws: StoreError.changed) { try file.duplicate() }
    try file.close()
    #expect(throws: StoreError.closed) { try file.duplicate() }
  }

  @Test("R1 deleted data is overwritten in the file")
  func secureDelete() throws {
    let marker = Array("a sealed record that is to go".utf8)
    let card = CardRow(id: Identifier(high: 1, low: 1), revision: 1, sealed: marker)
    try file.insert([card])
    try file.checkpoint()
    let url = URL(filePath: directory.vault)
    #expect(try Data(contentsOf: url).range(of: Data(marker)) != nil)
    try file.write { transaction in
      try transaction.deleteCard(card.id, expected: 1)
      try transaction.putHead([], generation: 3)
    }
    try file.checkpoint()
    #expect(try Data(contentsOf: url).range(of: Data(marker)) == nil)
  }
}
