import SessionSupport
import Synchronization
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  /// Lists and searches that take long.
  @Suite("Long reads")
  struct LongReadTests {
    /// Sixty words that are looked for in all of these texts.
    private static let query = (0..<60).map { "的\($0)" }.joined(separator: " ")
    private static let texts = Array(
      repeating: String(repeating: "的", count: 99_000) + (0..<60).map { "的\($0)" }.joined(), count: 6)

    @Test("R7 what takes long is not read at once, and is found in the background, by one thread and by two")
    func inBackground() async throws {
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      for text in Self.texts { try session.note("long", text: text) }
      #expect(try session.readAtOnce { try $0.search(Self.query, limit: 10, cursor: nil) } == nil)
      #expect(try session.readAtOnce { try $0.search("title:long", limit: 10, cursor: nil) }?.total == 6)
      let alone = try await session.readInBackground { try $0.search(Self.query, limit: 10, cursor: nil) }
      #expect(try alone.items == session.search(Self.query, limit: 10, cursor: nil).items)
      #expect(alone.total == 6 && alone.items.allSatisfy { $0.matches.map(\.field) == ["text"] })

      for number in 0..<OpenVault.sharedScanCount { try session.note("short \(number)") }
      #expect(try session.readAtOnce { try $0.search(Self.query, limit: 10, cursor: nil) } == nil)
      let shared = try await session.read { try $0.search(Self.query, limit: 10, cursor: nil) }
      #expect(shared.items == alone.items)
      #expect(try await session.readInBackground { try $0.tags() } == session.tags())
    }

    @Test("R7 a read in the background includes what another session wrote")
    func foreignWrite() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let card = try await vault.unlock().note("of another")
      let page = try await session.readInBackground { try $0.search("another", limit: 10, cursor: nil) }
      #expect(page.items.map(\.card.id) == [card.id])
    }

    @Test(
      "R12 a long search ends when the vault is locked or the search is cancelled", arguments: [false, true])
    func interrupted(byLocking locks: Bool) async throws {
      let vault = try TestVault(inMemory: true)
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      try await owner.addNotes(Self.texts)
      let search = Task { try await owner.searchForever(Self.query) }
      try await waitForWork(of: owner)
      if locks { await owner.lock() } else { search.cancel() }
      if locks {
        await #expect(throws: VaultError.locked) { try await search.value }
      } else {
        await #expect(throws: CancellationError.self) { try await search.value }
      }
      #expect(await owner.isLocked == locks)
      await owner.lock()
      #expect(try await vault.unlock().summary().isIntact)
    }

    @Test("R12 R15 reading many tags can be interrupted at each step, and is not begun at once")
    func manyTags() async throws {
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      let count = 300
      for number in 0..<count {
        try session.note("card", tags: (0..<Limits.tags).map { "tag \(number) \($0)" })
      }
      #expect(try session.readAtOnce { try $0.tags() } == nil)
      let opened = try session.unlocked()
      let lists = CardLists(opened)
      for read in [{ _ = try lists.tags() }, { _ = try lists.spelled(["new"]) }] as [() throws -> Void] {
        let checks = Mutex(0)
        try opened.reader.checking(CancellationPoint { _ in checks.withLock { $0 += 1 } }, read)
        let all = checks.withLock(\.self)
        // At least once for as many tags as take about a millisecond.
        #expect(all > count * Limits.tags / 500, "\(all)")
        // How many there are differs a little: the steps of sorting depend on the order of a set.
        for limit in [1, all / 3, all / 2, all * 2 / 3, all * 9 / 10] {
          let checks = Mutex(0)
          let point = CancellationPoint { _ in
            try checks.withLock { count in
              count += 1
              if count > limit { throw CancellationError() }
            }
          }
          #expect(throws: CancellationError.self) { try opened.reader.checking(point, read) }
          #expect(checks.withLock(\.self) == limit + 1)
        }
      }
      // Once the tags are known, no card is opened for a new one.
      _ = try await session.spelled(["new"])
      #expect(try opened.spelledAsKnown(["another", "TAG 7 7"]) == ["another", "tag 7 7"])
    }

    private func waitForWork(of owner: SessionOwner) async throws {
      while await !owner.isReadingInBackground { await Task.yield() }
    }

    @Test("R15 a page ends where its texts are long, and the next one continues")
    func longPages() async throws {
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      let tags = (0..<Limits.tags).map { "\($0)" + String(repeating: "😀", count: Limits.tag - 2) }
      for number in 0..<400 { try session.note("note \(number)", tags: tags) }
      var titles: [String] = []
      var (cursor, pages): (String?, Int) = (nil, 0)
      repeat {
        let page = try session.cards(CardFilter(), limit: 1_000, cursor: cursor)
        #expect(page.total == 400)
        titles += page.items.map(\.title)
        (cursor, pages) = (page.nextCursor, pages + 1)
      } while cursor != nil
      #expect(titles == (0..<400).reversed().map { "note \($0)" })
      #expect(pages == 2)
    }
  }
}

extension SessionOwner {
  fileprivate var isReadingInBackground: Bool { !session.backgroundTasks.isEmpty }

  /// Searches again and again, until a search is interrupted.
  fileprivate func searchForever(_ query: String) async throws {
    _ = try await session.readInBackground { (lists) throws -> Int in
      while true { _ = try lists.search(query, limit: 10, cursor: nil) }
    }
  }
}
