import Foundation
import Testing
import Wire

@testable import VaultStore

@Suite struct TransactionTests {
  let directory: TemporaryDirectory
  let file: VaultFile

  init() throws {
    directory = try TemporaryDirectory()
    file = try VaultFile.create(at: directory.vault, with: Sample.content)
  }

  private struct TestError: Error {}

  @Test("R1 cards are inserted, read, updated and deleted, each with the next generation")
  func cards() throws {
    let card = Sample.card(0xffff_0000_0000_0001)
    try file.insert([card])
    #expect(try file.read { try $0.card(card.id) } == card)
    #expect(try file.read { try $0.card(Identifier(high: card.id.high, low: 0)) } == nil)
    let next = CardRow(id: card.id, revision: 2, sealed: [])
    try file.write { transaction in
      try transaction.updateCard(next, expected: 1)
      try transaction.putHead([8], generation: 3)
      #expect(try transaction.read.card(card.id) == next)
    }
    try file.write { transaction in
      try transaction.deleteCard(card.id, expected: 2)
      try transaction.putHead([9], generation: 4)
    }
    #expect(try file.read { try $0.cardCount() } == 0)
    let vault = try file.read { try $0.vault() }
    #expect(vault.generation == 4)
    #expect(vault.head == [9])
  }

  @Test("R1 a revision that is not expected is a conflict, and nothing changes")
  func conflicts() throws {
    let card = Sample.card(1)
    try file.insert([card])
    let stranger = Identifier(high: 1, low: 99)
    expect(.conflict) { try $0.updateCard(CardRow(id: card.id, revision: 3, sealed: []), expected: 2) }
    expect(.conflict) { try $0.deleteCard(card.id, expected: 0) }
    expect(.recordNotFound) { try $0.updateCard(CardRow(id: stranger, revision: 2, sealed: []), expected: 1) }
    expect(.recordNotFound) { try $0.deleteCard(stranger, expected: 1) }
    expect(.rowIDCollision) { try $0.insertCard(CardRow(id: stranger, revision: 1, sealed: [])) }
    expect(.conflict) { try $0.putHead([], generation: 2) }
    expect(.conflict) { try $0.putHead([], generation: 4) }
    expect(.conflict) { try $0.putHead([], generation: .min) }
    expect(.conflict) { try $0.putHead([], generation: .max) }
    #expect(try file.read { try $0.card(card.id) } == card)
    #expect(try file.read { try $0.vault().generation } == 2)
  }

  private func expect(
    _ error: StoreError, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (borrowing WriteTransaction) throws -> Void
  ) {
    #expect(throws: error, sourceLocation: sourceLocation) { try file.write(body) }
  }

  @Test("R10 records without a new head are rolled back")
  func headNotAdvanced() throws {
    let settings = DocumentRow(name: "settings", revision: 2, sealed: [1])
    try file.insert([Sample.card(1)])
    expect(.headNotAdvanced) { try $0.insertCard(Sample.card(2)) }
    expect(.headNotAdvanced) { try $0.updateCard(Sample.card(1, revision: 2), expected: 1) }
    expect(.headNotAdvanced) { try $0.deleteCard(Sample.card(1).id, expected: 1) }
    expect(.headNotAdvanced) { try $0.updateDocument(settings, expected: 1) }
    expect(.headNotAdvanced) { try $0.deleteDocument("settings", expected: 1) }
    expect(.headNotAdvanced) { try $0.insertDocument(DocumentRow(name: "x", revision: 1, sealed: [])) }
    #expect(try file.numbers() == [1])
    #expect(try file.read { try $0.documents() } == Sample.content.documents)
  }

  @Test("R13 documents are found by name and compared by revision")
  func documents() throws {
    let changed = DocumentRow(name: "settings", revision: 2, sealed: [1, 2, 3])
    try file.write { transaction in
      try transaction.updateDocument(changed, expected: 1)
      try transaction.insertDocument(DocumentRow(name: "附", revision: 1, sealed: [0]))
      try transaction.putHead([], generation: 2)
    }
    #expect(try file.read { try $0.document("settings") } == changed)
    #expect(try file.read { try $0.documents().map(\.name) } == ["settings", "附"])
    #expect(try file.read { try $0.document("none") } == nil)
    expect(.conflict) { try $0.updateDocument(changed, expected: 1) }
    expect(.recordNotFound) {
      try $0.updateDocument(DocumentRow(name: "none", revision: 2, sealed: []), expected: 1)
    }
    expect(.conflict) { try $0.deleteDocument("settings", expected: 1) }
    expect(.recordNotFound) { try $0.deleteDocument("none", expected: 1) }
    expect(.recordExists) { try $0.insertDocument(changed) }
    try file.write { transaction in
      try transaction.deleteDocument("附", expected: 1)
      try transaction.putHead([], generation: 3)
    }
    #expect(try file.read { try $0.documents() } == [changed])
  }

