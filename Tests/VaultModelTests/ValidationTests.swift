import Testing

@testable import VaultInterface

@Suite struct ValidationTests {
  private func issues(_ draft: CardDraft) -> [String] {
    draft.normalized().validate().errors.map { "\($0.field) \($0.code.rawValue)" }
  }

  @Test("R1 The samples are valid", arguments: [Samples.address, Samples.invoice, Samples.text])
  func valid(_ draft: CardDraft) throws {
    let checked = try draft.checked()
    #expect(checked.warnings.isEmpty && checked.draft == draft)
  }

  @Test("R21 The time for a tag does not grow with their number", .timeLimit(.minutes(15)))
  func countlessTags() {
    let draft = CardDraft(
      title: "a", group: .personal, type: .text, fields: ["text": "x"],
      tags: (0..<50_000).map { " tag \($0 % 40_000)" })
    #expect(draft.normalized().tags == (0..<40_000).map { "tag \($0)" })
    #expect(issues(draft) == ["tags tooMany"])
  }

  @Test("R21 Everything is reported at once, in both languages, without the value")
  func everything() throws {
    let draft = CardDraft(
      title: "\u{3000}", group: .personal, type: .address,
      fields: ["name": " ", "phone": "12345-SECRET", "city": "a\nb", "colour": "SECRET"],
      extraFields: [
        ExtraField(label: "", value: "SECRET\u{0}"), ExtraField(label: "PIN", value: ""),
        ExtraField(label: "PIN ", value: ""), ExtraField(label: "name", value: ""),
        ExtraField(label: "a\tb", value: "a\r\n\tb"), ExtraField(label: "c\nd", value: ""),
      ], tags: ["", "x\u{7}"])
    #expect(
      issues(draft) == [
        "title required", "tags required", "tags invalidCharacter", "name required", "phone phone",
        "province required", "city invalidCharacter", "district required", "address required",
        "colour unknownField", "extraFields[0].label emptyLabel", "extraFields[0].value invalidCharacter",
        "extraFields[2].label duplicateLabel", "extraFields[3].label duplicateLabel",
        "extraFields[5].label invalidCharacter",
      ])
    let error = #expect(throws: InvalidValues.self) { try draft.checked() }
    for issue in try #require(error).report.errors {
      #expect(!issue.message.english.contains("SECRET") && !issue.message.english.isEmpty)
      #expect(issue.message.simplifiedChinese.unicodeScalars.contains { $0.properties.isIdeographic })
    }
  }

  @Test("R21 A missing group is reported with everything else, after the title")
  func missingGroup() throws {
    let draft = CardDraft(title: "", group: .personal, type: .text)
    let error = #expect(throws: InvalidValues.self) { try draft.checked(lacksGroup: true) }
    let issues = try #require(error).report.errors.map { "\($0.field) \($0.code.rawValue)" }
    #expect(issues == ["title required", "group required", "text required"])
  }

  @Test("U The name of a program is one line of what is seen of it, and of limited length")
  func programName() {
    #expect("ed\u{1B}[2J\n\u{202E}it\u{2028}or\u{2029}".asProgramName == "ed[2Jitor")
    #expect(String(repeating: "名", count: 100).asProgramName.count == Limits.clientName)
  }

  @Test("R21 White space around title, tags and one-line values is trimmed; texts stay as typed")
  func trimmed() throws {
    var draft = Samples.address
    draft.title = "\u{3000}Home\t"
    draft.fields.merge(["name": " 王 芳\n", "address": " 88 Road\n", "notes": "\n- "]) { $1 }
    draft.tags = [" 快递\u{A0}"]
    draft.extraFields = [ExtraField(label: " Gate ", value: " 1984 ")]
    let stored = try draft.checked().draft
    #expect(stored.title == "Home" && stored.tags == ["快递"])
    #expect(stored.fields["name"] == "王 芳" && stored.fields["address"] == " 88 Road\n")
    #expect(stored.fields["notes"] == "\n- ")
    #expect(stored.extraFields == [ExtraField(label: "Gate", value: " 1984 ")])
    draft = Samples.invoice
    draft.fields["taxId"] = " 91350100m000100y43 "
    #expect(try draft.checked().draft.fields["taxId"] == "91350100M000100Y43")
  }

  @Test("R15 Tags of a card that differ only in case or width are one, as first written")
  func tagsOfOneCard() throws {
    var draft = Samples.text
    draft.tags = ["VIP", "税务", " vip", "ＶＩＰ", "Cafe\u{301}", "caf\u{e9}", "v ip"]
    #expect(try draft.checked().draft.tags == ["VIP", "税务", "Cafe\u{301}", "v ip"])
  }

  @Test("R1 Pinning and moving a card to the other group do not look at values stored under older rules")
  func oldValues() throws {
    var draft = Samples.invoice
    draft.fields["phone"] = "12345678"
    let card = Card(draft, id: .zero, at: Timestamp(milliseconds: 0))
    let change = CardChange(group: .personal, pinned: true)
    let changed = try change.applied(to: card, at: Timestamp(milliseconds: 1)).card
    #expect(changed.pinned && changed.fields == card.fields)
    #expect(throws: InvalidValues.self) {
      try CardChange(title: "x").applied(to: card, at: Timestamp(milliseconds: 1))
    }
  }

  @Test("R21 Limits count code points, and the limit itself is allowed")
  func limits() {
    var draft = Samples.text
    draft.title = String(repeating: "题", count: 1_000)
    draft.fields["text"] = String(repeating: "e\u{301}", count: 50_000)
    draft.tags = (0..<64).map { String(repeating: "t", count: 97) + String(100 + $0) }
    draft.extraFields = (0..<64).map { ExtraField(label: "\($0)", value: "") }
    draft.extraFields[0].label = String(repeating: "😀", count: 100)
    #expect(issues(draft).isEmpty)
    draft.title += "x"
    draft.fields["text"]? += "x"
    draft.tags[0] += "x"
    draft.tags.append("y")
    draft.extraFields[0].label += "x"
    draft.extraFields[1].value = String(repeating: "v", count: 100_001)
    draft.extraFields.append(ExtraField(label: "", value: ""))
    #expect(
      issues(draft) == [
        "title tooLong", "tags tooMany", "tags tooLong", "text tooLong", "extraFields tooMany",
        "extraFields[0].label tooLong", "extraFields[1].value tooLong",
      ])
  }

  @Test("R21 The texts of a card are limited together, in bytes")
  func size() {
    var draft = Samples.text
    (draft.title, draft.tags) = ("T", ["标"])
    draft.fields["text"] = String(repeating: "题", count: 100_000)
    draft.extraFields = (0..<2).map {
      ExtraField(label: "\($0)", value: String(repeating: "字", count: 100_000))
    }
    // 900,000 bytes in Chinese characters, 8 of the title, the tag and the labels.
    draft.extraFields += [
      ExtraField(label: "2", value: String(repeating: "x", count: 100_000)),
      ExtraField(label: "3", value: String(repeating: "x", count: 1_048_576 - 1_000_008)),
    ]
    #expect(issues(draft).isEmpty)
    draft.extraFields[3].value += "y"
    #expect(issues(draft) == ["text tooLong"])
  }

  @Test(
    "R1 Blank is empty for a required field",
    arguments: ["", " ", "\n\t", "\u{3000}", "\u{200B}", "\u{FEFF} \u{2060}"])
  func blank(_ text: String) {
    var draft = Samples.text
    draft.fields["text"] = text
    #expect(issues(draft) == ["text required"])
    draft.fields["text"] = nil
    draft.title = text
    #expect(issues(draft) == ["title required", "text required"])
  }

  @Test("R4 Line breaks of a text card survive exactly", arguments: ["a\nb", "a\r\nb", "\ra\r", "\n\na\n\n"])
  func lineBreaks(_ text: String) throws {
    var draft = Samples.text
    draft.fields["text"] = text
    let stored = try #require(try draft.checked().draft.fields["text"])
    #expect(Array(stored.utf8) == Array(text.utf8))
  }

  private static let phones = [
    "13812345678", "138 1234 5678", "138-1234-5678", "+8613812345678", "+86 138-1234-5678",
    "+86-138 1234 5678", "010-12345678", "021 1234567", "0571-87654321", "0755 8765 4321", "07551234567",
    "+86 10 8765 4321", "+86-0571-87654321", "+86 571 8765432", "138–1234–5678",
    "138\u{A0}1234\u{3000}5678",
    // Brackets around the area code.
    "(010)12345678", "(0571) 8765-4321", "（０１０）12345678", "+86 (10) 87654321", "(+86)13812345678",
    // An extension.
    "010-62345678-802", "0571-8765432-1", "010-62345678转802", "(010)62345678 转 802", "13812345678-1234",
    "+86 10 6234 5678转123456",
    // Full-width digits, and China's code without a plus sign.
    "１３８１２３４５６７８", "１３８12345678", "＋８６ 138 1234 5678", "０１０－６２３４５６７８", "8613812345678",
    "86 138 1234 5678", "008613812345678", "0086-10-62345678", "86 571 87654321",
    // Other countries' codes.
    "+44 20 7946 0958", "+44 (0)20 7946 0958", "+1-415-555-0100", "+852 2123 4567", "+2904000",
    "+123456789012345", "+1 415 555 0100转802", "+1 13812345678",
    // Marks of direction around a number, and an extension as in a telephone URI.
    "\u{202A}138 1234 5678\u{202C}", "\u{2068}010-12345678\u{2069}", "+86-10-62345678;ext=802",
    "010-62345678;ext=8",
  ]

  @Test("R2 Phones that are accepted are stored as typed", arguments: phones, [CardType.address, .invoice])
  func phone(_ text: String, _ type: CardType) throws {
    var draft = type == .address ? Samples.address : Samples.invoice
    draft.fields["phone"] = text
    let stored = try #require(try draft.checked().draft.fields["phone"])
    #expect(Array(stored.utf8) == Array(text.utf8))
  }

  private static let malformedPhones = [
    "1381234567", "138123456789", "23812345678", "86 13812345678x", "12345678", "010-123456",
    "010-123456789", "0571-876543210", "+86", "+86-", "-13812345678", "13812345678-", "++8613812345678",
    "138.1234.5678", "+86 138123456", "abc", "0010-12345678", "+86+8613812345678",
    "+86 1380013800", "(1380013)8000", "(010 12345678", "010)12345678", "(138)12345678", "((010))12345678",
    "()01012345678", "010(12345678)", "(01)012345678", "010-62345678-", "010-62345678转", "转802",
    "010-62345678-1234567", "010-62345678;ext=", "010-62345678-8-8", "0755-8888-88888", "8686 13812345678",
    "00008613812345678",
    "0044 20 7946 0958", "+012345678", "+44", "+123456", "+1234567890123456", "+44 20 7946 0958x",
  ]

  @Test("R2 R3 Phones that are refused", arguments: malformedPhones, [CardType.address, .invoice])
  func noPhone(_ text: String, _ type: CardType) {
    var draft = type == .address ? Samples.address : Samples.invoice
    draft.fields["phone"] = text
    #expect(issues(draft) == ["phone phone"])
  }

  @Test(
    "R3 Numbers without an area code are phones of a company, and of nobody else",
    arguments: [
      "400-123-4567", "4001234567", "４００ 123 4567", "800-810-8888", "95588", "9501234", "400-123-4567转8",
    ])
  func serviceNumber(_ text: String) {
    var draft = Samples.invoice
    draft.fields["phone"] = text
    #expect(issues(draft).isEmpty)
    draft = Samples.address
    draft.fields["phone"] = text
    #expect(issues(draft) == ["phone phone"])
  }

  @Test(
    "R3 Other short numbers are no phones",
    arguments: ["400-123-456", "401-123-4567", "9558", "955888888", "400"])
  func noServiceNumber(_ text: String) {
    var draft = Samples.invoice
    draft.fields["phone"] = text
    #expect(issues(draft) == ["phone phone"])
  }

  @Test(
    "R2 A district may be empty where there is none",
    arguments: [
      ("广东省", "东莞市"), ("广东", "中山"), ("海南省", "儋州市"), ("甘肃省", "嘉峪关市"), ("北京市", "北京市"), ("重庆", "重庆"),
      ("湖北省", "仙桃市"), ("新疆维吾尔自治区", "石河子市"), ("香港特别行政区", "香港特别行政区"), ("England", "London"),
    ])
  func noDistrict(_ province: String, _ city: String) {
    var draft = Samples.address
    (draft.fields["province"], draft.fields["city"], draft.fields["district"]) = (province, city, nil)
    #expect(issues(draft).isEmpty)
  }

  @Test("R2 A district is required elsewhere", arguments: [("广东省", "深圳市"), ("广东", "深圳"), ("江苏省", "不知市")])
  func district(_ province: String, _ city: String) {
    var draft = Samples.address
    (draft.fields["province"], draft.fields["city"], draft.fields["district"]) = (province, city, nil)
    #expect(issues(draft) == ["district required"])
  }

  @Test(
    "R3 A tax ID in groups or of full width is stored as typed, in capitals",
    arguments: [
      ("9135 0100 M000 100Y 43", "9135 0100 M000 100Y 43"), ("913501-00m000100y43", "913501-00M000100Y43"),
      ("９１３５０１００ｍ０００１００Ｙ４３", "９１３５０１００Ｍ０００１００Ｙ４３"),
    ])
  func groupedCode(_ code: String, _ stored: String) throws {
    var draft = Samples.invoice
    draft.fields["taxId"] = code
    let checked = try draft.checked()
    #expect(checked.draft.fields["taxId"] == stored && checked.warnings.isEmpty)
  }

  @Test(
    "R3 Known real codes have matching check characters",
    arguments: [
      "91350100M000100Y43", "91330100799655058B", "9144030071526726XG", "914403001922038216",
      "91110000802100433B",
    ])
  func realCode(_ code: String) throws {
    var draft = Samples.invoice
    draft.fields["taxId"] = code
    #expect(try draft.checked().warnings.isEmpty)
    // A slip in any one place makes the sum miss: every weight is invertible modulo 31.
    for place in code.indices {
      draft.fields["taxId"] = code.replacingCharacters(at: place, with: code[place] == "1" ? "2" : "1")
      let warnings = try draft.checked().warnings
      #expect(warnings.map(\.code) == [.checkCharacter] && warnings.map(\.field) == ["taxId"])
    }
  }

  @Test(
    "R3 A wrong shape is an error",
    arguments: [
      "91350100M000100Y4", "91350100M000100Y433", "91350100I000100Y43", "91350100O000100Y43",
      "91350100S000100Y43",
      "91350100V000100Y43", "91350100Z000100Y43", "91350100 000100Y43", "91350100.M000100Y43",
      "91350100ſ000100Y43", "AAAAAAAAAAAAAAAAAA", "91A50100M000100Y43", "9135010XM000100Y43",
      "YYYYYYYYYYYYYYYYYY",
    ])
  func shape(_ code: String) {
    var draft = Samples.invoice
    draft.fields["taxId"] = code
    let report = draft.normalized().validate()
    #expect(report.errors.map(\.code) == [.taxId] && report.warnings.isEmpty)
  }

  @Test(
    "R3 One character eighteen times is a warning, whether or not it is the matching check character",
    arguments: ["0", "1", "7", "9"])
  func repeated(_ character: String) throws {
    var draft = Samples.invoice
    draft.fields["taxId"] = String(repeating: character, count: 18)
    let warnings = try draft.checked().warnings
    #expect(warnings.map(\.code) == [.repeatedCharacter] && warnings.map(\.field) == ["taxId"])
  }
}

extension String {
  fileprivate func replacingCharacters(at place: Index, with character: Character) -> String {
    String(self[..<place]) + String(character) + String(self[index(after: place)...])
  }
}
