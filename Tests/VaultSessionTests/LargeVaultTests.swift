import SessionSupport
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  /// A vault with so many cards that two threads share a scan.
  @Suite("A large vault")
  struct LargeVaultTests {
    let vault: TestVault
    let session: VaultSession
    let count = OpenVault.sharedScanCount + 100

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      let (open, clock, count) = (try session.unlocked(), vault.clock, count)
      try open.change { transaction, change in
        for number in 0..<count {
          let draft = CardDraft(
            title: "card \(number)", group: number % 3 == 0 ? .company : .personal, type: .text,
            fields: ["text": "body"], tags: ["t\(number % 5)"])
          let id = try Identifier.random()
          let time = Timestamp(milliseconds: clock.wall - Int64(number))
          try open.insert(Card(draft, id: id, at: time), transaction, &change)
        }
      }
    }

    @Test("R7 R15 R16 a shared scan finds what one thread finds, in order")
    func found() async throws {
      #expect(try session.allCards(limit: 1_000).map(\.title) == (0..<count).map { "card \($0)" })
      let company = try session.allCards(CardFilter(group: .company), limit: 1_000).map(\.title)
      #expect(company == stride(from: 0, to: count, by: 3).map { "card \($0)" })
      let hits = try session.search("card 7", limit: 1_000, cursor: nil)
      #expect(hits.total == (0..<count).count { "\($0)".contains("7") })
      #expect(try session.tags().map(\.count) == Array(repeating: count / 5, count: 5))
      let other = try await vault.unlock()
      #expect(try other.summary() == session.summary())
      #expect(try other.summary().isIntact)
    }

    @Test("R14 a shared scan includes the earlier writes of another session")
    func foreignWrites() async throws {
      let other = try await vault.unlock()
      let card = try other.note("card 7 of another")
      let gone = try #require(try session.search("card 77", limit: 1, cursor: nil).items.first?.card)
      try other.deleteCard(gone.id, revision: nil)
      let hits = try session.search("card 7", limit: 1_000, cursor: nil)
      // The whole title "card 7" comes first.
      #expect(hits.items.dropFirst().first?.card == card.withoutValues)
      #expect(!hits.items.contains { $0.card.id == gone.id })
      #expect(hits.total == hits.items.count)
    }

    @Test("R10 damage is found by both threads")
    func damage() async throws {
      session.close()
      try RawFile(vault).run(
        "UPDATE card SET sealed = zeroblob(60) WHERE number IN (SELECT min(number) FROM card "
          + "UNION SELECT max(number) FROM card)")
      let damaged = try await vault.unlock()
      #expect(try damaged.unlocked().damaged.count == 2)
      #expect(try damaged.summary().cardCount == count)
      #expect(try damaged.search("card", limit: 1, cursor: nil).total == count - 2)
    }

    @Test("R12 a lock while another thread reads closes that thread's file when it is done")
    func lockedDuringScan() throws {
      let open = try session.unlocked()
      let reader = try #require(open.takeSecondReader())
      session.lock(.timeout)
      var summary = VaultSummary()
      _ = try reader.visitCards(&summary)
      #expect(summary.count == UInt64(count))
      open.returnSecondReader()
      #expect(throws: (any Error).self) { try reader.visitCards(&summary) }
      #expect(vaultError { _ = try open.file.dataVersion() } == .changed)
    }

    @Test("R12 a search during which the vault locks returns nothing")
    func lockedWhileSearching() async throws {
      session.close()
      for _ in 0..<5 {
        let owner = try await SessionOwner.unlocked(vault)
        let search = Task { try await owner.search("card") }
        await Task.yield()
        await owner.lock()
        do {
          #expect(try await search.value.total == count)
        } catch {
          #expect(VaultError(error) == .locked)
        }
        #expect(await owner.isLocked)
      }
    }
  }
}
