import TestSamples
import Testing
import VaultInterface

@Suite struct CardTests {
  @Test("R1 A change keeps all other values, and sets revision and modification time")
  func change() throws {
    let card = try Samples.card(Samples.address)
    let later = Timestamp(milliseconds: card.modifiedAt.milliseconds + 5)
    let change = CardChange(title: "Office", fields: ["notes": "ring twice", "postalCode": nil])
    let (changed, warnings) = try change.applied(to: card, at: later)
    #expect(warnings.isEmpty)
    #expect(changed.title == "Office" && changed.tags == card.tags && changed.group == card.group)
    #expect(changed.fields["notes"] == "ring twice" && changed.fields["postalCode"] == nil)
    #expect(changed.fields["name"] == "张三")
    #expect(changed.revision == 2 && changed.modifiedAt == later && changed.createdAt == card.createdAt)
    let pinned = try CardChange(pinned: true).applied(to: card, at: later).card
    #expect(pinned.pinned && pinned.modifiedAt == later)
  }

  @Test("R1 R21 A change that empties a required field or names an unknown one is refused")
  func refusedChange() throws {
    let card = try Samples.card(Samples.address)
    let change = CardChange(title: " ", fields: ["name": nil, "nam": nil, "bankName": "x"])
    let error = #expect(throws: InvalidValues.self) { try change.applied(to: card, at: card.modifiedAt) }
    let issues = try #require(error).report.errors.map { "\($0.field) \($0.code.rawValue)" }
    #expect(issues == ["title required", "name required", "bankName unknownField", "nam unknownField"])
  }

  @Test("R3 R15 Normalisation: capitals in the tax number, tags trimmed and once, blank values absent")
  func normalisation() {
    var draft = Samples.invoice
    draft.fields["taxId"] = "91350100m000100y43"
    draft.fields["notes"] = " \n"
    draft.tags = [" 税务 ", "税务", "a b", "\u{3000}A"]
    draft.extraFields = [ExtraField(label: " PIN ", value: " 1 ")]
    let normal = draft.normalized()
    #expect(normal.fields["taxId"] == "91350100M000100Y43" && normal.fields["notes"] == nil)
    #expect(normal.tags == ["税务", "a b", "A"])
    #expect(normal.extraFields == [ExtraField(label: "PIN", value: " 1 ")])
    #expect(normal.fields["bankAccount"] == "6222 0000 1111")
    #expect(normal.normalized() == normal)
  }

  @Test("R18 One field is copied as its bare value, by key, title or label")
  func value() throws {
    var draft = Samples.address
    draft.extraFields = [ExtraField(label: "门禁", value: "1234", concealed: true)]
    let card = try Samples.card(draft)
    #expect(card.value(of: "title") == "Home 家" && card.value(of: "phone") == "138 1234-5678")
    #expect(card.value(of: "门禁") == "1234")
    #expect(card.value(of: " ＰＨＯＮＥ　") == "138 1234-5678" && card.value(of: "电话") == "138 1234-5678")
    #expect(card.value(of: "标题") == "Home 家")
    #expect(card.value(of: "notes") == nil && card.value(of: "taxId") == nil)
  }

  @Test("R16 Pinned first, then the most recently modified, then by identifier")
  func order() throws {
    let orders = try [(false, 5, 1), (true, 1, 2), (false, 9, 3), (true, 4, 4), (false, 9, 2)].map {
      CardOrder(pinned: $0.0, modifiedAt: Timestamp(milliseconds: $0.1), id: try Samples.identifier($0.2))
    }
    let sorted = orders.sorted()
    #expect(sorted == [orders[3], orders[1], orders[4], orders[2], orders[0]])
    #expect(!(orders[0] < orders[0]))
  }

  @Test("R15 Tags are listed by use, then by text")
  func tagCounts() {
    let counts = [TagCount(tag: "b", count: 1), TagCount(tag: "a", count: 1), TagCount(tag: "z", count: 3)]
    #expect(counts.sorted().map(\.tag) == ["z", "a", "b"])
  }

  @Test("R15 Filters combine, and agree on cards and on their records")
  func filter() throws {
    var generator = SeededGenerator(seed: 15)
    var buffer = SearchBuffer()
    for _ in 0..<300 {
      let card = try Samples.randomCard(&generator)
      let filter = CardFilter(
        group: [nil, .personal, .company].randomElement(using: &generator) ?? nil,
        tag: [nil, card.tags.first, card.tags.first?.uppercased(), "a"].randomElement(using: &generator)
          ?? nil,
        type: [nil, .text, card.type].randomElement(using: &generator) ?? nil,
        title: [nil, card.title, card.title.uppercased(), "a"].randomElement(using: &generator) ?? nil)
      let record = try CardRecord.encode(card)
      let matches = try filter.matches(record: record.span.bytes, using: &buffer)
      #expect(matches == filter.matches(card))
      let hash = try CardRecord.titleHash(of: record.span.bytes, using: &buffer)
      #expect(!matches || filter.titleHash == nil || filter.titleHash == hash)
    }
    let card = try Samples.card(Samples.invoice)
    #expect(CardFilter().matches(card) && CardFilter().isEmpty)
    #expect(CardFilter(group: .company, tag: "税务", type: .invoice).matches(card))
    #expect(!CardFilter(group: .company, tag: "税", type: .invoice).matches(card))
    #expect(!CardFilter(group: .personal, tag: "税务").matches(card))
    #expect(!CardFilter(type: .text).matches(card))
    let vip = try Samples.card(
      CardDraft(title: "T", group: .company, type: .text, fields: ["text": "x"], tags: ["ｖIP 客户"]))
    let record = try CardRecord.encode(vip)
    for tag in ["VIP 客户", "vip\u{3000}客户", " Vip 客户 "] {
      #expect(CardFilter(tag: tag).matches(vip))
      #expect(try CardFilter(tag: tag).matches(record: record.span.bytes, using: &buffer))
    }
    #expect(!CardFilter(tag: "vip客户").matches(vip) && !CardFilter(tag: "vip").matches(vip))
    for (title, isIts) in [("ｔ", true), (" T ", true), ("TT", false), ("", false)] {
      let filter = CardFilter(tag: "vip 客户", title: title)
      #expect(filter.matches(vip) == isIts)
      #expect(try filter.matches(record: record.span.bytes, using: &buffer) == isIts)
    }
  }
}
