import Foundation
import Testing
import Wire

@testable import VaultStore

/// Another file takes the name of an open vault.
@Suite("Replaced files") struct ReplacedFileTests {
  let directory: TemporaryDirectory
  let file: VaultFile

  init() throws {
    directory = try TemporaryDirectory()
    file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.insert([Sample.card(1)])
    try file.insert([Sample.card(2)])
  }

  private var stray: String { directory.vault + "-stray" }

  private func replace(_ path: String) throws {
    try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: path + ".tmp"))
    try #require(rename(path + ".tmp", path) == 0)
  }

  private func numbers(at path: String) throws -> [Int64] {
    let file = try VaultFile.open(at: path)
    defer { try? file.close() }
    #expect(try file.isStructureIntact())
    return try file.numbers()
  }

  @Test("R14 what only a file without a name holds is saved once", arguments: [false, true])
  func nameless(replacesLog: Bool) throws {
    let second = try file.duplicate()
    if replacesLog {
      try replace(directory.vault + "-wal")
      try replace(directory.vault + "-shm")
    }
    try replace(directory.vault)
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
    try second.close()
    try file.close()
    #expect(try numbers(at: stray) == [1, 2])
    let status = try FileStatus(path: stray)
    #expect(!status.isOpenToOthers)
    #expect(!(try directory.names()).contains("vault.quickvault-stray-2"))
  }

  @Test("R14 a file is saved though a torn copy of it, with the newest head, has its place")
  func torn() throws {
    try file.insert((3...200).map { Sample.card($0) })
    let (path, new) = (directory.vault, directory.path + "/new")
    #expect(try file.checkpoint())
    var data = try Data(contentsOf: URL(filePath: path))
    let end = data.count - 4 * 4_096
    data.replaceSubrange(end..., with: Data(count: 4 * 4_096))
    try data.write(to: URL(filePath: new))
    try #require(rename(new, path) == 0)
    try file.close()
    #expect(try numbers(at: stray) == Array(1...200))
  }

  @Test("R14 what only a file has that was removed is saved if another takes its place at once")
  func removedFirst() throws {
    let (path, new) = (directory.vault, directory.path + "/new")
    try FileManager.default.copyItem(atPath: path, toPath: new)
    try FileManager.default.removeItem(atPath: path)
    Thread.detachNewThread { [directory] in
      // The directory is locked while the file is closed.
      while (try? Self.takeLock(of: directory)) != nil { poll(nil, 0, 1) }
      rename(new, path)
    }
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
    try file.close()
    #expect(try numbers(at: stray) == [1, 2])
  }

  private static func takeLock(of directory: TemporaryDirectory) throws {
    _ = try FileLock(directory: directory.path, milliseconds: 0)
  }

  @Test(
    "R14 a copy is saved of a renamed file, whose name may be used again, and it gets its log",
    arguments: [false, true])
  func renamed(removesLog: Bool) throws {
    let conflict = directory.path + "/conflict.quickvault"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: directory.path + "/new")
    try #require(rename(directory.vault, conflict) == 0)
    try #require(rename(directory.path + "/new", directory.vault) == 0)
    if removesLog { try FileManager.default.removeItem(atPath: directory.vault + "-wal") }
    try file.close()
    #expect(try numbers(at: stray) == [1, 2])
    #expect(try numbers(at: conflict) == (removesLog ? [] : [1, 2]))
  }

  @Test("R14 of a file that somebody renames, and puts nothing in its place, no copy is saved")
  func renamedAlone() throws {
    let other = directory.path + "/other.quickvault"
    try #require(rename(directory.vault, other) == 0)
    try file.close()
    #expect(try directory.names() == ["other.quickvault"])
    #expect(try numbers(at: other) == [1, 2])
  }

  enum Log: CaseIterable { case older, copied, removed }

  @Test("R14 what the log of a renamed file has is saved if the log was replaced", arguments: Log.allCases)
  func away(_ log: Log) throws {
    let (path, away) = (directory.vault, directory.path + "/away.quickvault")
    let older = try ["-wal", "-shm"].map { try Data(contentsOf: URL(filePath: path + $0)) }
    try file.insert([Sample.card(3)])
    for (name, data) in zip(["-wal", "-shm"], older) {
      switch log {
      case .older:
        try data.write(to: URL(filePath: path + ".tmp"))
        try #require(rename(path + ".tmp", path + name) == 0)
      case .copied: try replace(path + name)
      case .removed: try FileManager.default.removeItem(atPath: path + name)
      }
    }
    try #require(rename(path, away) == 0)
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(4)]) }
    try file.close()
    try #require(rename(away, path) == 0)
    _ = try numbers(at: path)
    #expect(try numbers(at: stray) == [1, 2, 3])
  }

  @Test(
    "R14 a vault that is moved with its log leaves nothing behind; one that is renamed beside it does",
    arguments: [true, false])
  func movedWithLog(toOtherDirectory: Bool) throws {
    let other = directory.path + (toOtherDirectory ? "/other" : "")
    try FileManager.default.createDirectory(
      atPath: other, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let moved = other + "/moved.quickvault"
    for name in ["", "-wal", "-shm"] { try #require(rename(directory.vault + name, moved + name) == 0) }
    #expect(throws: StoreError.changed) { try file.insert([Sample.card(3)]) }
    try file.close()
    #expect(FileManager.default.fileExists(atPath: stray) != toOtherDirectory)
    #expect(try numbers(at: moved) == [1, 2])
  }

  @Test("R14 a vault that was removed, or made anew, is not brought back", arguments: [false, true])
  func removed(madeAnew: Bool) throws {
    for name in ["vault.quickvault", "vault.quickvault-wal", "vault.quickvault-shm"] {
      try FileManager.default.removeItem(atPath: directory.path + "/" + name)
    }
    if madeAnew {
      let vault = VaultRow(vaultID: Identifier(high: 7, low: 7), head: [7])
      let content = InitialContent(vault: vault, slots: [Sample.slot], documents: Sample.content.documents)
      try VaultFile.create(at: directory.vault, with: content).close()
    }
    try file.close()
    #expect(try directory.names() == (madeAnew ? ["vault.quickvault"] : []))
  }
}
