import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Spelling of tags")
  struct TagSpellingTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    /// Returns how the vault writes tags, and checks that it is known without reading every card.
    private func known(_ tags: [String], _ location: SourceLocation = #_sourceLocation) throws -> [String] {
      try #require(try session.unlocked().spelledAsKnown(tags), sourceLocation: location)
    }

    @Test("R15 a series of changes does not read every card for its tags")
    func series() async throws {
      let first = try session.note("first", tags: ["VIP", "Home"])
      #expect(try session.unlocked().spelledAsKnown(["vip"]) == nil)
      #expect(try await session.spelled(["vip"]) == ["VIP"])
      for number in 0..<5 {
        vault.clock.advance(seconds: 1)
        let tags = try known([" vip", "Tag \(number)", "TAG \(number)"])
        #expect(tags == ["VIP", "Tag \(number)", "Tag \(number)"])
        let card = try session.note("card \(number)", tags: tags)
        #expect(try known(["tag \(number)"]) == ["Tag \(number)"])
        _ = try session.updateCard(card.id, revision: nil, CardChange(tags: ["VIP", "Other"]))
        #expect(try known(["tag \(number)", "other"]) == ["tag \(number)", "Other"])
        _ = try session.updateCard(card.id, revision: nil, CardChange(pinned: true))
        _ = try session.updateSettings([.autoLockSeconds: .seconds(60 + number)])
        #expect(try known(["vip"]) == ["VIP"])
        if number.isMultiple(of: 2) { try session.deleteCard(card.id, revision: nil) }
      }
      #expect(try known(["vip", "home", "other", "tag 0"]) == ["VIP", "Home", "Other", "tag 0"])
      try session.deleteCard(first.id, revision: nil)
      #expect(try known(["home", "VIP"]) == ["home", "VIP"])
      // The card whose text would be read is gone.
      #expect(try session.unlocked().spelledAsKnown(["vip"]) == nil)
      #expect(try await session.spelled(["vip"]) == ["VIP"])
      #expect(try known(["vip"]) == ["VIP"])
    }

    @Test("R15 where cards write a tag in two ways, the oldest counts, also when it changes")
    func severalSpellings() async throws {
      let first = try session.note("first", tags: ["VIP"])
      vault.clock.advance(seconds: 1)
      let second = try session.note("second", tags: ["vip"])
      vault.clock.advance(seconds: 1)
      try session.note("third", tags: ["Vip"])
      #expect(try await session.spelled(["vip", "VIP"]) == ["VIP", "VIP"])
      #expect(try known(["vIp"]) == ["VIP"])
      try session.deleteCard(first.id, revision: nil)
      #expect(try await session.spelled(["VIP"]) == ["vip"])
      _ = try session.updateCard(second.id, revision: nil, CardChange(tags: []))
      #expect(try await session.spelled(["VIP"]) == ["Vip"])
      // A card of an earlier time, as with a clock that was set back.
      vault.clock.setWall(by: -1_000_000_000)
      try session.note("earlier", tags: ["viP"])
      #expect(try await session.spelled(["VIP"]) == ["viP"])
    }

    @Test("R15 spellings of which Unicode says that they are equal are still different texts")
    func equivalentSpellings() async throws {
      let card = try session.note("card", tags: ["caf\u{e9}"])
      func spelled(_ tag: String) async throws -> [UInt8] {
        Array(try #require(try await session.spelled([tag]).first).utf8)
      }
      #expect(try await spelled("cafe\u{301}") == Array("caf\u{e9}".utf8))
      _ = try session.updateCard(card.id, revision: nil, CardChange(tags: ["cafe\u{301}"]))
      #expect(try await spelled("caf\u{e9}") == Array("cafe\u{301}".utf8))
    }

    @Test("R14 R15 what another process writes, and what is imported, counts")
    func others() async throws {
      let other = try await vault.unlock()
      _ = try await session.spelled(["any"])
      try other.note("theirs", tags: ["VIP"])
      #expect(try await session.spelled(["vip"]) == ["VIP"])
      #expect(try await other.spelled(["vip"]) == ["VIP"])
      try session.note("ours", tags: ["Home"])
      #expect(try await other.spelled(["home", "vip"]) == ["Home", "VIP"])

      var draft = CardDraft(title: "a", group: .personal, type: .text, fields: ["text": "b"], tags: ["Work"])
      draft = try draft.checked().draft
      _ = try await session.importCards([CardImport(draft)], keepsDuplicates: true, isDryRun: false) { _ in }
      #expect(try await session.spelled(["work", "home"]) == ["Work", "Home"])
      #expect(try await other.spelled(["work"]) == ["Work"])
    }

    @Test("R15 tags are written as reading every card says, after any operations", arguments: 1...4)
    func anyOperations(seed: UInt64) async throws {
      var random = SeededGenerator(seed: seed)
      let other = try await vault.unlock()
      let spellings = ["VIP", "vip", "ｖｉｐ", "Home", "home", "caf\u{e9}", "cafe\u{301}", "CAFE\u{301}", "x"]
      var ids: [Identifier] = []
      for _ in 0..<150 {
        vault.clock.setWall(by: Int64.random(in: -4...4, using: &random))
        let one = Int.random(in: 0..<8, using: &random) == 0 ? other : session
        let count = Int.random(in: 0...2, using: &random)
        var tags = (0..<count).compactMap { _ in spellings.randomElement(using: &random) }
        if Bool.random(using: &random) { tags = try await one.spelled(tags) }
        switch (Int.random(in: 0..<6, using: &random), ids.indices.randomElement(using: &random)) {
        case (0...2, _), (_, nil): ids.append(try one.note("card", tags: tags).id)
        case (3...4, let index?):
          _ = try one.updateCard(ids[index], revision: nil, CardChange(tags: tags))
        case (_, let index?): try one.deleteCard(ids.remove(at: index), revision: nil)
        }
        for session in [session, other] {
          let lists = try CardLists(session.unlocked())
          let bytes = { (texts: [String]) in texts.map { Array($0.utf8) } }
          for tag in spellings {
            let known = try session.unlocked().spelledAsKnown([tag])
            if let known { #expect(bytes(known) == bytes(try lists.spelled([tag]).tags)) }
          }
          let tag = spellings.randomElement(using: &random) ?? "x"
          #expect(bytes(try await session.spelled([tag])) == bytes(try lists.spelled([tag]).tags))
        }
      }
    }
  }
}
