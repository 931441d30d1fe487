import TestSamples
import Testing

@testable import VaultInterface

extension SearchQuery {
  fileprivate var termCount: Int { terms.count }
}

@Suite struct SearchTests {
  private func matches(_ query: String, _ card: Card, attachment: Bool = false) throws -> Bool {
    let query = try SearchQuery(parsing: query)
    let record = try CardRecord.encode(card)
    var buffer = SearchBuffer()
    let inPlace = try query.rank(record: record.span.bytes, hasAttachment: attachment, using: &buffer)
    #expect(inPlace == query.rank(card, hasAttachment: attachment))
    return inPlace != nil
  }

  @Test(
    "R7 Words, phrases and qualifiers that match",
    arguments: [
      "", " \u{3000}", "home", "HOME 家", "张三", "三 深圳", "深圳\u{3000}ｈｏｍｅ", "1234-5678", "科技", "a座", "\"路1号 A\"",
      "“路1号 a”",
      "tag:快递", "TAG:FAM", "tag：快递", "title:家", "title:\"home 家\"", "group:personal", "group:个人",
      "type:address",
      "type：地址", "name:张", "NAME:张三", "phone:138", "postalcode:518", "postalCode:", "tag:", "city:深圳 快递",
      "is:pinned", "is:置顶", "http://x", "note:1", "group:PERSONAL type:ADDRESS tag:快 南山", "\"", "http://X 家",
      "“home 家", "ｔａｇ:快递",
    ])
  func matching(_ query: String) throws {
    var draft = Samples.address
    draft.pinned = true
    draft.extraFields = [ExtraField(label: "web", value: "see HTTP://X.example note:1 'quoted \"thing\"'")]
    #expect(try matches(query, Samples.card(draft)))
  }

  @Test(
    "R7 Words, phrases and qualifiers that do not match",
    arguments: [
      "homes", "home 上海", "\"home家\"", "tag:税务", "tag:home", "title:张三", "group:company", "type:invoice",
      "name:深圳",
      "taxid:9", "notes:", "is:pinned", "has:attachment", "secret", "门禁", "web", "group:个人 group:公司", "name",
      "postalCode",
      "http://home", "-home", "tag:\"快递 family\"",
    ])
  func notMatching(_ query: String) throws {
    var draft = Samples.address
    draft.extraFields = [
      ExtraField(label: "门禁", value: "Secret", concealed: true), ExtraField(label: "web", value: "x.example"),
    ]
    #expect(try !matches(query, Samples.card(draft)))
  }

  @Test(
    "R7 Whole titles, beginnings of titles, other titles, tags, values",
    arguments: [
      ("home 家", SearchRank.wholeTitle), ("ＨＯＭＥ 家", .wholeTitle), ("\"home 家\" type:address", .wholeTitle),
      ("home jia", .wholeTitle), ("ho", .beginningOfTitle),
      ("家 home", .title), ("家", .title), ("tag:快递", .title), ("group:personal", .title), ("", .title),
      ("name:张 home", .beginningOfTitle), ("home 快递", .tag), ("kd", .tag), ("张三", .value), ("快递 张三", .value),
      ("web:home", .value), ("title:home", .beginningOfTitle),
    ])
  func ranks(_ text: String, _ expected: SearchRank) throws {
    var draft = Samples.address
    draft.extraFields = [ExtraField(label: "web", value: "home page")]
    let card = try Samples.card(draft)
    let query = try SearchQuery(parsing: text)
    let record = try CardRecord.encode(card)
    var buffer = SearchBuffer()
    #expect(try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer) == expected)
    #expect(query.rank(card, hasAttachment: false) == expected)
  }

