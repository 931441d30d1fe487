import Foundation
import Testing

@testable import VaultStore

/// Checkpoints while the file is in use, for copies of the file alone.
@Suite struct CheckpointTests {
  let directory: TemporaryDirectory
  let file: VaultFile

  init() throws {
    directory = try TemporaryDirectory()
    file = try VaultFile.create(at: directory.vault, with: Sample.content, settings: Sample.impatient) { _ in
    }
  }

  @Test("R14 the file alone is complete after a checkpoint, unless a reader needs an older state")
  func checkpointBesideOthers() throws {
    let reader = try VaultFile.open(at: directory.vault)
    try file.insert([Sample.card(1)])
    try reader.read { transaction in
      #expect(try transaction.cardCount() == 1)
      try file.insert([Sample.card(2)])
      #expect(try !file.checkpoint(emptiesLog: false))
    }
    #expect(try file.checkpoint(emptiesLog: false))
    #expect(try numbersOfCopy() == [1, 2])
    // A writer does not wait for a checkpoint of another connection.
    try file.write { transaction in
      try transaction.insertCard(Sample.card(3))
      #expect(try reader.checkpoint(emptiesLog: false))
      try transaction.putHead([3], generation: transaction.read.vault().generation + 1)
    }
    #expect(try file.numbers() == [1, 2, 3])
  }

  /// The numbers of the cards in a copy of the file without its log.
  private func numbersOfCopy() throws -> [Int64] {
    let copy = directory.path + "/copy"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: directory.vault, toPath: copy)
    let file = try VaultFile.open(at: copy)
    defer { try? file.close() }
    return try file.numbers()
  }
}
