import Foundation
import Testing

@testable import VaultStore

@Suite struct ReadOnlyTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Mounts a file system read-only that was mounted for this thread.
  private static func remountReadOnly(_ path: String) throws {
    try #require(mount("none", path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
  }

  @Test(
    "R14 a vault on a read-only file system is read, and not written",
    .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func readOnlyFileSystem() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(mountPrivately(path, options: "size=1m"))
      let vault = path + "/vault"
      let made = try VaultFile.create(at: vault, with: Sample.content)
      try made.insert([Sample.card(1), Sample.card(2)])
      try made.close()
      try ReadOnlyTests.remountReadOnly(path)
      let file = try VaultFile.open(at: vault)
      #expect(file.isReadOnly)
      #expect(try file.numbers() == [1, 2])
      #expect(try file.isStructureIntact())
      #expect(try file.duplicate().numbers() == [1, 2])
      #expect(throws: StoreError.readOnly) { try file.insert([Sample.card(3)]) }
      #expect(throws: StoreError.readOnly) { try file.setLockout(.none) }
      #expect(throws: StoreError.readOnly) { try file.remove() }
      try file.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["vault"])
    }
  }

  @Test(
    "R14 on a read-only file system, a log that was left is read, and one of another file is not",
    .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func leftLog() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(mountPrivately(path, options: "size=4m"))
      let files = FileManager.default
      let made = try VaultFile.create(at: path + "/vault", with: Sample.content)
      try files.copyItem(atPath: path + "/vault", toPath: path + "/other")
      try made.insert([Sample.card(1)])
      // A process that is killed leaves both; a medium may have been given the two files only.
      try files.copyItem(atPath: path + "/vault", toPath: path + "/killed")
      try files.copyItem(atPath: path + "/vault-wal", toPath: path + "/killed-wal")
      try made.insert([Sample.card(2)])
      try made.close()
      let another = try VaultFile.create(
        at: path + "/another",
        with: InitialContent(vault: VaultRow(vaultID: .zero, head: [9]), slots: [Sample.slot]))
      try another.insert([Sample.card(7)])
      try files.copyItem(atPath: path + "/another-wal", toPath: path + "/other-wal")
      try another.close()
      try ReadOnlyTests.remountReadOnly(path)
      let killed = try VaultFile.open(at: path + "/killed")
      #expect(killed.isReadOnly)
      #expect(try killed.numbers() == [1])
      #expect(try killed.duplicate().numbers() == [1])
      #expect(throws: StoreError.readOnly) { try killed.insert([Sample.card(3)]) }
      #expect(try VaultFile.open(at: path + "/other").numbers() == [])
    }
  }

  @Test(
    "R14 on a full file system a vault is read, and written once there is room",
    .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func full() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(mountPrivately(path, options: "size=512k"))
      let vault = path + "/vault"
      let made = try VaultFile.create(at: vault, with: Sample.content)
      try made.insert([Sample.card(1)])
      try made.close()
      try fillFileSystem(path)
      let file = try VaultFile.open(at: vault)
      #expect(file.isReadOnly)
      #expect(try file.numbers() == [1])
      #expect(throws: StoreError.readOnly) { try file.insert([Sample.card(2)]) }
      try file.close()
      try #require(unlink(path + "/filler") == 0)
      let again = try VaultFile.open(at: vault)
      #expect(!again.isReadOnly)
      try again.insert([Sample.card(2)])
      #expect(try again.numbers() == [1, 2])
      try again.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["vault"])
    }
  }

  @Test(
    "R14 on a full file system the log of an independent copy stays until it can be saved with the vault",
    .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func fullWithStrayLog() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(mountPrivately(path, options: "size=1m"))
      let (vault, other) = (path + "/vault", path + "/other")
      try VaultFile.create(at: vault, with: Sample.content).close()
      try FileManager.default.copyItem(atPath: vault, toPath: other)
      let copy = try VaultFile.open(at: other)
      for number in 11...15 { try copy.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
      let log = try Data(contentsOf: URL(filePath: other + "-wal"))
      try copy.close()
      try #require(unlink(other) == 0)
      let file = try VaultFile.open(at: vault)
      for number in 1...3 { try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
      try file.close()
      try log.write(to: URL(filePath: vault + "-wal"))
      try fillFileSystem(path)

      let full = try VaultFile.open(at: vault)
      #expect(full.isReadOnly)
      #expect(try full.numbers() == [1, 2, 3])
      try full.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(names.sorted() == ["filler", "vault", "vault-wal"])
      try #require(unlink(path + "/filler") == 0)
      let again = try VaultFile.open(at: vault)
      #expect(try again.numbers() == [1, 2, 3])
      try again.close()
      #expect(try VaultFile.open(at: vault + "-stray").numbers() == Array(11...15))
    }
  }

  @Test("R14 a vault of an older layout is brought up to date in memory")
  func olderLayout() throws {
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      for table in ("rendition", "content", "history"): c.execute("DROP TABLE " + table)
      for column in ("previous_transaction_id", "transaction_id"):
          c.execute("ALTER TABLE vault DROP COLUMN " + column)
      c.execute("DELETE FROM migration WHERE position > 0")
      c.commit()
      c.close()
      """
    try runPython(script, directory.vault)
    let before = try Footprint(directory.vault)
    let file = try openReadOnly()
    try file.read { transaction in
      try transaction.forEachHistory { _, _ in }
      try transaction.forEachContent { _, _, _ in }
    }
    try file.close()
    #expect(try Footprint(directory.vault) == before)
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test("R17 a vault that is written while it is open for reading only has changed")
  func writtenMeanwhile() throws {
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let file = try openReadOnly()
    #expect(try file.numbers() == [])
    let other = try VaultFile.open(at: directory.vault)
    try other.insert([Sample.card(1)])
    #expect(throws: StoreError.changed) { _ = try file.numbers() }
    try other.close()
    #expect(throws: StoreError.changed) { _ = try file.numbers() }
  }

  private func openReadOnly() throws -> VaultFile {
    try VaultFile.openReadOnly(
      at: directory.vault, settings: ConnectionSettings(), migrations: Schema.migrations)
  }
}