  @Test("R11 slots are inserted, replaced under a new id, and deleted")
  func slots() throws {
    var device = Sample.slot
    device.id = Identifier(high: .max, low: 1)
    device.kind = 2
    device.iterations = .max
    device.memoryKiB = .max
    try file.write { try $0.insertSlot(device) }
    #expect(try file.read { try $0.slots() } == [Sample.slot, device])
    var password = Sample.slot
    password.id = Identifier(high: 77, low: 1)
    password.sealed = [1]
    try file.write { try $0.replaceSlot(Sample.slot.id, with: password) }
    #expect(try file.read { try $0.slots() } == [password, device])
    expect(.recordNotFound) { try $0.replaceSlot(Sample.slot.id, with: Sample.slot) }
    expect(.recordExists) { try $0.replaceSlot(password.id, with: device) }
    expect(.recordExists) { try $0.insertSlot(device) }
    try file.write { try $0.deleteSlot(device.id) }
    expect(.recordNotFound) { try $0.deleteSlot(device.id) }
    #expect(try file.read { try $0.slots() } == [password])
  }

  @Test("R11 the lockout row survives closing, without a new head")
  func lockout() throws {
    #expect(try file.read { try $0.lockout() } == LockoutRow.none)
    var row = LockoutRow(failedAttempts: 1, waitMilliseconds: 0, startedWall: -1, startedBoot: 2, bootID: "b")
    try file.setLockout(row)
    row.failedAttempts = .max
    try file.setLockout(row)
    try file.close()
    let again = try VaultFile.open(at: directory.vault)
    #expect(try again.read { try $0.lockout() } == row)
    try again.write { try $0.clearLockout() }
    #expect(try again.read { try $0.lockout() } == nil)
    #expect(try again.read { try $0.vault() } == Sample.content.vault)
  }

