import Foundation
import Testing

@testable import VaultStore

/// Logs of copies of a vault that were changed on their own.
@Suite("Forked logs") struct ForkedLogTests {
  @Test("R14 a log of a copy that was written to on its own is not the vault's, even in its generations")
  func fork() throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let other = directory.vault + ".other"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: other)
    let copy = try VaultFile.open(at: other)
    for number in 11...20 { try copy.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    let log = try Data(contentsOf: URL(filePath: other + "-wal"))
    let file = try VaultFile.open(at: directory.vault)
    for number in 1...5 { try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    try file.close()
    try log.write(to: URL(filePath: directory.vault + "-wal"))

    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == Array(1...5))
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
    #expect(try VaultFile.open(at: directory.vault + "-stray").numbers() == Array(11...20))
  }

  @Test(
    "R14 a log of a copy that was changed on its own is not the vault's, though it begins where that ends",
    arguments: [1, 5])
  func forkThatContinues(_ changes: Int64) throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let other = directory.vault + ".other"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: other)
    for (path, first) in [(directory.vault, Int64(1)), (other, 11)] {
      let file = try VaultFile.open(at: path)
      for number in first..<first + changes {
        try file.insert([Sample.card(UInt64(number))], head: [UInt8(number)])
      }
      try file.close()
    }
    let copy = try VaultFile.open(at: other)
    try copy.insert([Sample.card(16)], head: [16])
    let log = try Data(contentsOf: URL(filePath: other + "-wal"))
    try log.write(to: URL(filePath: directory.vault + "-wal"))

    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.numbers() == Array(1..<1 + changes))
    #expect(try directory.names().contains("vault.quickvault-wal-stray"))
    #expect(try VaultFile.open(at: directory.vault + "-stray").numbers().contains(16))
  }

  @Test(
    "R14 a log of a copy is saved with the vault, whichever of both has more changes or pages",
    arguments: [(1, 0), (1, 1), (1, 4), (4, 1), (40, 3), (3, 40)])
  func forkOfOtherLength(_ changes: Int64, _ logged: Int64) throws {
    let directory = try TemporaryDirectory()
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let other = directory.vault + ".other"
    try FileManager.default.copyItem(atPath: directory.vault, toPath: other)
    let file = try VaultFile.open(at: directory.vault)
    for number in 1..<1 + changes { try file.insert([Sample.card(UInt64(number))], head: [1]) }
    try file.close()
    let copy = try VaultFile.open(at: other)
    // Not every transaction changes the head.
    try copy.setLockout(.none)
    for number in 101..<101 + logged { try copy.insert([Sample.card(UInt64(number))], head: [2]) }
    let log = try Data(contentsOf: URL(filePath: other + "-wal"))
    try log.write(to: URL(filePath: directory.vault + "-wal"))

    for _ in 0..<2 {
      let again = try VaultFile.open(at: directory.vault)
      #expect(try again.numbers() == Array(1..<1 + changes))
      #expect(try again.isStructureIntact())
      try again.close()
      try log.write(to: URL(filePath: directory.vault + "-wal"))
    }
    // The pages are of two states, which only salvaging reads in any case.
    let saved = try VaultFile.salvage(at: directory.vault + "-stray") { _ in true }
    #expect(try saved.numbers().filter { $0 > 100 } == Array(101..<101 + logged))
    #expect(try !directory.names().contains("vault.quickvault-stray-2"), "saved once")
  }

  @Test("R14 a log of an independent copy is not the vault's though their rows are longer than a page")
  func forkOfRowLongerThanPage() throws {
    let directory = try TemporaryDirectory()
    let (file, log, _) = try longRow(in: directory) { file in
      for number in 2...4 as ClosedRange<UInt8> {
        try file.setLockout(.none)
        try file.insert([Sample.card(UInt64(number))], head: longHead(number))
      }
    }
    try file.write(to: URL(filePath: directory.vault))
    let other = try VaultFile.open(at: directory.vault)
    try other.insert([Sample.card(9)], head: longHead(9))
    try other.close()
    try log.write(to: URL(filePath: directory.vault + "-wal"))
    #expect(try VaultFile.open(at: directory.vault).numbers() == [1, 9])
    let saved = try VaultFile.salvage(at: directory.vault + "-stray") { _ in true }
    #expect(try Set(saved.numbers()).isSuperset(of: [1, 2, 3, 4]))
  }
}
