import Foundation
import Testing

@testable import VaultStore

@Suite struct OpeningTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func createVault() throws {
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
  }

  /// Opening must fail so and leave the file untouched, and nothing beside it.
  private func expectUntouched(_ error: StoreError, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory.vault)
    let names = try directory.names()
    let before = try Footprint(directory.vault)
    #expect(throws: error, sourceLocation: sourceLocation) { _ = try VaultFile.open(at: directory.vault) }
    #expect(try Footprint(directory.vault) == before, sourceLocation: sourceLocation)
    #expect(try directory.names() == names, sourceLocation: sourceLocation)
  }

  @Test("no file, no directory, a file for a directory")
  func missing() throws {
    #expect(throws: StoreError.notFound) { _ = try VaultFile.open(at: directory.vault) }
    #expect(throws: StoreError.notFound) { _ = try VaultFile.open(at: directory.path + "/none/vault") }
    try Data().write(to: URL(filePath: directory.path + "/file"))
    let below = directory.path + "/file/vault"
    #expect(throws: StoreError.missingDirectory) { _ = try VaultFile.open(at: below) }
    #expect(throws: StoreError.missingDirectory) { _ = try VaultFile.create(at: below, with: Sample.content) }
  }

  @Test("paths that cannot be a vault's")
  func invalidPaths() throws {
    for path in ["", "vault\0x", "directory/", "/" + String(repeating: "x/", count: 240) + "x"] {
      #expect(throws: StoreError.invalidPath) { _ = try VaultFile.open(at: path) }
      #expect(throws: StoreError.invalidPath) { _ = try VaultFile.create(at: path, with: Sample.content) }
    }
  }

  @Test("a directory, a FIFO and a device are refused without waiting")
  func notRegular() throws {
    let fifo = directory.path + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    for path in [directory.path, fifo, "/dev/null"] {
      #expect(throws: StoreError.notARegularFile) { _ = try VaultFile.open(at: path) }
    }
  }

  @Test("a symbolic link leads to the vault")
  func symbolicLink() throws {
    try createVault()
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.vault)
    let file = try VaultFile.open(at: link)
    try file.insert([Sample.card(1)])
    #expect(
      try directory.names() == ["link", "vault.quickvault", "vault.quickvault-shm", "vault.quickvault-wal"])
    try file.close()
    #expect(try VaultFile.open(at: directory.vault).numbers() == [1])
  }

  @Test(
    "R17 text, nothing, and the first bytes of a vault are no vault, and stay untouched",
    arguments: [0, 1, 99, 100, 5_000])
  func notAVault(size: Int) throws {
    try Data(repeating: 0x41, count: size).write(to: URL(filePath: directory.vault))
    try expectUntouched(.notAVault)
    try Data("SQLite format 3\0".utf8.prefix(size)).write(to: URL(filePath: directory.vault))
    try expectUntouched(.notAVault)
  }

  @Test(
    "R17 another program's SQLite database is no vault and stays untouched", arguments: ["delete", "wal"])
  func foreignDatabase(journal: String) throws {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("PRAGMA journal_mode = " + sys.argv[2])
      c.execute("CREATE TABLE vault (id)")
      c.commit()
      c.close()
      """
    try runPython(script, directory.vault, journal)
    try expectUntouched(.notAVault)
  }

  @Test("R17 a newer format version stays untouched")
  func newerVersion() throws {
    try createVault()
    let handle = try FileHandle(forUpdating: URL(filePath: directory.vault))
    try handle.seek(toOffset: 60)
    try handle.write(contentsOf: Data([0, 0, 0, 2]))
    try handle.close()
    try expectUntouched(.newerVersion)
  }

  @Test(
    "R17 a newer program's migration stays untouched, in the file or still in its log",
    arguments: [true, false])
  func newerMigration(isInFile: Bool) throws {
    try createVault()
    let script = """
      import os, sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("INSERT INTO migration SELECT 'from the future', max(position) + 1 FROM migration")
      c.commit()
      if sys.argv[2] == "true": c.close()
      else: os._exit(0)
      """
    try runPython(script, directory.vault, isInFile ? "true" : "false")
    #expect(try directory.names().contains("vault.quickvault-wal") == !isInFile)
    try expectUntouched(.newerVersion)
  }

  @Test(
    "R14 cut off, overwritten or altered, the vault is corrupt and not opened", arguments: Damage.allCases)
  func damaged(damage: Damage) throws {
    try createVault()
    try damage.apply(to: directory.vault)
    #expect(throws: StoreError.corrupt) { _ = try VaultFile.open(at: directory.vault) }
  }

  enum Damage: String, CaseIterable {
    case cutToHeader, cutInHalf, pagesOverwritten, trigger, view, tableMissing, ledgerMissing, ledgerEmpty

    func apply(to path: String) throws {
      let size = try FileStatus(path: path).size
      switch self {
      case .cutToHeader: try #require(truncate(path, 100) == 0)
      case .cutInHalf: try #require(truncate(path, Int(size / 2)) == 0)
      case .pagesOverwritten:
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xee, count: Int(size) - 100))
        try handle.close()
      case .trigger: try alter(path, "CREATE TRIGGER t AFTER INSERT ON card BEGIN DELETE FROM slot; END")
      case .view: try alter(path, "CREATE VIEW v AS SELECT * FROM card")
      case .tableMissing: try alter(path, "DROP TABLE lockout")
      case .ledgerMissing: try alter(path, "DROP TABLE migration")
      case .ledgerEmpty: try alter(path, "DELETE FROM migration")
      }
    }

    private func alter(_ path: String, _ sql: String) throws {
      let script =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
      try runPython(script, path, sql)
    }
  }

  @Test("R10 other users lose their permissions on file, log and shared memory")
  func tightening() throws {
    try createVault()
    let holder = try VaultFile.open(at: directory.vault)
    try holder.appendEvent(EventRow(at: 1, kind: "unlocked"))
    let names = ["", "-wal", "-shm"].map { directory.vault + $0 }
    for name in names { try #require(chmod(name, 0o666) == 0) }
    let file = try VaultFile.open(at: directory.vault)
    for name in names { #expect(try mode(of: name) == 0o600) }
    try file.close()
    try holder.close()
  }

  @Test("pending migrations run once, each in its own transaction")
  func migrations() throws {
    try createVault()
    let added =
      Schema.migrations + [
        Migration(name: "labels", script: "CREATE TABLE label (name TEXT PRIMARY KEY) STRICT;"),
        Migration(name: "colours", script: "ALTER TABLE label ADD COLUMN colour TEXT;"),
      ]
    for _ in 0..<2 {
      let file = try VaultFile.open(at: directory.vault, settings: ConnectionSettings(), migrations: added)
      try file.connection.execute("INSERT INTO label VALUES (hex(randomblob(8)), 'red')")
      try file.close()
    }
    #expect(throws: StoreError.newerVersion) { _ = try VaultFile.open(at: directory.vault) }
  }

  @Test("a migration that fails leaves the vault as it was")
  func failedMigration() throws {
    try createVault()
    let broken =
      Schema.migrations + [
        Migration(name: "broken", script: "CREATE TABLE label (name TEXT); INSERT INTO nowhere VALUES (1);")
      ]
    #expect(throws: StoreError.internalFailure(code: 1)) {
      _ = try VaultFile.open(at: directory.vault, settings: ConnectionSettings(), migrations: broken)
    }
    #expect(try VaultFile.open(at: directory.vault).read { try $0.vault() } == Sample.content.vault)
  }

  @Test("R14 the settings that durability and safety rest on are in force")
  func settings() throws {
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    let expected: [(String, Int64)] = [
      ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1), ("temp_store", 2), ("trusted_schema", 0),
      ("cache_size", -2_048), ("mmap_size", 0), ("user_version", 1),
      ("application_id", 0x5156_4c54),
    ]
    for (name, value) in expected {
      #expect(try file.connection.pragma(name) { try $0.integer(0) } == value, "\(name)")
    }
    #expect(try file.connection.pragma("journal_mode") { try $0.text(0) } == "wal")
    #expect(throws: StoreError.self) {
      try file.connection.execute("CREATE TABLE sqlite_mine (a)")
    }
  }
}