  @Test(
    "N R7 A qualifier is a key, a label in either language, or the label of an extra field",
    arguments: [
      ("税号:913", true), ("\"Tax ID\":913", true), ("“tax id”：913", true), ("TaxId:913", true),
      ("地址:913", false),
      ("\"Café door\":47", true), ("CAFE\u{301}:47", false), ("pin:913", false), ("标题:公司 标签:税", true),
      ("door:47", false), ("see:47", true), ("\"see\":47", true), (":47", true), ("\"\":913", false),
      ("开户行:", true),
    ])
  func qualifiers(_ text: String, _ isFound: Bool) throws {
    var draft = Samples.invoice
    (draft.title, draft.tags) = ("公司发票", ["税务"])
    draft.extraFields = [
      ExtraField(label: "Café door", value: "A-47"), ExtraField(label: "PIN", value: "913", concealed: true),
      ExtraField(label: "More", value: "see:47"),
    ]
    #expect(try matches(text, Samples.card(draft)) == isFound)
  }

  @Test("R7 The limit counts different words, not their repetitions")
  func manyTerms() throws {
    var draft = Samples.text
    let words = (0..<Limits.queryTerms).map { "a\($0)" }
    draft.fields["text"] = words.joined(separator: "-")
    let card = try Samples.card(draft)
    #expect(try matches(words.joined(separator: " "), card))
    #expect(try matches((words + words.map { $0.uppercased() }).joined(separator: " "), card))
    #expect(try matches(Array(repeating: "a1", count: 330).joined(separator: " "), card))
    #expect(try !matches(words.dropLast().joined(separator: " ") + " a64", card))
  }

