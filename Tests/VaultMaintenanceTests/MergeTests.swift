import Foundation
import Glibc
import SessionSupport
import TestSamples
import TestSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Merge")
  struct MergeTests {
    private let mine: Replica
    private let cards: [Card]

    init() async throws {
      mine = try Replica()
      let session = try await mine.vault.create()
      cards = try ["one", "two", "three", "four"].map { try session.note($0) }
      session.lock(.request)
    }

    @Test("R14 the changes, additions and deletions of one side are adopted, and nothing else changes")
    func oneSide() async throws {
      let other = try mine.forked()
      try await other.edit { session in
        _ = try session.updateCard(cards[0].id, revision: nil, CardChange(title: "ONE"))
        try session.deleteCard(cards[1].id, revision: nil)
        try session.note("five")
        _ = try session.updateSettings([.autoLockSeconds: .seconds(99)])
      }
      try await mine.edit { _ = try $0.updateCard(cards[2].id, revision: nil, CardChange(pinned: true)) }
      let bytes = try Data(contentsOf: URL(filePath: other.vault.path))
      let trial = try await mine.merge(other, isDryRun: true)
      #expect(try await mine.titles() == ["four", "one", "three", "two"])
      let merge = try await mine.merge(other)
      #expect(merge == trial)
      #expect(
        merge
          == Merge(added: 1, updated: 1, deleted: 1, unchanged: 2, takesSettings: true, conflicts: []))
      #expect(try await mine.titles() == ["ONE", "five", "four", "three"])
      #expect(try Data(contentsOf: URL(filePath: other.vault.path)) == bytes)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: mine.vault.directory) == ["vault.quickvault"])

      let generation = try await mine.edit { try $0.unlocked().generation }
      #expect(try await mine.merge(other) == Merge(unchanged: 4))
      #expect(try await mine.edit { try $0.unlocked().generation } == generation, "there was nothing new")
      #expect(try await other.merge(mine).updated == 1)
      #expect(try await other.contents() == mine.contents())
      try await mine.edit { (session) throws in
        #expect(try session.settings().seconds(.autoLockSeconds) == 99)
        let stale = vaultError {
          _ = try session.updateCard(cards[0].id, revision: 1, CardChange(title: "x"))
        }
        guard case .conflict = stale else {
          Testing.Issue.record("an update of what was merged meanwhile is lost")
          return
        }
      }
    }

    @Test(
      "R14 a card that both sides changed keeps the newer content; a copy with a note in its title keeps the other"
    )
    func bothSides() async throws {
      let other = try mine.forked()
      try await mine.edit { _ = try $0.updateCard(cards[0].id, revision: nil, CardChange(title: "mine")) }
      other.vault.clock.advance(seconds: 60)
      try await other.edit { session in
        _ = try session.updateCard(cards[0].id, revision: nil, CardChange(title: "theirs"))
        _ = try session.updateCard(cards[1].id, revision: nil, CardChange(title: "他们的"))
      }
      try await mine.edit { _ = try $0.updateCard(cards[1].id, revision: nil, CardChange(title: "我的")) }
      let merge = try await mine.merge(other)
      #expect(merge.conflicts.count == 2 && merge.updated == 2 && merge.added == 0 && merge.unchanged == 2)
      #expect(
        try await mine.titles()
          == ["four", "mine (conflict copy)", "theirs", "three", "他们的", "我的（冲突副本）"].sorted())
      let conflict = try #require(merge.conflicts.first { $0.title == "mine" })
      #expect(conflict.card == cards[0].id)
      try await mine.edit { (session) throws in
        #expect(try session.card(cards[0].id).title == "theirs")
        #expect(try session.card(conflict.copy).title == "mine (conflict copy)")
      }
      // The other side comes to the same copies, under the same ids.
      #expect(try await Set(other.merge(mine).conflicts.map(\.copy)) == Set(merge.conflicts.map(\.copy)))
      #expect(try await other.contents() == mine.contents())
      #expect(try await mine.merge(other) == Merge(unchanged: 6))

      // A person who tidies up on one side has tidied up on both.
      try await mine.edit { try $0.deleteCard(conflict.copy, revision: nil) }
      #expect(try await other.merge(mine) == Merge(deleted: 1, unchanged: 5))
      #expect(try await other.contents() == mine.contents())
    }

    @Test("R14 a deletion is respected, but not against a change that it has not seen")
    func deletions() async throws {
      let other = try mine.forked()
      try await mine.edit { session in
        for card in cards[..<3] { try session.deleteCard(card.id, revision: nil) }
      }
      try await other.edit { session in
        try session.deleteCard(cards[0].id, revision: nil)
        _ = try session.updateCard(cards[1].id, revision: nil, CardChange(title: "still wanted"))
      }
      let (a, b) = (try mine.forked(), try other.forked())
      try await a.merge(b)
      try await b.merge(a)
      #expect(try await a.titles() == ["four", "still wanted"])
      #expect(try await a.contents() == b.contents())
      // The copy from before all this has nothing new to say.
      let c = try mine.forked()
      try await c.merge(b)
      #expect(try await c.contents() == b.contents())
    }

    @Test("R17 another vault, the same file, another file, a damaged copy and a wrong password are refused")
    func refusals() async throws {
      let other = try mine.forked()
      let session = try await mine.vault.unlock()
      func refusal(_ path: String, _ password: String = TestVault.password) async -> VaultError? {
        await errorOf {
          _ = try await session.merge(UserPath(path), password: password, isDryRun: false) { _ in }
        }
      }
      #expect(await refusal(mine.vault.path) == .merge(.sameFile))
      #expect(await refusal("/nowhere/at/all") == .file(.notFound))
      #expect(await refusal(mine.vault.directory) == .file(.notRegular))
      let stranger = try TestVault()
      try await stranger.create().lock(.request)
      #expect(await refusal(stranger.path) == .merge(.anotherVault))
      try Data("no vault".utf8).write(to: URL(filePath: stranger.directory + "/text"))
      #expect(await refusal(stranger.directory + "/text") == .notAVault)
      #expect(
        await refusal(other.vault.path, "wrong password")
          == .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0))
      #expect(try session.status().failedAttempts == 1)
      #expect(await refusal(other.vault.path) == nil)
      #expect(try session.status().failedAttempts == 0)
      try RawFile(other.vault).run("UPDATE card SET sealed = zeroblob(99)")
      #expect(await refusal(other.vault.path) == .merge(.damagedCopy))
      session.lock(.request)
      #expect(await refusal(other.vault.path) == .locked)
    }

    @Test("R11 a copy with an older password is opened by that password; the slots stay unchanged")
    func otherPassword() async throws {
      let other = try mine.forked()
      let changed = mine.vault.session()
      try await changed.changePassword(
        from: TestVault.password, to: "a newer password", keyDerivation: nil, dropsDevices: false)
      try await other.edit { try $0.note("new") }
      let session = mine.vault.session()
      try await session.unlock(password: "a newer password")
      let merge = try await session.merge(
        UserPath(other.vault.path), password: TestVault.password, isDryRun: false
      ) { _ in }
      #expect(merge.added == 1)
      session.lock(.request)
      #expect(await mine.vault.session().errorOfUnlock("a newer password") == nil)
      #expect(await mine.vault.session().errorOfUnlock(TestVault.password) != nil)
    }

    @Test("R14 a copy whose last changes are in its log is merged with them")
    func log() async throws {
      let other = try mine.forked()
      let writer = try await other.vault.unlock()
      try writer.note("in the log")
      let copy = try Replica()
      for ending in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: other.vault.path + ending, toPath: copy.vault.path + ending)
      }
      #expect(try await mine.merge(copy).added == 1)
      #expect(try await mine.titles().contains("in the log"))
    }

    @Test("R14 another process is notified which cards a merge changed")
    func heard() async throws {
      let other = try mine.forked()
      try await other.edit { _ = try $0.updateCard(cards[0].id, revision: nil, CardChange(title: "ONE")) }
      let listener = try await mine.vault.unlock()
      try await mine.merge(other)
      #expect(try listener.refresh() == .cards(changed: [cards[0].id], deleted: []))
    }

    // MARK: Properties

    /// Three copies with histories of their own, forked from one another at random moments, some merged in between.
    private func copies(seed: UInt64) async throws -> [Replica] {
      var random = SeededGenerator(seed: seed)
      var all = [try mine.forked()]
      for round in 0..<6 {
        if all.count < 3, round >= 1 {
          all.append(try all[Int.random(in: 0..<all.count, using: &random)].forked())
        }
        for replica in all where Bool.random(using: &random) { try await change(replica, &random) }
        if round == 3, Int.random(in: 0..<3, using: &random) == 0 { try await all[0].merge(all[2]) }
      }
      return all
    }

    private func change(_ replica: Replica, _ random: inout SeededGenerator) async throws {
      replica.vault.clock.setWall(by: [0, 0, 1, 5_000, -7_000][Int.random(in: 0..<5, using: &random)])
      let session = try await replica.vault.unlock()
      defer { session.lock(.request) }
      let ids = try session.allCards(limit: 50).map(\.id).sorted()
      let card = ids.randomElement(using: &random)
      switch (Int.random(in: 0..<12, using: &random), card) {
      case (0, _), (_, nil): try session.note("new \(Int.random(in: 0..<1_000, using: &random))")
      case (1...4, let id?):
        let title = "title \(Int.random(in: 0..<4, using: &random))"
        _ = try session.updateCard(id, revision: nil, CardChange(title: title))
      case (5, let id?): try session.deleteCard(id, revision: nil)
      case (6, let id?):
        let pinned = try session.card(id).pinned
        _ = try session.updateCard(id, revision: nil, CardChange(pinned: !pinned))
      case (8...11, let id?): try Replica.changeAttachments(of: session.card(id), session, &random)
      default:
        let seconds = Int.random(in: 20..<90, using: &random)
        _ = try session.updateSettings([.autoLockSeconds: .seconds(seconds)])
      }
    }

    /// How many histories are tried.
    private static let histories = Replica.histories(usually: 4)

    @Test(
      "R14 merging three copies in any order gives the same result, and merging again changes nothing"
    )
    func everyOrder() async throws {
      for seed in 1...Self.histories {
        let all = try await copies(seed: seed)
        var results: [Replica] = []
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
          let result = try all[order[0]].forked()
          for index in order.dropFirst() { try await result.merge(all[index].forked()) }
          results.append(result)
        }
        let expected = try await results[0].contents()
        for (number, result) in results.enumerated() {
          let contents = try await result.contents()
          let differing = Set(contents).symmetricDifference(expected).sorted()
          #expect(contents == expected, "history \(seed), order \(number): \(differing)")
        }
        // Two that were merged first and then with a third: (0 and 1) and (2 and 1).
        let (left, right) = (try all[0].forked(), try all[2].forked())
        try await left.merge(all[1].forked())
        try await right.merge(all[1].forked())
        try await left.merge(right)
        #expect(try await left.contents() == expected, "history \(seed), pairs")
        for other in all + results.dropFirst() {
          let again = try await results[0].merge(other.forked())
          #expect(
            again.added + again.updated + again.deleted == 0 && again.conflicts.isEmpty
              && !again.takesSettings,
            "history \(seed): \(again)")
        }
        #expect(try await results[0].contents() == expected, "history \(seed), again")
      }
    }

    @Test("R14 after a kill at any moment of a merge, the vault is either unchanged or merged")
    func killed() async throws {
      let other = try mine.forked()
      try await other.edit { session in
        for number in 0..<200 {
          let card = try session.note("new \(number)")
          if number.isMultiple(of: 4) { try Replica.attach("\(number).png", to: card, session) }
        }
      }
      var outcomes: Set<Int> = []
      for round in 0..<12 {
        let target = try mine.forked()
        let program = try RunningProgram(Repository.program(), ["--vault", target.vault.path])
        try program.channel.send(
          #"{"jsonrpc":"2.0","id":1,"method":"session/unlock","params":{"password":"\#(TestVault.password)"}}"#
        )
        _ = try program.channel.message()
        try program.channel.send(
          """
          {"jsonrpc":"2.0","id":2,"method":"vault/merge",\
          "params":{"path":"\(other.vault.path)","password":"\(TestVault.password)"}}
          """)
        try killWhenLogGrew(program, target.vault.path + "-wal", times: round)
        let count = try await target.titles().count
        #expect(count == 4 || count == 204)
        outcomes.insert(count)
        #expect(try await target.contents().count == count + 1)
      }
      #expect(outcomes.contains(4))
    }

    private func killWhenLogGrew(_ program: RunningProgram, _ log: String, times: Int) throws {
      var (size, growths) = (0, 0)
      var status = stat()
      let deadline = ContinuousClock.now + .seconds(1)
      while growths < times, ContinuousClock.now < deadline {
        guard stat(log, &status) == 0, status.st_size != size else { continue }
        growths += 1
        size = Int(status.st_size)
      }
      program.send(signal: SIGKILL)
      _ = try program.exitStatus()
    }
  }
}
