import CSQLite
import Foundation
import Testing

@testable import VaultStore

/// A file system of this thread's own in memory, which no one else sees. False where the user may not mount.
func mountPrivately(_ path: String, options: String) -> Bool {
  typealias Unshare = @convention(c) (Int32) -> Int32
  // Glibc's Swift overlay has no unshare(2); 0x20000 is CLONE_NEWNS.
  guard let symbol = dlsym(nil, "unshare") else { return false }
  return unsafeBitCast(symbol, to: Unshare.self)(0x20000) == 0
    && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
    && mount("tmpfs", path, "tmpfs", 0, options) == 0
}

/// Fills a file system with a file, `filler`, until it has no room for another byte.
func fillFileSystem(_ path: String) throws {
  let filler = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
  for count in [4_096, 1] {
    let block = [UInt8](repeating: 1, count: count)
    while write(filler, block, block.count) > 0 {}
    try #require(errno == ENOSPC)
  }
  try #require(close(filler) == 0)
}

/// Whether this user may mount file systems: a container without the right cannot show a real full disk.
let mayMount: Bool = {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/python3")
  process.arguments = ["-c", "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x20000) != 0)"]
  guard geteuid() == 0, (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}()

@Suite struct FailureTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func createVault(_ settings: ConnectionSettings = ConnectionSettings()) throws -> VaultFile {
    try VaultFile.create(at: directory.vault, with: Sample.content, settings: settings) { _ in }
  }

  @Test("R17 an open vault is not reported as missing if its companion files cannot be created")
  func companions() throws {
    let connection = try Connection(
      name: directory.path + "/file", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    // SQLite tells the same of another file that is not there to be opened.
    #expect(throws: StoreError.inputOutput) {
      try connection.execute("ATTACH '\(directory.path)/nowhere/file' AS beside")
    }
  }

  // MARK: Room

  @Test("R14 without disk space a write fails completely, and the vault stays usable")
  func full() throws {
    let file = try createVault(ConnectionSettings(maximumPages: 20))
    try file.insert([Sample.card(1)])
    #expect(throws: StoreError.diskFull) { try file.insert([Sample.card(2, size: 100_000)]) }
    #expect(try file.numbers() == [1])
    try file.insert([Sample.card(3)])
    #expect(try file.numbers() == [1, 3])
  }

  @Test("R14 an error that is caught does not let the rest run outside the transaction")
  func rolledBack() throws {
    let file = try createVault(ConnectionSettings(maximumPages: 20))
    #expect(throws: StoreError.rolledBack) {
      try file.write { transaction in
        try? transaction.insertCard(Sample.card(2, size: 100_000))
        #expect(!file.connection.isInTransaction)
        try transaction.setPlaintextSettings("{}")
      }
    }
    #expect(throws: StoreError.rolledBack) {
      try file.write { transaction in try? transaction.insertCard(Sample.card(2, size: 100_000)) }
    }
    #expect(try file.read { try $0.vault() } == Sample.content.vault)
  }

  @Test("R14 a full file system, for real", .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func fullFileSystem() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(mountPrivately(path, options: "size=512k"))
      let file = try VaultFile.create(at: path + "/vault", with: Sample.content)
      try file.insert([Sample.card(1)])
      #expect(throws: StoreError.diskFull) { try file.insert([Sample.card(2, size: 600_000)]) }
      #expect(try file.numbers() == [1])
      try fillFileSystem(path)
      #expect(throws: StoreError.diskFull) {
        _ = try VaultFile.create(at: path + "/second", with: Sample.content)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      #expect(names == ["filler", "vault", "vault-shm", "vault-wal"])
      try #require(unlink(path + "/filler") == 0)
      try file.insert([Sample.card(3)])
      #expect(try file.numbers() == [1, 3])
    }
  }

  @Test("R14 a limit on file sizes counts as no room")
  func fileSizeLimit() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.vault as String] in
      let file = try VaultFile.create(at: path, with: Sample.content)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      try #require(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
      #expect(throws: StoreError.diskFull) { try file.insert([Sample.card(2, size: 300_000)]) }
      #expect(try file.read { try $0.cardCount() } == 0)
    }
  }

  // MARK: Rights

  @Test(
    "a vault on a read-only file system is not created",
    .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func readOnlyFileSystem() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(mountPrivately(path, options: "size=1m"))
      try VaultFile.create(at: path + "/vault", with: Sample.content).close()
      try #require(mount("none", path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
      #expect(throws: StoreError.readOnly) {
        _ = try VaultFile.create(at: path + "/new", with: Sample.content)
      }
      #expect(throws: StoreError.readOnly) {
        _ = try VaultFile.create(at: path + "/a/b", with: Sample.content)
      }
    }
  }

  @Test(
    "R14 a user without the right to the file or its directory reads what can be read",
    arguments: Rights.allCases)
  func permissionDenied(rights: Rights) async throws {
    try createVault().close()
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String, rights] in
      let vault = path + "/vault.quickvault"
      if geteuid() == 0 {
        try #require(chown(path, 65_534, 65_534) == 0 && chown(vault, 65_534, 65_534) == 0)
        try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
      }
      try #require(chmod(vault, rights.file) == 0 && chmod(path, rights.directory) == 0)
      if rights == .unreadable || rights == .closedDirectory {
        #expect(throws: StoreError.permissionDenied) { _ = try VaultFile.open(at: vault) }
      } else {
        let file = try VaultFile.open(at: vault)
        #expect(file.isReadOnly)
        #expect(try file.numbers() == [])
        #expect(throws: StoreError.readOnly) { try file.insert([Sample.card(1)]) }
        try file.close()
      }
      if rights.directory & 0o200 == 0 {
        #expect(throws: StoreError.permissionDenied) {
          _ = try VaultFile.create(at: path + "/new", with: Sample.content)
        }
        #expect(throws: StoreError.permissionDenied) {
          _ = try VaultFile.create(at: path + "/a/new", with: Sample.content)
        }
      }
      try #require(chmod(path, 0o700) == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["vault.quickvault"])
    }
  }

  enum Rights: String, CaseIterable, Codable {
    case unreadable, readable, closedDirectory, directoryWithoutWriting

    var file: mode_t { self == .unreadable ? 0 : self == .readable ? 0o400 : 0o600 }
    var directory: mode_t { self == .closedDirectory ? 0 : self == .directoryWithoutWriting ? 0o500 : 0o700 }
  }

  // MARK: Change

  @Test(
    "R17 a vault that was replaced, removed or moved is not written to",
    arguments: ["replaced", "removed", "moved"])
  func changed(how: String) throws {
    let file = try createVault()
    try file.insert([Sample.card(1)])
    try FileManager.default.moveItem(atPath: directory.vault, toPath: directory.path + "/old")
    if how == "removed" { try FileManager.default.removeItem(atPath: directory.path + "/old") }
    if how == "replaced" {
      try FileManager.default.copyItem(atPath: directory.path + "/old", toPath: directory.vault)
    }
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(2)]) }
    #expect(throws: StoreError.changed) { _ = try file.numbers() }
    #expect(throws: StoreError.changed) { _ = try file.dataVersion() }
    #expect(throws: StoreError.changed) { try file.remove() }
    #expect(FileManager.default.fileExists(atPath: directory.vault) == (how == "replaced"))
  }

  @Test("R17 a vault that is replaced while it is written: the write does not count as done")
  func changedDuringWrite() throws {
    let file = try createVault()
    #expect(throws: StoreError.changed) {
      try file.write { transaction in
        try transaction.setPlaintextSettings(#"{"a":1}"#)
        try FileManager.default.moveItem(atPath: directory.vault, toPath: directory.path + "/old")
      }
    }
  }

  @Test("R14 a vault that is cut off while it is open is reported")
  func shrunk() throws {
    let file = try createVault()
    try file.insert((1...100).map { Sample.card($0) })
    try file.checkpoint()
    #expect(try file.numbers().count == 100)
    try #require(truncate(directory.vault, 8_192) == 0)
    #expect(throws: StoreError.corrupt) { _ = try file.numbers() }
    #expect(throws: StoreError.corrupt) { try file.insert([Sample.card(101)]) }
  }

  @Test("a damaged page is found by the check of the structure")
  func structure() throws {
    let file = try createVault()
    try file.insert((1...100).map { Sample.card($0) })
    #expect(try file.isStructureIntact())
    try file.close()
    let handle = try FileHandle(forUpdating: URL(filePath: directory.vault))
    let size = try handle.seekToEnd()
    try handle.seek(toOffset: size - 4_096)
    try handle.write(contentsOf: Data(repeating: 0xee, count: 4_096))
    try handle.close()
    #expect(try !VaultFile.open(at: directory.vault).isStructureIntact())
  }

  // MARK: Codes

  @Test("the codes that no test can trigger are mapped too")
  func codes() {
    #expect(StoreError(code: 1032, systemError: 0) == .changed)  // SQLITE_READONLY_DBMOVED
    #expect(StoreError(code: 15, systemError: 0) == .unsupportedFileSystem)  // SQLITE_PROTOCOL
    #expect(StoreError(code: 778, systemError: EIO) == .inputOutput)  // SQLITE_IOERR_WRITE
    #expect(StoreError(code: 778, systemError: EDQUOT) == .diskFull)
    #expect(StoreError(code: 7, systemError: 0) == .outOfMemory)
    #expect(StoreError(code: 18, systemError: 0) == .tooLarge)
    #expect(StoreError(code: 517, systemError: 0) == .busy)  // SQLITE_BUSY_SNAPSHOT
    #expect(StoreError(code: 26, systemError: 0) == .corrupt)  // SQLITE_NOTADB
    #expect(StoreError(code: 21, systemError: 0) == .internalFailure(code: 21))
  }
}