  /// The work that a query is told to be on a text card.
  private func work(_ query: String, _ text: String) throws -> (match: Int, highlights: Int) {
    var draft = Samples.text
    draft.fields["text"] = text
    let query = try SearchQuery(parsing: query)
    let record = try CardRecord.encode(Samples.card(draft))
    var buffer = SearchBuffer()
    var (match, highlights) = (0, 0)
    _ = try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer) { match += $0 }
    _ = try query.highlights(in: record.span.bytes, using: &buffer) { highlights += $0 }
    return (match, highlights)
  }

  @Test(
    "R7 The work of a query grows with the text alone, whatever repeats in it",
    arguments: [
      (Array(repeating: "的", count: 330).joined(separator: " "), "的"),
      (String(repeating: "d", count: 59) + "x", "的"),
      (String(repeating: "de", count: 29) + "x", "的"), (String(repeating: "a", count: 998) + "b", "a"),
      (String(repeating: "ad", count: 29) + "x", "a的"), (String(repeating: "公d", count: 29) + "x", "公的"),
      ("\u{301}", "\u{301}"), (String(repeating: "\u{301}", count: 500) + "b", "\u{301}"),
      ((0..<64).map { "的\($0)" }.joined(separator: " "), "的"),
    ])
  func linearWork(_ query: String, _ unit: String) throws {
    let count = 30_000
    let work = try work(query, String(repeating: unit, count: count / unit.unicodeScalars.count))
    let terms = try SearchQuery(parsing: query).termCount
    #expect(work.match <= terms * count * 300 && work.highlights <= terms * count * 300)
  }

  @Test("R7 A search ends with the error that its progress callback throws")
  func interrupted() throws {
    struct Enough: Error {}
    var draft = Samples.text
    draft.fields["text"] = String(repeating: "的", count: 99_000)
    let record = try CardRecord.encode(Samples.card(draft))
    let query = try SearchQuery(parsing: (0..<40).map { "的\($0)" }.joined(separator: " ") + " 的")
    var buffer = SearchBuffer()
    #expect(throws: Enough.self) {
      try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer) { _ in throw Enough()
      }
    }
    #expect(throws: Enough.self) {
      try query.highlights(in: record.span.bytes, using: &buffer) { _ in throw Enough() }
    }
  }

  @Test("R7 has:attachment asks the caller")
  func attachment() throws {
    let card = try Samples.card(Samples.text)
    for text in ["has:attachment", "HAS：附件 note"] {
      #expect(try SearchQuery(parsing: text).asksForAttachment)
      #expect(try matches(text, card, attachment: true))
      #expect(try !matches(text, card, attachment: false))
    }
    #expect(try !SearchQuery(parsing: "note").asksForAttachment)
  }

  @Test(
    "R7 Conditions that name what does not exist are errors",
    arguments: [
      ("group:friends", .unknownGroup), ("group:", .unknownGroup), ("a type:card", .unknownType),
      ("has:money", .unknownContent), ("is:open", .unknownState),
      (String(repeating: "字", count: 1_001), .tooLong),
      ((0...Limits.queryTerms).map { "a\($0)" }.joined(separator: " "), .tooManyTerms),
    ] as [(String, QueryError)])
  func errors(_ text: String, _ expected: QueryError) throws {
    #expect(throws: expected) { try SearchQuery(parsing: text) }
    #expect(!expected.message.english.isEmpty && !expected.message.simplifiedChinese.isEmpty)
  }

  @Test(
    "R7 Groups and types are known in both languages",
    arguments: [
      "group:company", "group:公司", "type:invoice", "type:发票", "type:开票", "type:ＩＮＶＯＩＣＥ", "group:\"公司\" 税务",
    ])
  func names(_ query: String) throws {
    #expect(try matches(query, Samples.card(Samples.invoice)))
    #expect(try !matches(query, Samples.card(Samples.text)))
  }

  @Test("R7 Text cards by all their names", arguments: ["type:text", "type:文本", "type:笔记", "type:Text end"])
  func textNames(_ query: String) throws {
    #expect(try matches(query, Samples.card(Samples.text)))
    #expect(try !matches(query, Samples.card(Samples.invoice)))
  }

  @Test(
    "R7 A number is found however its digits are grouped",
    arguments: [
      ("13800138000", "138 0013 8000"), ("13800138000", "+86-138-0013-8000"),
      ("138-0013-8000", "13800138000"),
      ("\"138 0013 8000\"", "13800138000"), ("+86-138-0013-8000", "138 00138000"),
      ("008613800138000", "13800138000"),
      ("622202", "6222 0200 1234"), ("ma5fa6hq2f", "9144 0300 MA5F A6HQ 2F"),
      ("075588889999", "(0755) 8888–9999"),
      ("13800138000", "１３８－００１３－８０００"), ("1380", "座机转 138 001"), ("11112", "1 1 1 1 1 1 2"),
      ("phone:13800138000", "138 0013 8000"), ("2026", "20.26"),
    ])
  func grouped(_ query: String, _ phone: String) throws {
    var draft = Samples.address
    (draft.fields["phone"], draft.fields["notes"]) = (phone, "-")
    #expect(try matches(query, Samples.card(draft)))
  }

  @Test(
    "R7 A number is not found across other characters, with few digits, or as another number",
    arguments: [
      ("13800138000", "138 0013 800"), ("1380013", "138,0013"), ("1380013", "138    0013"), ("138", "1 38"),
      ("1380013", "138\n0013"), ("13800138000", "138 0013 8001"), ("8001", "80：01"), ("+1380", "138x0"),
    ])
  func notGrouped(_ query: String, _ notes: String) throws {
    var draft = Samples.address
    (draft.fields["phone"], draft.fields["notes"]) = ("x", notes)
    #expect(try !matches(query, Samples.card(draft)))
  }

  @Test("R7 The search in place and the plain one agree on random grouped numbers")
  func groupedAgreement() throws {
    var generator = SeededGenerator(seed: 5)
    var hits = 0
    for _ in 0..<4_000 {
      var draft = Samples.text
      draft.fields["text"] = Self.randomNumber(40, &generator)
      let query = Self.randomNumber(4, &generator)
      if try matches("\"\(query)\"", Samples.card(draft)) { hits += 1 }
    }
    #expect((50..<3_900).contains(hits))
  }

  private static func randomNumber(_ count: Int, _ generator: inout SeededGenerator) -> String {
    let alphabet = ["1", "1", "1", "2", "1", "2", "a", "A", " ", "-", "–", "\u{a0}", "１", "，", "章"]
    return (0..<count).compactMap { _ in alphabet.randomElement(using: &generator) }.joined()
  }

  @Test("R7 A number is marked with what groups its digits")
  func groupedHighlights() throws {
    var draft = Samples.text
    draft.fields["text"] = "call +86-138 0013-8000 now"
    let card = try Samples.card(draft)
    let query = try SearchQuery(parsing: "13800138000")
    let record = try CardRecord.encode(card)
    var buffer = SearchBuffer()
    let inPlace = try query.highlights(in: record.span.bytes, using: &buffer)
    #expect(inPlace == query.highlights(in: card))
    #expect(inPlace.map(\.ranges) == [[SnippetRange(start: 9, length: 13)]])
  }

  @Test("R7 The search in place and the plain one agree on random cards and queries")
  func agreement() throws {
    var generator = SeededGenerator(seed: 77)
    var buffer = SearchBuffer()
    var hits = 0
    let prefixes = [
      "", "", "", "title:", "tag:", "notes:", "text:", "地址:", "is:pinned ", "group:company ", "门禁:",
    ]
    for _ in 0..<6_000 {
      let card = try Samples.randomCard(&generator)
      let record = try CardRecord.encode(card)
      let words = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        (prefixes.randomElement(using: &generator) ?? "") + Samples.randomText(2, &generator)
      }
      let query = try SearchQuery(parsing: words.joined(separator: " "))
      let plain = query.rank(card, hasAttachment: false)
      let inPlace = try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer)
      #expect(plain == inPlace, "\(words) \(card)")
      if plain != nil { hits += 1 }
      if Int.random(in: 0..<50, using: &generator) == 0 { buffer.wipe() }
    }
    #expect(hits > 500 && hits < 5_500)
  }

  @Test(
    "R7 A word is found at every position in values of every length", arguments: ["needle", "针", "n", "針é"])
  func places(_ needle: String) throws {
    let query = try SearchQuery(parsing: needle)
    var buffer = SearchBuffer()
    for length in 0...70 {
      var draft = Samples.text
      for place in 0...length {
        let text =
          String(repeating: ".", count: place) + needle.uppercased()
          + String(repeating: "。", count: length - place)
        draft.fields["text"] = text
        let record = try CardRecord.encode(Samples.card(draft))
        #expect(try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer) != nil)
      }
      draft.fields["text"] = String(repeating: "x", count: length + 1)
      draft.title = "x"
      let record = try CardRecord.encode(Samples.card(draft))
      #expect(try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer) == nil)
    }
  }

  @Test("R7 Long values grow the buffer and are still found to their end")
  func long() throws {
    var draft = Samples.text
    draft.fields["text"] = String(repeating: "Ω", count: 99_990) + "税务end"
    let card = try Samples.card(draft)
    #expect(try matches("ωω税务END", card))
    #expect(try !matches("ω税务ends", card))
  }
}

