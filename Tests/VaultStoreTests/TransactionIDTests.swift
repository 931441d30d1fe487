import Foundation
import Testing

@testable import VaultStore

@Suite struct TransactionIDTests {
  let directory: TemporaryDirectory
  let file: VaultFile

  init() throws {
    directory = try TemporaryDirectory()
    file = try VaultFile.create(at: directory.vault, with: Sample.content)
  }

  private struct TestError: Error {}

  @Test("R14 each transaction that changes something has an ID and names the one before")
  func transactionIDs() throws {
    var last = try transactionIDs(of: file)
    #expect(last.own?.count == 16)
    #expect(last.previous == nil)
    let changes: [(borrowing WriteTransaction) throws -> Void] = [
      {
        try $0.insertCard(Sample.card(1))
        try $0.putHead([7], generation: 2)
      },
      {
        try $0.setLockout(
          LockoutRow(failedAttempts: 1, waitMilliseconds: 0, startedWall: 0, startedBoot: 0, bootID: ""))
      },
      { try $0.appendEvent(EventRow(at: 1, kind: "unlocked")) },
      {
        try $0.setPlaintextSettings("language=auto\n")
        try $0.putHead([8], generation: 3)
      },
    ]
    for change in changes {
      try file.write(change)
      let next = try transactionIDs(of: file)
      #expect(next.own?.count == 16)
      #expect(next.previous == last.own)
      #expect(next.own != last.own)
      last = next
    }
    try file.write { _ = try $0.read.vault() }
    #expect(throws: TestError.self) {
      try file.write { transaction in
        try transaction.appendEvent(EventRow(at: 2, kind: "locked"))
        throw TestError()
      }
    }
    #expect(try transactionIDs(of: file) == last)
  }

  @Test(
    "R14 the first new head gives an older vault transaction IDs, while others have it open, and opening does not"
  )
  func firstTransactionID() throws {
    try file.close()
    try removeTransactionIDs(directory.vault)
    let before = try Data(contentsOf: URL(filePath: directory.vault))
    try VaultFile.open(at: directory.vault).close()
    #expect(try Data(contentsOf: URL(filePath: directory.vault)) == before)
    let (older, writer) = (try VaultFile.open(at: directory.vault), try VaultFile.open(at: directory.vault))
    try writer.setLockout(.none)
    #expect(try writer.read { try !$0.hasTransactionIDs() })
    try writer.write { try $0.putHead([UInt8](1...20), generation: 2) }
    var first: [UInt8]?
    try writer.write { first = try $0.read.vault().head }
    #expect(first == [UInt8](1...20))
    #expect(try transactionIDs(of: writer).own?.count == 16)
    #expect(try transactionIDs(of: writer).previous == nil, "the head before had less than 16 bytes")
    let duplicate = try older.duplicate()
    #expect(try duplicate.read { try $0.vault().generation } == 2)
    try older.insert([Sample.card(1)], head: [3])
    #expect(try duplicate.numbers() == [1])
  }

  private func transactionIDs(of file: VaultFile) throws -> TransactionIDs {
    let sql = "SELECT transaction_id, previous_transaction_id FROM vault"
    return try file.connection.withStatement(sql) { row in
      try #require(try row.step())
      return TransactionIDs(own: try? row.bytes(0), previous: try? row.bytes(1))
    }
  }

  private struct TransactionIDs: Equatable {
    let own: [UInt8]?
    let previous: [UInt8]?
  }
}
