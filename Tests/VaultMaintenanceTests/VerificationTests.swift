import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Verification")
  struct VerificationTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    @Test("R10 an intact vault is reported as intact, with progress up to 100")
    func whole() async throws {
      for number in 0..<20 { try session.note("note \(number)") }
      _ = try session.updateSettings([.language: .text("en")])
      var told: [Int] = []
      let verification = try await session.verify { told.append($0) }
      #expect(verification == Verification(cards: 20, attachments: 0, damaged: [], integrity: .intact))
      #expect(told == told.sorted() && told.first == 1 && told.last == 100)
      #expect(told.count == 64)
    }

    @Test("R10 damage that a verification finds makes the vault damaged from then on")
    func found() async throws {
      let card = try session.note("note")
      let other = try session.note("other")
      // A byte that changes on the disk by itself: no transaction tells of it.
      session.close()
      let intact = try await vault.unlock()
      let open = try intact.unlocked()
      try open.file.write { transaction in
        let row = try #require(try transaction.read.card(card.id))
        try transaction.deleteCard(row.id, expected: 1)
        try transaction.insertCard(.init(id: row.id, revision: 1, sealed: row.sealed.reversed()))
        let sealed = try open.reader.seal(.head, .zero, open.generation + 1, open.head.encoded())
        try transaction.putHead(sealed, generation: open.generation + 1)
      }
      open.generation += 1
      #expect(try intact.summary().isIntact)
      let verification = try await intact.verify { _ in }
      #expect(
        verification
          == Verification(
            cards: 2, attachments: 0, damaged: [card.id], findings: [.records], integrity: .damaged))
      #expect(try !intact.summary().isIntact)
      #expect(vaultError { _ = try intact.note("more") } == .damaged(card.id))
      #expect(try intact.allCards().map(\.id) == [other.id])
    }

    @Test(
      "R10 R12 many histories are read in steps, between which a lock can come", arguments: [true, false])
    func histories(isIntact: Bool) throws {
      let open = try session.unlocked()
      var random = SeededGenerator(seed: 15)
      var last = Identifier.zero
      try open.change { transaction, change in
        for _ in 0..<15_000 {
          let id = Identifier(high: .random(in: 0 ... .max, using: &random), low: 1)
          last = last.number < id.number ? id : last
          try open.put(CardHistory(replaced: [1], deletedAt: 0), of: id, isNew: true, transaction, &change)
        }
      }
      if !isIntact {
        try RawFile(vault).flip("sealed", of: "history", where: "number = \(last.number)", byte: 20)
      }
      var (summary, steps) = (HistorySummary(), 0)
      var next: Int64? = .min
      while let first = next {
        next = try open.reader.visitSomeHistories(&summary, from: first)
        steps += 1
      }
      #expect(steps > 1 && summary.allOpen == isIntact)
      let whole = try open.file.read { try open.reader.visitHistories($0, opening: true) }
      #expect(whole.hash == summary.hash && whole.allOpen == isIntact)
    }

    @Test("R10 damage to the file's own structure is found")
    func structure() async throws {
      for number in 0..<200 { try session.note("note \(number)", text: String(repeating: "x", count: 500)) }
      try session.unlocked().file.checkpoint()
      #expect(try await session.verify { _ in }.integrity == .intact)
      // One page more than the file's header and its tables know of.
      try RawFile(vault).run(
        "CREATE TABLE stray (a); DELETE FROM stray; PRAGMA writable_schema = ON;"
          + "DELETE FROM sqlite_schema WHERE name = 'stray'")
      let verification = try await session.verify { _ in }
      #expect(verification.damaged.isEmpty && verification.cards == 200)
      #expect(verification.integrity == .damaged)
    }

    @Test(
      "R10 if another session writes in the meantime, the verification starts again, and finally reads in one snapshot"
    )
    func otherWrites() async throws {
      for number in 0..<8 { try session.note("note \(number)") }
      let writer = try await vault.unlock()
      for writes in [1, 40, 128] {
        var left = writes
        var told: [Int] = []
        let verification = try await session.verify { percentage in
          told.append(percentage)
          if left > 0 {
            left -= 1
            _ = try? writer.note("meanwhile")
          }
        }
        #expect(verification.integrity == .intact)
        let count = try writer.summary().cardCount
        #expect(verification.cards == count)
        #expect(told.count.isMultiple(of: 64) && told.last == 100)
      }
    }

    @Test("R17 a verification is cancelled between two parts")
    func cancelled() async throws {
      try session.note("note")
      session.close()
      let owner = try await SessionOwner.unlocked(vault)
      let told = Box(0)
      let task = Task {
        try await owner.verify { percentage in
          told.value = percentage
          if percentage > 20 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect((21..<30).contains(told.value))
      #expect(try await owner.verify { _ in }.integrity == .intact)
    }

    @Test("R12 a vault that locks during its verification ends it")
    func lockedMeanwhile() async throws {
      try session.note("note")
      let error = await errorOf {
        _ = try await session.verify { percentage in if percentage > 50 { session.lock(.timeout) } }
      }
      #expect(error == .locked)
    }
  }
}