@Suite struct HighlightTests {
  private func highlights(_ query: String, _ draft: CardDraft) throws -> [FieldMatch] {
    try SearchQuery(parsing: query).checkedHighlights(in: Samples.card(draft))
  }

  private func marked(_ match: FieldMatch) -> [String] {
    let scalars = Array(match.snippet.unicodeScalars)
    return match.ranges.map { range in
      String(String.UnicodeScalarView(scalars[range.start..<range.start + range.length]))
    }
  }

  @Test("R7 Title first, then fields in order, extra fields, tags; concealed values never")
  func order() throws {
    var draft = CardDraft(
      title: "ab", group: .personal, type: .address, fields: ["notes": "xＡＢ", "name": "Ab ab"],
      tags: ["b", "ab", "cab"])
    draft.extraFields = [
      ExtraField(label: "first", value: "ab"), ExtraField(label: "ab", value: "ab", concealed: true),
    ]
    let matches = try highlights("AB", draft)
    #expect(matches.map(\.field) == ["title", "name", "notes", "first", "tags", "tags"])
    #expect(matches.map(\.snippet) == ["ab", "Ab ab", "xＡＢ", "ab", "ab", "cab"])
    #expect(matches.flatMap(marked) == ["ab", "Ab", "ab", "ＡＢ", "ab", "ab", "ab"])
    #expect(matches[1].label == Localized("Name", "姓名") && matches[3].label == Localized(verbatim: "first"))
  }

