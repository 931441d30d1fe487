import Foundation
import Testing

@testable import VaultStore

/// Asking whether a file is in use must not take away the locks of who asks.
@Suite("Use of files") struct FileUseTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(
    "a file that this process has open is known by whatever name, and all are taken to be where nothing tells"
  )
  func openHere() throws {
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    let link = directory.path + "/link"
    try FileManager.default.linkItem(atPath: directory.vault, toPath: link)
    try Data("x".utf8).write(to: URL(filePath: directory.path + "/other"))
    let (mine, other) = (
      try FileStatus(path: link).identity, try FileStatus(path: directory.path + "/other").identity
    )
    #expect(FileUse.isOpenInThisProcess(mine) && !FileUse.isOpenInThisProcess(other))
    #expect(FileUse.isOpenInThisProcess(other, descriptors: directory.path + "/none"))
    try file.close()
    #expect(!FileUse.isOpenInThisProcess(mine))
  }

  @Test("another process's lock is detected, and an unreadable file counts as locked")
  func locked() throws {
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    #expect(!FileUse.isLocked(directory.vault) && !FileUse.isLocked(directory.path + "/none"))
    #expect(FileUse.isLocked(directory.vault + "/beneath"))
    let holder = try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("SELECT * FROM card").fetchall()
      print("open", flush=True)
      sys.stdin.read()
      """, directory.vault)
    try #require(try waitForLine(holder) == "open")
    #expect(FileUse.isLocked(directory.vault) && FileUse.isLocked(directory.vault + "-shm"))
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    #expect(!FileUse.isLocked(directory.vault) && !FileUse.isLocked(directory.vault + "-shm"))
  }
}
