import SessionSupport
import Testing
import Vault
import VaultInterface
import Wire

extension SessionTests {
  @Suite("Lists and searches")
  struct ListingTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    @Test("R15 group, tag and type filter alone and together")
    func filters() async throws {
      let address = try session.createCard(Samples.address).card
      let invoice = try session.createCard(Samples.invoice).card
      let note = try session.note("note", group: .company, tags: ["税务", "快递"])
      func ids(_ filter: CardFilter) async throws -> Set<Identifier> {
        Set(try session.allCards(filter, limit: 1).map(\.id))
      }
      #expect(try await ids(CardFilter()) == [address.id, invoice.id, note.id])
      #expect(try await ids(CardFilter(group: .company)) == [invoice.id, note.id])
      #expect(try await ids(CardFilter(tag: "快递")) == [address.id, note.id])
      #expect(try await ids(CardFilter(type: .invoice)) == [invoice.id])
      #expect(try await ids(CardFilter(group: .company, tag: "税务", type: .text)) == [note.id])
      #expect(try await ids(CardFilter(group: .personal, tag: "税务")) == [])
      #expect(try await ids(CardFilter(tag: "快")) == [])
      #expect(try session.cards(CardFilter(tag: "税务"), limit: 1, cursor: nil).total == 2)
    }