  @Test("R7 Ranges that overlap or touch are one")
  func overlap() throws {
    let draft = CardDraft(title: "abcdef xyz", group: .personal, type: .text)
    let match = try #require(try highlights("abc cde f y", draft).first)
    #expect(match.ranges == [SnippetRange(start: 0, length: 6), SnippetRange(start: 8, length: 1)])
  }

  @Test("R7 Qualifiers highlight in their part alone, conditions nowhere")
  func qualifiers() throws {
    #expect(try highlights("tag:快", Samples.address).map(\.snippet) == ["快递"])
    #expect(try highlights("title:家 group:personal name:", Samples.address).map(\.field) == ["title"])
    #expect(try highlights("city:深圳", Samples.address).map(\.field) == ["city"])
    #expect(try highlights("is:pinned type:address", Samples.address).isEmpty)
    #expect(try highlights("", Samples.address).isEmpty)
  }

  @Test("R7 Long values are cut around the first match, line breaks shown as spaces")
  func snippet() throws {
    var draft = Samples.text
    let filler = String(repeating: "零", count: 99) + "\n"
    draft.fields["text"] = filler + "needle\nx" + filler + "needle"
    let match = try #require(try highlights("needle", draft).first)
    let scalars = Array(match.snippet.unicodeScalars)
    #expect(scalars.count == 82 && scalars.first == "…" && scalars.last == "…")
    #expect(marked(match) == ["needle"] && match.ranges == [SnippetRange(start: 25, length: 6)])
    #expect(!match.snippet.unicodeScalars.contains("\n"))
    draft.fields["text"] = String(repeating: "a", count: 80)
    #expect(try highlights("a", draft).last?.ranges == [SnippetRange(start: 0, length: 80)])
    draft.fields["text"] = String(repeating: "a", count: 100)
    let long = try #require(try highlights(String(repeating: "a", count: 100), draft).last)
    #expect(long.snippet == String(repeating: "a", count: 80) + "…" && long.ranges.map(\.length) == [80])
    draft.fields["text"] = String(repeating: "b", count: 100) + "z"
    let end = try #require(try highlights("z", draft).last)
    #expect(end.snippet == "…" + String(repeating: "b", count: 79) + "z" && marked(end) == ["z"])
  }

  @Test("R7 Random matches mark what the query asked for, within the snippet and in order")
  func random() throws {
    var generator = SeededGenerator(seed: 78)
    var found = 0
    for _ in 0..<1_500 {
      let card = try Samples.randomCard(&generator)
      let query = try SearchQuery(parsing: "\"" + Samples.randomText(2, &generator) + "\"")
      let matches = try query.checkedHighlights(in: card)
      #expect((query.rank(card, hasAttachment: false) != nil) == !matches.isEmpty || query.isEmpty)
      for match in matches {
        found += 1
        var end = -1
        for range in match.ranges {
          #expect(range.start > end && range.length > 0)
          end = range.start + range.length
        }
        #expect(end <= match.snippet.unicodeScalars.count && !match.ranges.isEmpty)
      }
    }
    #expect(found > 500)
  }
}

extension SearchQuery {
  /// What the query finds in a card, and in its record alike.
  func checkedHighlights(in card: Card) throws -> [FieldMatch] {
    let plain = highlights(in: card)
    var buffer = SearchBuffer()
    let record = try CardRecord.encode(card)
    #expect(try highlights(in: record.span.bytes, using: &buffer) == plain)
    return plain
  }
}
