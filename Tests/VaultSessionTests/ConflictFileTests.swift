import Foundation
import SessionSupport
import TestSamples
import TestSupport
import Testing
import VaultInterface

@testable import Vault

@Suite("Conflict files") struct ConflictFileTests {
  @Test(
    "R14 the names that synchronising programs and QuickVault give are known",
    arguments: [
      ("vault.sync-conflict-20261121-123005-K7Q2M4T.quickvault", ConflictFile.Kind.copy),
      ("vault.sync-conflict-20261121-123005-K7Q2M4T.quickvault-wal", .log),
      ("vault (conflicted copy 2026-11-22 061539).quickvault", .copy),
      ("vault (Lin's conflicted copy 2026-11-22).quickvault", .copy),
      ("vault (lin-laptop's conflicted copy 2026-11-22 (1)).quickvault-wal", .log),
      ("vault (Case Conflicted copy).quickvault", nil),
      ("vault_conflict-20261122-061539.quickvault", .copy),
      ("vault_conf(1).quickvault", .copy), ("vault_conf(12).quickvault-wal", .log),
      ("vault_conf().quickvault", nil), ("vault_conf(a).quickvault", nil),
      ("vault (SFConflict lin@example.org 2026-11-22-06-15-39).quickvault", .copy),
      ("vault.quickvault.conflict1", .copy), ("vault.quickvault..path2", .copy),
      ("vault.quickvault.conflict", nil),
      ("vault.quickvault-stray", .copy), ("vault.quickvault-stray-2", .copy),
      ("vault.quickvault-wal-stray", .log), ("vault.quickvault-wal-stray-3", .log),
      ("vault.quickvault-journal-stray", nil), ("vault.quickvault-stray-", nil),
      ("vault.quickvault", nil), ("vault.quickvault-wal", nil), ("vault.quickvault-shm", nil),
      ("vault.sync-conflict-20261121-123005-K7Q2M4T.quickvault-shm", nil),
      ("vault-20261121T123005Z.quickvault", nil), ("other.sync-conflict-x.quickvault", nil),
      ("vault (copy).quickvault", nil), ("vault", nil), ("", nil),
    ] as [(String, ConflictFile.Kind?)])
  func names(_ name: String, _ kind: ConflictFile.Kind?) {
    #expect(ConflictName(ofVault: "vault.quickvault").kind(of: name) == kind)
  }

  @Test("R14 a vault without an extension, or with a name of its own, has conflict files too")
  func otherNames() {
    #expect(ConflictName(ofVault: "cards").kind(of: "cards.sync-conflict-20261121-123005-K7Q2M4T") == .copy)
    #expect(ConflictName(ofVault: ".cards").kind(of: ".cards.sync-conflict-20261121-123005-K7Q2M4T") == .copy)
    #expect(ConflictName(ofVault: "a.b.db").kind(of: "a.b (conflicted copy 1).db-wal") == .log)
  }

  @Test("R14 copies and logs beside a vault are found, before and after its deletion; other files are not")
  func found() async throws {
    let vault = try TestVault()
    let session = try await vault.create()
    #expect(session.conflictFiles() == [])
    session.lock(.request)
    func put(_ name: String, _ content: Data? = nil) throws {
      let content = try content ?? Data(contentsOf: URL(filePath: vault.path))
      try content.write(to: URL(filePath: vault.directory + "/" + name))
    }
    let mark = "vault.sync-conflict-20261121-123005-K7Q2M4T.quickvault"
    try put(mark)
    try put(mark + "-wal", Data("log".utf8))
    try put("vault.sync-conflict-20261121-123009-K7Q2M4T.quickvault-wal", Data("log".utf8))
    try put("vault_conf(1).quickvault", Data("not a vault".utf8))
    try put("vault_conf(2).quickvault-wal", Data())
    try FileManager.default.createDirectory(
      atPath: vault.directory + "/vault_conf(3).quickvault", withIntermediateDirectories: false)
    let expected = [
      ConflictFile(path: vault.directory + "/" + mark, kind: .copy),
      ConflictFile(
        path: vault.directory + "/vault.sync-conflict-20261121-123009-K7Q2M4T.quickvault-wal", kind: .log),
    ]
    #expect(session.conflictFiles() == expected)
    try await session.unlock(password: TestVault.password)
    #expect(session.conflictFiles() == expected)
    try await session.delete(password: TestVault.password, confirmation: "vault.quickvault")
    #expect(session.conflictFiles() == expected)
  }

  @Test("R14 a conflict file is found that comes into a directory that had none for long")
  func foundLater() async throws {
    let vault = try TestVault()
    let session = try await vault.create()
    func setBack() throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: vault.directory)
    }
    let path = vault.directory + "/vault_conf(1).quickvault"
    for _ in 0..<2 {
      try setBack()
      #expect(session.conflictFiles() == [])
      try Data(contentsOf: URL(filePath: vault.path)).write(to: URL(filePath: path))
      #expect(session.conflictFiles() == [ConflictFile(path: path, kind: .copy)])
      try setBack()
      #expect(session.conflictFiles() == [ConflictFile(path: path, kind: .copy)])
      try FileManager.default.removeItem(atPath: path)
      #expect(session.conflictFiles() == [])
    }
  }
}