    @Test("R15 cards are found by their whole title, whatever has been changed, here and elsewhere")
    func titles() async throws {
      let first = try session.note("Meeting room", group: .personal, tags: ["a"])
      let second = try session.note("ＭＥＥＴＩＮＧ room", group: .company, tags: [])
      _ = try session.note("Meeting room 2", group: .company, tags: [])
      let other = try await vault.unlock()
      func ids(_ filter: CardFilter) throws -> [Set<Identifier>] {
        try [session, other].map { Set(try $0.allCards(filter, limit: 1).map(\.id)) }
      }
      let filter = CardFilter(title: " meeting ROOM")
      #expect(try ids(filter) == [[first.id, second.id], [first.id, second.id]])
      #expect(try ids(CardFilter(group: .company, title: "Meeting room")) == [[second.id], [second.id]])
      #expect(try ids(CardFilter(tag: "A", title: "Meeting room")) == [[first.id], [first.id]])
      #expect(try ids(CardFilter(title: "Meeting")) == [[], []])
      let third = try other.note("Room", group: .company, tags: [])
      _ = try session.updateCard(third.id, revision: 1, CardChange(title: "meeting room"))
      _ = try other.updateCard(first.id, revision: 1, CardChange(title: "Room"))
      try session.deleteCard(second.id, revision: 1)
      #expect(try ids(filter) == [[third.id], [third.id]])
      #expect(try ids(CardFilter(title: "room")) == [[first.id], [first.id]])
      #expect(
        try session.cards(filter, sort: CardSort(.title), limit: 1, cursor: nil).items.map(\.id) == [third.id]
      )
    }

    @Test("R15 a list shows no values, and a search shows its matches")
    func summaries() async throws {
      let card = try session.createCard(Samples.address).card
      let page = try session.cards(CardFilter(), limit: 10, cursor: nil)
      let summary = try #require(page.items.first)
      #expect(summary.fields.isEmpty && summary.extraFields.isEmpty)
      #expect(summary.title == card.title && summary.tags == card.tags && summary.order == card.order)
      #expect(page.total == 1 && page.nextCursor == nil)
      let hit = try #require(try session.search("深圳", limit: 10, cursor: nil).items.first)
      #expect(hit.card == summary)
      #expect(hit.matches.map(\.field) == ["city"])
      #expect(hit.matches.first?.ranges == [SnippetRange(start: 0, length: 2)])
    }

    @Test("R7 a search takes several words, full width and qualifiers, and never finds a concealed value")
    func search() async throws {
      let address = try session.createCard(Samples.address).card
      let invoice = try session.createCard(Samples.invoice).card
      func found(_ query: String) async throws -> [Identifier] {
        try session.search(query, limit: 10, cursor: nil).items.map(\.card.id)
      }
      #expect(try await found("home 张三") == [address.id])
      #expect(try await found("ＨＯＭＥ") == [address.id])
      #expect(try await found("home 中国银行") == [])
      #expect(try await found("tag:税务 group:company type:invoice") == [invoice.id])
      #expect(try await found("bankName:中国") == [invoice.id])
      #expect(try await found("has:attachment") == [])
      #expect(try await found("4711") == [])
      #expect(try await found("") == [invoice.id, address.id])
      guard case .queryInvalid = await errorOf({ _ = try await found("type:nothing") }) else {
        Testing.Issue.record("an unknown type is not refused")
        return
      }
    }

    @Test("R7 R16 the pages of a search are in list order, with the same total on each")
    func searchPages() async throws {
      for number in 0..<7 { try session.note("note \(number)", text: "found \(number)", pinned: number == 2) }
      try session.note("other")
      var hits: [SearchHit] = []
      var cursor: String?
      repeat {
        let page = try session.search("found", limit: 3, cursor: cursor)
        #expect(page.total == 7)
        hits += page.items
        cursor = page.nextCursor
      } while cursor != nil
      let expected = try session.allCards().filter { $0.title.hasPrefix("note") }
      #expect(hits.map(\.card.id) == expected.map(\.id))
      #expect(hits.allSatisfy { $0.matches.map(\.field) == ["text"] })
    }

    @Test("R7 what is typed is ranked before pins and times, on every page")
    func rankedPages() async throws {
      let expected = ["home", "HOME", "home 2", "Home office", "our home", "tagged", "text", "older text"]
      for title in expected.reversed() {
        try session.note(
          title, text: title.hasSuffix("text") ? "at home" : ".", tags: title == "tagged" ? ["home"] : [],
          pinned: ["text", "tagged", "home 2"].contains(title))
      }
      for limit in 1...9 {
        var (titles, cursor): ([String], String?) = ([], nil)
        repeat {
          let page = try session.search("home", limit: limit, cursor: cursor)
          #expect(page.total == expected.count)
          titles += page.items.map(\.card.title)
          cursor = page.nextCursor
        } while cursor != nil
        #expect(titles == expected)
      }
    }

    @Test("N a whole title names its card; of a name with several cards the first 20 are listed")
    func namedCards() async throws {
      let door = try session.note("Boiler door", text: "giraffe")
      for _ in 0..<21 { try session.note("router") }
      func named(_ name: String, guesses: Bool = false) -> Result<NamedCard, VaultError> {
        let read = { try session.readAtOnce { try $0.card(named: name, guesses: guesses) } }
        var found: NamedCard?
        if let error = vaultError({ found = try read() }) { return .failure(error) }
        return found.map { .success($0) } ?? .failure(.locked)
      }
      for name in ["boiler DOOR", door.id.description] {
        #expect(try named(name).get().card.id == door.id)
        #expect(try named(name).get().isExact)
      }
      let prefix = String(door.id.description.prefix(9))
      for name in ["Boiler", "giraffe", prefix] {
        #expect(throws: VaultError.cardNotFound(nil)) { try named(name).get() }
        #expect(try named(name, guesses: true).get().card.id == door.id)
        #expect(try !named(name, guesses: true).get().isExact)
      }
      guard case .failure(.cardAmbiguous(let cards, total: 21)) = named("ROUTER") else {
        Testing.Issue.record("the cards are not counted")
        return
      }
      #expect(cards.map(\.id) == Array(try session.allCards().map(\.id).prefix(20)))
    }

    @Test("R15 tags are counted, most used first, and distinguished as by the filter")
    func tags() async throws {
      try session.note("one", tags: ["b", "a"])
      try session.note("two", tags: ["b"])
      try session.note("three", tags: ["VIP"])
      try session.note("four", tags: ["vip"])
      try session.note("five", tags: ["ｖｉｐ", "cafe\u{301}"])
      vault.clock.advance(seconds: 1)
      try session.note("six", tags: ["CAF\u{c9}"])
      let tags = try session.tags()
      #expect(tags.map(\.count) == [3, 2, 2, 1])
      #expect(tags.map(\.tag) == ["VIP", "b", "cafe\u{301}", "a"])
      for tag in tags {
        for spelling in [tag.tag, tag.tag.uppercased(), " \(tag.tag.lowercased())"] {
          #expect(try session.cards(CardFilter(tag: spelling), limit: 10, cursor: nil).total == tag.count)
        }
      }
    }

    @Test("R15 a tag is written as the oldest card writes it, whatever case and width it is given in")
    func spelledTags() async throws {
      try session.note("old", tags: ["VIP", "税务 Tax"])
      vault.clock.advance(seconds: 1)
      try session.note("new", tags: ["vip"])
      let spelled = try await session.spelled([" ｖｉｐ", "税务\u{3000}tax", "New", "new"])
      #expect(spelled == ["VIP", "税务 Tax", "New", "New"])
    }

    @Test("R16 changes between two pages neither repeat nor hide an unchanged card")
    func changesBetweenPages() async throws {
      var ids: [Identifier] = []
      for number in 0..<9 { ids.insert(try session.note("note \(number)").id, at: 0) }
      let first = try session.cards(CardFilter(), limit: 3, cursor: nil)
      #expect(first.items.map(\.id) == Array(ids[0..<3]))
      try session.deleteCard(ids[2], revision: nil)
      try session.deleteCard(ids[3], revision: nil)
      _ = try session.updateCard(ids[0], revision: nil, CardChange(title: "up"))
      _ = try session.updateCard(ids[8], revision: nil, CardChange(pinned: true))
      try session.note("new")
      let second = try session.cards(CardFilter(), limit: 3, cursor: first.nextCursor)
      #expect(second.items.map(\.id) == Array(ids[4..<7]))
      #expect(second.total == 8)
      let third = try session.cards(CardFilter(), limit: 3, cursor: second.nextCursor)
      #expect(third.items.map(\.id) == [ids[7]])
      #expect(third.nextCursor == nil)
    }

    @Test("R16 a list is sorted by any column over all its pages, whatever is pinned")
    func sortedPages() async throws {
      for title in ["Beta", "安", "alpha", "Ｃｅｄａｒ", "北京"] {
        try session.note(title, tags: title == "alpha" ? ["z"] : title == "安" ? ["a"] : [])
        vault.clock.advance(seconds: 1)
      }
      _ = try session.updateCard(
        #require(try session.allCards().last).id, revision: nil, CardChange(pinned: true))
      func titles(_ sort: CardSort, _ filter: CardFilter = CardFilter()) throws -> [String] {
        var (titles, cursor): ([String], String?) = ([], nil)
        repeat {
          let page = try session.cards(filter, sort: sort, limit: 2, cursor: cursor)
          titles += page.items.map(\.title)
          cursor = page.nextCursor
        } while cursor != nil
        return titles
      }
      let sorted = ["alpha", "安", "北京", "Beta", "Ｃｅｄａｒ"]
      #expect(try titles(CardSort(.title)) == sorted)
      #expect(try titles(CardSort(.title, descending: true)) == sorted.reversed())
      #expect(try titles(CardSort(.tags)) == ["北京", "Beta", "Ｃｅｄａｒ", "安", "alpha"])
      #expect(try titles(CardSort(.createdAt)) == ["Beta", "安", "alpha", "Ｃｅｄａｒ", "北京"])
      #expect(try titles(CardSort(.group), CardFilter(tag: "z")) == ["alpha"])
      #expect(try titles(CardSort(.type)) == sorted)
    }

    @Test("R16 a sorted list begins anew if the card at a page's end was changed or deleted")
    func changedSortedPages() async throws {
      for title in ["a", "b", "c"] { try session.note(title) }
      func page(_ cursor: String?) throws -> Page<Card> {
        try session.cards(CardFilter(), sort: CardSort(.title), limit: 1, cursor: cursor)
      }
      let first = try page(nil)
      try session.note("aa")
      #expect(try page(first.nextCursor).items.map(\.title) == ["aa"])
      _ = try session.updateCard(first.items[0].id, revision: nil, CardChange(title: "z"))
      #expect(await errorOf { _ = try page(first.nextCursor) } == .invalidCursor)
      #expect(await errorOf { _ = try page("0.1.\(first.items[0].id)") } == .invalidCursor)
    }

    @Test(
      "R17 a cursor that no page returned is rejected",
      arguments: [
        "", "0", "0.1", "2.1.00000000-0000-4000-8000-000000000000",
        "0.x.00000000-0000-4000-8000-000000000000",
        "0.1.zzz", "0.99999999999999999999.00000000-0000-4000-8000-000000000000", "0.1.2.3",
      ])
    func invalidCursor(_ cursor: String) async throws {
      #expect(
        await errorOf { _ = try session.cards(CardFilter(), limit: 1, cursor: cursor) }
          == .invalidCursor)
      #expect(await errorOf { _ = try session.search("a", limit: 1, cursor: cursor) } == .invalidCursor)
    }

    @Test("R15 cursors with extreme times work like any other")
    func extremeCursors() async throws {
      let card = try session.note("note")
      for time in [Int64.min, Int64.max] {
        let cursor = "0.\(time).00000000-0000-4000-8000-000000000000"
        let items = try session.cards(CardFilter(), limit: 5, cursor: cursor).items.map(\.id)
        #expect(items == (time == .max ? [card.id] : []))
      }
    }
  }
}
