import Glibc
import SessionSupport
import TestSamples
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Importing") struct ImportingTests {
    private static func sample(_ number: Int) throws -> CardImport {
      let sample = SampleCard(number: number)
      let draft = CardDraft(
        title: sample.title + " \(number)", group: try #require(CardGroup(rawValue: sample.group)),
        type: try #require(CardType(rawValue: sample.type)),
        fields: Dictionary(sample.fields, uniquingKeysWith: { first, _ in first }), tags: sample.tags,
        pinned: sample.isPinned)
      return CardImport(try draft.checked().draft)
    }

    private static func text(_ title: String, _ text: String, label: String? = nil) throws -> CardImport {
      let extra = label.map { [ExtraField(label: $0, value: "v", concealed: true)] } ?? []
      let draft = CardDraft(
        title: title, group: .personal, type: .text, fields: ["text": text], extraFields: extra)
      return CardImport(try draft.checked().draft)
    }

    @Test(
      "R14 10,000 cards are stored in one transaction, in order and complete, and found again after a restart"
    )
    func manyCards() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let generation = try #require(session.opened).generation
      let cards = try (0..<10_000).map(Self.sample)
      let told = Box<[Int]>([])
      let outcomes = try await session.importCards(cards, keepsDuplicates: true, isDryRun: false) {
        told.value.append($0)
      }
      #expect(try #require(session.opened).generation == generation + 1)
      #expect(outcomes.count == 10_000)
      #expect(told.value == told.value.sorted() && told.value.last == 99)
      #expect(try session.refresh() == nil)
      let order = try session.allCards(limit: 1_000).map(\.id)
      session.lock(.request)
      let again = try await vault.unlock()
      #expect(try again.summary().cardCount == 10_000)
      #expect(try again.summary().isIntact)
      #expect(try again.allCards(limit: 1_000).map(\.id) == order)
      for index in stride(from: 0, to: cards.count, by: 997) {
        guard case .imported(let id) = outcomes[index] else { throw NeverHappened() }
        #expect(try again.card(id).draft == cards[index].draft)
      }
      #expect(try await again.verify { _ in }.integrity == .intact)
    }

    @Test("R15 imported tags are written as the vault, or an earlier card of the file, writes them")
    func spelledTags() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      try session.note("known", tags: ["VIP"])
      var cards = try [Self.text("one", "1"), Self.text("two", "2")]
      cards[0].draft.tags = ["vip", "Home"]
      cards[1].draft.tags = ["ＶＩＰ", "home"]
      _ = try await session.importCards(cards, keepsDuplicates: false, isDryRun: false) { _ in }
      #expect(try session.allCards().filter { $0.tags == ["VIP", "Home"] }.count == 2)
      let again = try await session.importCards(cards, keepsDuplicates: false, isDryRun: false) { _ in }
      #expect(again == [.duplicate, .duplicate])
    }

    @Test(
      "A card with the folded title and all else of a stored or earlier one is a duplicate"
    )
    func duplicates() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      try session.note("Door", text: "1984")
      let cards = [
        try Self.text(" ｄｏｏｒ ", "1984"), try Self.text("Door", "1985"), try Self.text("door", "1985"),
        try Self.text("Door", "1984", label: "PIN"), try Self.text("Door", "1984", label: "Code"),
        try Self.text("Gate", "1984"),
      ]
      let trial = try await session.importCards(cards, keepsDuplicates: false, isDryRun: true) { _ in }
      #expect(trial == [.duplicate, .ready, .duplicate, .ready, .ready, .ready])
      #expect(try session.summary().cardCount == 1)
      let outcomes = try await session.importCards(cards, keepsDuplicates: false, isDryRun: false) { _ in }
      #expect(outcomes.map { $0 == .duplicate } == trial.map { $0 == .duplicate })
      #expect(try session.summary().cardCount == 5)
      let again = try await session.importCards(cards, keepsDuplicates: false, isDryRun: false) { _ in }
      #expect(again.allSatisfy { $0 == .duplicate })
      let kept = try await session.importCards(cards, keepsDuplicates: true, isDryRun: false) { _ in }
      #expect(!kept.contains(.duplicate))
      #expect(try session.summary().cardCount == 11)
    }

    @Test("R14 cards of an export that differ in labels or tags only are all stored, and once")
    func distinctCards() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      var cards = [
        try Self.text("Door", "1984", label: "PIN"), try Self.text("Door", "1984", label: "PUK"),
        try Self.text("Pass", "x"), try Self.text("Pass", "x"),
      ]
      cards[3].draft.tags = ["back"]
      for outcome in [ImportOutcome.ready, .duplicate] {
        let trial = try await session.importCards(
          cards, keepsDuplicates: false, areDistinct: true, isDryRun: true
        ) { _ in }
        #expect(trial.allSatisfy { $0 == outcome })
        _ = try await session.importCards(cards, keepsDuplicates: false, areDistinct: true, isDryRun: false) {
          _ in
        }
        #expect(try session.summary().cardCount == 4)
      }
    }

    @Test("The file's times are kept, but stay in order and not in the future")
    func times() async throws {
      let vault = try TestVault()
      let session = try await vault.create()
      let now = Timestamp(milliseconds: vault.clock.wall)
      let (early, late) = (
        Timestamp(milliseconds: 1_000), Timestamp(milliseconds: now.milliseconds + 90_000_000)
      )
      var cards = try (0..<4).map { try Self.text("\($0)", "x") }
      (cards[0].createdAt, cards[0].modifiedAt) = (early, Timestamp(milliseconds: 5_000))
      (cards[1].createdAt, cards[1].modifiedAt) = (late, early)
      (cards[2].createdAt, cards[2].modifiedAt) = (nil, late)
      let outcomes = try await session.importCards(cards, keepsDuplicates: false, isDryRun: false) { _ in }
      let stored = try outcomes.map { outcome -> [Timestamp] in
        guard case .imported(let id) = outcome else { throw NeverHappened() }
        let card = try session.card(id)
        #expect(card.revision == 1)
        return [card.createdAt, card.modifiedAt]
      }
      #expect(
        stored == [[early, Timestamp(milliseconds: 5_000)], [early, early], [now, now], [now, now]])
    }

    @Test(
      "R12 An import that is cancelled or locked at a progress report stores everything and is answered, or nothing",
      arguments: [false, true])
    func stoppedAtReport(byLocking locks: Bool) async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let cards = try (0..<600).map(Self.sample)
      var expected = 0
      for number in 1...3 {
        let task = Task { try await owner.importCards(cards, stoppedAtReport: number, byLocking: locks) }
        do {
          try await task.value
          expected += cards.count
        } catch is CancellationError {
        } catch VaultError.locked where locks {
        }
        if await owner.isLocked {
          #expect(try vault.session().log(limit: 1).map(\.reason) == ["sleep"])
          try await owner.unlock(TestVault.password)
        }
        #expect(try await owner.cardCount() == expected)
      }
      let again = try await vault.unlock()
      #expect(try again.summary().isIntact && again.summary().cardCount == expected)
    }

    @Test(
      "R12 A lock or cancellation does not wait for the transaction of an import, which stores nothing then",
      arguments: [false, true])
    func stoppedInTransaction(byLocking locks: Bool) async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let (isInTransaction, isStopped) = (Box(false), Box(false))
      let attachment = AttachmentImport(
        name: "a.png", mediaType: .png, width: 1, height: 1, watermark: nil, addedAt: nil
      ) {
        isInTransaction.value = true
        while !isStopped.value { sched_yield() }
        return try #require(PrivateBytes(capacity: 1))
      }
      let cards = try (0..<300).map(Self.sample)
      let task = Task { try await owner.importCards(cards, attachments: [299: [attachment]]) }
      try await waitUntil { isInTransaction.value }
      if locks { await owner.lock() } else { task.cancel() }
      isStopped.value = true
      let error = await errorOf { try await task.value }
      #expect(error == (locks ? .locked : VaultError(CancellationError())))
      if locks {
        #expect(try vault.session().log(limit: 1).map(\.event) == ["locked"])
        try await owner.unlock(TestVault.password)
      }
      #expect(try await owner.cardCount() == 0)
    }

    @Test("If another process writes meanwhile, the import starts over and includes those changes")
    func another() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let clock = ActingClock(vault.clock)
      let session = VaultSession(path: vault.path, clock: clock, device: "another")
      try await session.unlock(password: TestVault.password)
      nonisolated(unsafe) let other = try await vault.unlock()
      let cards = try (0..<600).map { try Self.text("\($0)", "x") }
      // The time is read between the look for duplicates and the transaction.
      clock.actOnce { _ = try? other.note("5", text: "x") }
      let outcomes = try await session.importCards(cards, keepsDuplicates: false, isDryRun: false) { _ in }
      #expect(outcomes.filter { $0 == .duplicate }.count == 1 && outcomes[5] == .duplicate)
      #expect(try session.summary().cardCount == 600)
      #expect(try session.summary().isIntact)
      #expect(try other.refresh() != nil)
      #expect(try other.summary().cardCount == 600)
    }
  }
}
