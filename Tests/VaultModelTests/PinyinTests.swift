import TestSamples
import Testing
import VaultInterface

@Suite("Pinyin") struct PinyinTests {
  /// Whether a query finds a text, as the title of a card and in its record alike.
  private func finds(_ query: String, in title: String) throws -> Bool {
    let query = try SearchQuery(parsing: query)
    let card = try Samples.card(CardDraft(title: title, group: .company, type: .text, fields: ["text": "."]))
    let record = try CardRecord.encode(card)
    var buffer = SearchBuffer()
    let inPlace = try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer)
    #expect(inPlace == query.rank(card, hasAttachment: false))
    #expect(try (inPlace != nil) == !query.checkedHighlights(in: card).isEmpty)
    return inPlace != nil
  }

  @Test(
    "R7 A Chinese text is found by its pinyin, its initials and what is between",
    arguments: [
      (
        "公司发票",
        "gsfp gongsi gongsifapiao GongSi ＧＳＦＰ gongs gongsifap gsfapiao gongsfp gongsi发票 公司fp 公sifap sifa fp"
      ),
      ("重庆市", "chongqing zhongqing cqs zqs chqs zhqing chongqingsh"), ("招商银行", "zsyh yinhang yinxing zhsyh"),
      ("长乐路", "changle zhangle changyue zll cyl"), ("女儿", "nver nuer nve nüer ne nv"),
      ("吕氏绿", "lvshilv lushilu lsl"),
      ("虐", "nve nue"), ("西安", "xian xi'an xi’an xa xia x'a"),
      ("科技园A座12楼", "kjyaz yuana座 kejiyuanazuo12lou az az12l a座12lou"),
      ("QQ群聊", "qqql qqqun qunliao"), ("說這樂團", "shuozhe yuetuan"), ("二〇二六年", "erlingerliu elel"),
      ("姓䶮名", "yanming xym"),
      ("长长长长长长", "chchchchchch zhangchangzcchangzh"), ("（公司）", "gongsi"), ("é公é司", "gongé"),
    ])
  func found(_ title: String, _ queries: String) throws {
    for query in queries.split(separator: " ") { #expect(try finds(String(query), in: title), "\(query)") }
  }

  @Test(
    "R7 What is no pinyin of the text does not find it",
    arguments: [
      ("公司发票", "g gongsii gonsi gngsi sfg ongsi gsf票p fpa go'ngsi gōngsī gs'' \"gong si\""),
      ("先", "xi'an xa"), ("é公é司", "gongsi gs"), ("公 司", "gs gongsi"), ("西安", "x xn xi'a'n'"), ("嗯", "ng"),
      ("公司", "公gongsi gs公 " + "gongsi" + String(repeating: "g", count: 60)), ("，。", "dh jh"),
    ])
  func notFound(_ title: String, _ queries: String) throws {
    var parts = queries.split(separator: " ").map(String.init)
    if let phrase = queries.firstIndex(of: "\"") {
      parts = [String(queries[phrase...])] + parts.prefix { !$0.hasPrefix("\"") }
    }
    for query in parts { #expect(try !finds(query, in: title), "\(query)") }
  }

  @Test("R7 Pinyin works with qualifiers, quotes and several words, except in concealed values")
  func parts() throws {
    var draft = CardDraft(
      title: "Harbor 公司", group: .company, type: .invoice, fields: Samples.invoiceFields, tags: ["税务"])
    draft.extraFields = [
      ExtraField(label: "门禁", value: "密码锁", concealed: true), ExtraField(label: "备注", value: "前台"),
    ]
    let card = try Samples.card(draft)
    let record = try CardRecord.encode(card)
    var buffer = SearchBuffer()
    func finds(_ text: String) throws -> Bool {
      let query = try SearchQuery(parsing: text)
      let inPlace = try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer)
      #expect(inPlace == query.rank(card, hasAttachment: false), "\(text)")
      return inPlace != nil
    }
    for query in [
      "title:gs", "tag:sw", "tag:shuiwu", "bankname:zgyh", "gs sw qiantai", "harbor gs", "\"harbor gs\"",
      "type:invoice qt",
      "tag：ＳＷ gs 税务", "group:公司 title:gongs", "companyname:\"suiqu\"",
    ] { #expect(try finds(query), "\(query)") }
    for query in [
      "title:sw", "tag:gs", "mms", "mimasuo", "menjin", "bz", "gs sw mms", "name:gs", "\"gs harbor\"",
    ] {
      #expect(try !finds(query), "\(query)")
    }
  }

  @Test("R7 What was found by pinyin is marked on the characters")
  func highlights() throws {
    func marked(_ query: String, _ title: String) throws -> [String] {
      let card = try Samples.card(
        CardDraft(title: title, group: .company, type: .text, fields: ["text": "."]))
      return try SearchQuery(parsing: query).checkedHighlights(in: card).flatMap { match in
        let scalars = Array(match.snippet.unicodeScalars)
        return match.ranges.map {
          String(String.UnicodeScalarView(scalars[$0.start..<$0.start + $0.length]))
        }
      }
    }
    #expect(try marked("gsfp", "某公司发票抬头") == ["公司发票"])
    #expect(try marked("gongs", "公司、公事、工商") == ["公司", "公事", "工商"])
    #expect(try marked("cq", "重庆 CQ 重") == ["重庆", "CQ"])
    #expect(try marked("fp gs", "公司的发票") == ["公司", "发票"])
    #expect(try marked("xian", "西安先 xian") == ["西安先", "xian"])
    #expect(try marked("ａz", "A座") == ["A座"])
  }

  /// The characters of random texts, with their readings as a dictionary has them.
  private static let readings: [Unicode.Scalar: [String]] = [
    "公": ["gong"], "司": ["si"], "发": ["fa"], "票": ["piao"], "重": ["chong", "zhong"], "庆": ["qing"],
    "长": ["chang", "zhang"], "行": ["xing", "hang", "heng"], "乐": ["le", "yue"], "女": ["nv", "nu"],
    "西": ["xi"],
    "安": ["an"], "先": ["xian"], "儿": ["er"], "饿": ["e"], "欧": ["ou"], "〇": ["ling"], "𬭎": ["hong"],
  ]
  private static let others: [Unicode.Scalar] = ["a", "g", "x", "i", "n", "1", " ", "é", "，", "'", "E", "Ａ"]

  /// The rule, as plainly as it can be said: whether a folded text is met from its beginning on by all of a word.
  private static func meets(_ word: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let next = word.first else { return true }
    guard let character = text.first else { return false }
    let rest = text.dropFirst()
    if next == character, meets(word.dropFirst(), rest) { return true }
    for reading in readings[character] ?? [] {
      var beginnings = [reading, String(reading.prefix(1))]
      if ["zh", "ch", "sh"].contains(reading.prefix(2)) { beginnings.append(String(reading.prefix(2))) }
      for beginning in beginnings where word.starts(with: beginning.unicodeScalars) {
        let left = word.dropFirst(beginning.unicodeScalars.count)
        if meets(left, rest) || left.first == "'" && meets(left.dropFirst(), rest) { return true }
      }
      if reading.unicodeScalars.starts(with: word) { return true }
    }
    return false
  }

  @Test("R7 The fast search, the simple one and the definition agree on random texts and words")
  func agreement() throws {
    var generator = SeededGenerator(seed: 79)
    var buffer = SearchBuffer()
    let characters = Self.readings.keys.sorted() + Self.others
    var hits = 0
    for round in 0..<4_000 {
      let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        characters[Int.random(in: 0..<characters.count, using: &generator)]
      }
      let start = Int.random(in: 0..<text.count, using: &generator)
      var word: [Unicode.Scalar] = text[start...].prefix(Int.random(in: 1...5, using: &generator)).flatMap {
        character -> [Unicode.Scalar] in
        guard let reading = Self.readings[character]?.randomElement(using: &generator) else {
          return [character]
        }
        let lengths = [
          0, 1, 1, reading.count, reading.count, Int.random(in: 1...reading.count, using: &generator),
        ]
        let length = lengths[Int.random(in: 0..<lengths.count, using: &generator)]
        return length == 0 ? [character] : Array(reading.unicodeScalars.prefix(length))
      }
      if round % 4 == 0 { word.insert("'", at: Int.random(in: 0...word.count, using: &generator)) }
      if round % 5 == 0 { word[Int.random(in: 0..<word.count, using: &generator)] = "g" }
      word.removeAll { $0 == " " || $0 == "é" }
      guard word.count > 1 else { continue }
      var draft = CardDraft(title: "-", group: .personal, type: .text)
      draft.fields["text"] = String(String.UnicodeScalarView(text))
      let card = try Samples.card(draft)
      let query = try SearchQuery(parsing: "text:\"" + String(String.UnicodeScalarView(word)) + "\"")
      let folded = text.flatMap {
        $0 == "Ａ" ? ["a"] : $0 == "é" ? ["e", "\u{301}"] : $0 == "E" ? ["e"] : $0 == "，" ? [","] : [$0]
      }
      let foldedWord = word.map { $0 == "Ａ" ? "a" : $0 == "E" ? "e" : $0 == "，" ? "," : $0 }
      let expected = folded.indices.contains { Self.meets(foldedWord[...], folded[$0...]) }
      let record = try CardRecord.encode(card)
      let inPlace = try query.rank(record: record.span.bytes, hasAttachment: false, using: &buffer)
      #expect((inPlace != nil) == expected, "\(word) \(text)")
      #expect(query.rank(card, hasAttachment: false) == inPlace, "\(word) \(text)")
      #expect(try query.checkedHighlights(in: card).isEmpty == !expected)
      if expected { hits += 1 }
    }
    #expect(hits > 1_000 && hits < 3_600)
  }

  @Test("R7 Titles of every length are found by pinyin, whatever the bytes of their lengths look like")
  func lengths() throws {
    for count in 1...400 {
      let filler = String(repeating: "a", count: count)
      #expect(try finds("gongsi", in: "公司" + filler))
      #expect(try finds("afp", in: filler + "发票"))
      #expect(try !finds("gongsifap", in: filler + "公司" + filler))
    }
  }
}