  @Test("the newest 1,000 events are kept, newest first")
  func events() throws {
    try file.appendEvent(EventRow(at: 0, kind: "failed", method: "password", reason: "wrongPassword"))
    #expect(
      try file.read { try $0.events() } == [
        EventRow(at: 0, kind: "failed", method: "password", reason: "wrongPassword")
      ])
    try file.write { transaction in
      for at in 1...1_004 { try transaction.appendEvent(EventRow(at: Int64(at), kind: "unlocked")) }
    }
    let events = try file.read { try $0.events() }
    #expect(events.map(\.at) == (5...1_004).reversed())
    #expect(try file.read { try $0.events(limit: 2).map(\.at) } == [1_004, 1_003])
    #expect(try file.read { try $0.events(limit: -1) } == [])
  }

  @Test("open settings change without a new head")
  func plaintextSettings() throws {
    try file.write { try $0.setPlaintextSettings("language=zh-Hans\n") }
    let vault = try file.read { try $0.vault() }
    #expect(vault.plaintextSettings == "language=zh-Hans\n")
    #expect(vault.generation == 1)
  }

  @Test("R17 an error of the body is rethrown, and its writes are rolled back")
  func rollback() throws {
    #expect(throws: TestError.self) {
      try file.write { transaction in
        try transaction.insertCard(Sample.card(1))
        try transaction.putHead([], generation: 2)
        throw TestError()
      }
    }
    #expect(throws: TestError.self) { try file.read { _ in throw TestError() } }
    #expect(try file.numbers() == [])
    try file.insert([Sample.card(1)])
    #expect(try file.numbers() == [1])
  }

  @Test("scans visit in storage order, over all, a range, and a list; bytes in place")
  func scans() throws {
    let highs: [UInt64] = [5, .max, 1 << 63, 0, (1 << 63) - 1, 70]
    try file.insert(highs.map { Sample.card($0, revision: 3, size: $0 == 70 ? 20_000 : 10) })
    #expect(try file.numbers() == [.min, -1, 0, 5, 70, .max])
    try file.read { transaction in
      var seen: [Int64] = []
      try transaction.forEachCard(in: -1...70) { number, _, _, _ in seen.append(number) }
      #expect(seen == [-1, 0, 5, 70])
      seen = []
      try transaction.forEachCard(numbers: [70, 6, 5, 70]) { number, id, revision, sealed throws in
        seen.append(number)
        #expect(revision == 3)
        #expect(try transaction.card(id)?.sealed.count == sealed.byteCount)
        #expect(sealed.unsafeLoad(fromByteOffset: sealed.byteCount - 1, as: UInt8.self) == UInt8(number))
      }
      #expect(seen == [70, 5, 70])
    }
  }

  @Test("scans inside scans do not disturb each other")
  func nestedScans() throws {
    try file.insert((1...4).map { Sample.card($0) })
    var pairs = 0
    try file.read { transaction in
      try transaction.forEachCard { _, _, _, _ in
        try transaction.forEachCard { _, _, _, _ in pairs += 1 }
      }
    }
    #expect(pairs == 16)
  }

  @Test("a read is one snapshot, whatever others write in the meantime")
  func snapshot() throws {
    let other = try VaultFile.open(at: directory.vault)
    try file.read { transaction in
      #expect(try transaction.vault().generation == 1)
      try other.insert([Sample.card(1)])
      #expect(try transaction.vault().generation == 1)
      #expect(try transaction.cardCount() == 0)
    }
    #expect(try file.numbers() == [1])
  }

  @Test("transactions do not nest, and a closed file says so")
  func misuse() throws {
    try file.read { _ in
      #expect(throws: StoreError.nestedTransaction) { try file.write { _ in } }
      #expect(throws: StoreError.nestedTransaction) { try file.read { _ in } }
      #expect(throws: StoreError.nestedTransaction) { try file.close() }
      #expect(throws: StoreError.nestedTransaction) { try file.checkpoint() }
      #expect(throws: StoreError.nestedTransaction) { try file.remove() }
    }
    try file.close()
    try file.close()
    #expect(throws: StoreError.closed) { try file.read { _ in } }
    #expect(throws: StoreError.closed) { try file.write { _ in } }
    #expect(throws: StoreError.closed) { try file.checkpoint() }
    #expect(throws: StoreError.closed) { try file.remove() }
    #expect(throws: StoreError.closed) { _ = try file.dataVersion() }
    #expect(throws: StoreError.closed) { _ = try file.isStructureIntact() }
    let event = EventRow(at: 1, kind: "locked")
    #expect(throws: StoreError.closed) { try file.appendEvent(event) }
    #expect(throws: StoreError.closed) { try file.appendFinalEvent(event) }
  }

  @Test("rows of a wrong shape are reported, not trusted")
  func wrongShape() throws {
    try file.insert([Sample.card(1)])
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("PRAGMA ignore_check_constraints = ON")
      c.execute("UPDATE card SET id = x'0102'")
      c.execute("UPDATE slot SET iterations = -1")
      c.execute("UPDATE lockout SET boot_id = CAST(x'ff' AS TEXT)")
      c.commit()
      """
    try runPython(script, directory.vault)
    try file.read { transaction in
      #expect(throws: StoreError.corrupt) { try transaction.forEachCard { _, _, _, _ in } }
      #expect(throws: StoreError.corrupt) { _ = try transaction.card(Sample.card(1).id) }
      #expect(throws: StoreError.corrupt) { _ = try transaction.slots() }
      #expect(throws: StoreError.corrupt) { _ = try transaction.lockout() }
    }
  }

  @Test("ids keep their bytes, and the number is the first eight as a signed integer")
  func ids() throws {
    let bytes: [UInt8] = [0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    let id = try #require(Identifier(bytes: bytes))
    #expect(id.bytes == bytes)
    #expect(id.number == Int64(bitPattern: 0xff01_0203_0405_0607))
    #expect(Identifier(bytes: bytes.dropLast()) == nil)
    try file.insert([CardRow(id: id, revision: 1, sealed: [])])
    #expect(try file.connection.pragma("user_version") { try $0.integer(0) } == 1)
    try file.connection.withStatement("SELECT id FROM card") { row throws in
      #expect(try row.step())
      #expect(try row.bytes(0) == bytes)
    }
  }
}
