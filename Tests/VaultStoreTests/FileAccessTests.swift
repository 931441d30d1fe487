import Foundation
import Testing

@testable import VaultStore

/// Vaults in directories where other users may do something.
@Suite("Access of others") struct FileAccessTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
  }

  @Test(
    "R10 rights are taken away from no file that a planted link leads to",
    arguments: ["-wal", "-shm", "-journal"])
  func plantedLinks(companion: String) throws {
    let victims = [directory.path + "/victim", directory.path + "/other"]
    for victim in victims {
      try Data([1]).write(to: URL(filePath: victim))
      try #require(chmod(victim, 0o644) == 0)
    }
    try #require(chmod(directory.vault, 0o644) == 0)
    try #require(symlink(victims[0], directory.vault + companion) == 0)
    FileAccess.denyAccessToOthers(directory.vault)
    #expect(try mode(of: victims[0]) == 0o644)
    #expect(try mode(of: directory.vault) == 0o600)
    try #require(unlink(directory.vault + companion) == 0)
    try #require(link(victims[1], directory.vault + companion) == 0)
    FileAccess.denyAccessToOthers(directory.vault)
    #expect(try mode(of: victims[1]) == 0o644)
  }

  @Test("R10 a file of another user keeps its mode", .enabled(if: geteuid() == 0, "needs root"))
  func foreignFile() throws {
    let log = directory.vault + "-wal"
    try Data([1]).write(to: URL(filePath: log))
    try #require(chmod(log, 0o644) == 0 && chown(log, 65_534, 65_534) == 0)
    FileAccess.denyAccessToOthers(directory.vault)
    #expect(try mode(of: log) == 0o644)
  }

  @Test("R10 taking rights away leaves the locks of this process")
  func locks() throws {
    let file = try VaultFile.open(at: directory.vault)
    try #require(chmod(directory.vault, 0o644) == 0 && chmod(directory.vault + "-shm", 0o644) == 0)
    FileAccess.denyAccessToOthers(directory.vault)
    #expect(try mode(of: directory.vault) == 0o600 && mode(of: directory.vault + "-shm") == 0o600)
    let asked = try python(
      """
      import fcntl, struct, sys
      for name in (sys.argv[1], sys.argv[1] + "-shm"):
          with open(name, "r+b") as file:
              asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
              print(struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, asked))[0] != fcntl.F_UNLCK, end=" ")
      print(flush=True)
      """, directory.vault)
    #expect(try waitForLine(asked) == "True True ")
    asked.waitUntilExit()
    try file.close()
  }

  @Test(
    "R10 a vault in a directory that other users may write to is refused, unless it is sticky",
    arguments: [
      (0o700, true), (0o755, true), (0o702, false), (0o777, false), (0o1777, true), (0o1702, true),
    ])
  func directories(mode: mode_t, isAllowed: Bool) throws {
    try #require(chmod(directory.path, mode) == 0)
    let names = try directory.names()
    if isAllowed {
      try VaultFile.open(at: directory.vault).close()
      try VaultFile.create(at: directory.path + "/second", with: Sample.content).close()
    } else {
      #expect(throws: StoreError.writableByOthers) { _ = try VaultFile.open(at: directory.vault) }
      #expect(throws: StoreError.writableByOthers) {
        _ = try VaultFile.create(at: directory.path + "/second", with: Sample.content)
      }
      #expect(try directory.names() == names)
    }
  }

  @Test("R10 the directory that a link leads to counts")
  func linked() throws {
    let other = try TemporaryDirectory()
    try #require(symlink(directory.vault, other.vault) == 0)
    try VaultFile.open(at: other.vault).close()
    try #require(chmod(directory.path, 0o777) == 0)
    #expect(throws: StoreError.writableByOthers) { _ = try VaultFile.open(at: other.vault) }
  }

  @Test(
    "R10 groups and owners other than the user's own", .enabled(if: geteuid() == 0, "needs root"),
    arguments: [(0, 0, 0o770, true), (0, 4, 0o770, false), (65_534, 0, 0o755, false)])
  func groups(owner: uid_t, group: gid_t, mode: mode_t, isAllowed: Bool) throws {
    try #require(chown(directory.path, owner, group) == 0 && chmod(directory.path, mode) == 0)
    if isAllowed {
      try VaultFile.open(at: directory.vault).close()
    } else {
      #expect(throws: StoreError.writableByOthers) { _ = try VaultFile.open(at: directory.vault) }
    }
  }

  @Test(
    "R10 in a sticky directory, the vault and what lies beside it must belong to the user",
    .enabled(if: geteuid() == 0, "needs root"), arguments: ["", "-wal", "-journal"])
  func sticky(companion: String) throws {
    try #require(chmod(directory.path, 0o1777) == 0)
    let name = directory.vault + companion
    if !companion.isEmpty { try Data([1]).write(to: URL(filePath: name)) }
    try #require(chown(name, 65_534, 65_534) == 0)
    #expect(throws: StoreError.writableByOthers) { _ = try VaultFile.open(at: directory.vault) }
  }
}
