import Testing
import VaultInterface

@testable import VaultExchange

@Suite("vCards") struct VCardTests {
  @Test("vCard 3 as vobject writes it: an address card, and a text card where the address is not Chinese")
  func vobject() throws {
    let file = try Fixtures.read("vobject/vobject-0.9.6.1.vcf")
    #expect(file.format == .vcard && file.encoding == .utf8)
    #expect(file.entries.map(\.line) == [1, 12])
    let home = try file.card("王芳")
    #expect(home.type == .address)
    #expect(
      home.fields == [
        "name": "王芳", "phone": "138 0013 8000", "province": "广东省", "city": "深圳市", "district": "南山区",
        "address": "科技路88号3栋1202室", "postalCode": "518000", "notes": "周末在家；请先打电话, thanks.\n第二行\\完",
      ])
    #expect(home.extra("Phone (home)") == "0755-26543210")
    #expect(home.extra("Email (home)") == "wangfang@example.com")
    #expect(home.tags == ["家人", "friends"])

    let abroad = try file.card("Zoë O’Brien-Müller")
    #expect(abroad.type == .text)
    #expect(abroad.fields["text"]?.hasPrefix("这是一段很长") == true)
    #expect(
      abroad.extra("Address (work)")
        == "PO Box 7\nFloor 3\n12 Long Lane\nRear building\nLondon, EC1A 9EJ\nUnited Kingdom")
    #expect(abroad.extra("Phone (work)") == "+44 20 7946 0958")
    #expect(abroad.extra("Organization") == "Harbor Information Ltd., R&D; Tools")
    #expect(abroad.extra("Job title") == "Engineer")
    #expect(abroad.extra("Birthday") == "1984-03-01")
    #expect(file.entries[1].warnings.map(\.code) == [.keptAsText])
  }

  @Test(
    "Contacts as khard and Evolution write them, in vCard 2.1, 3 and 4: the district is in the extended address",
    arguments: [
      "khard/khard-0.18.0-3.0.vcf", "khard/khard-0.18.0-4.0.vcf",
      "evolution-data-server/ebook-contacts-3.46.4-3.0.vcf",
      "evolution-data-server/ebook-contacts-3.46.4-2.1.vcf",
    ])
  func addressBooks(_ name: String) throws {
    let file = try Fixtures.read(name)
    #expect(file.entries.map(\.issues.count) == [0, 0])
    let home = try file.card("王芳")
    #expect(home.type == .address)
    #expect(
      home.fields == [
        "name": "王芳", "phone": "138 0013 8000", "province": "广东省", "city": "深圳市", "district": "南山区",
        "address": "科技路88号3栋1202室", "postalCode": "518000",
        "notes": "周末在家；请先打电话, thanks; 这是一段很长的备注，用来看程序怎样把一行折成几行，又怎样处理汉字之间的折行。\n第二行\\完",
      ])
    // In vCard 2.1 Evolution does not escape the semicolon, and so it separates.
    let isOld = name.hasSuffix("-2.1.vcf")
    let department = isOld ? "R&D,  Tools" : "R&D; Tools"
    #expect(home.extra("Organization") == "Harbor Information Ltd., \(department), 研发部")
    #expect(home.extra("Birthday")?.filter(\.isNumber) == "19840301")
    #expect(home.extra("Phone (home, fax)") ?? home.extra("Phone (fax, home)") == "0755-26543210")
    if !isOld { #expect(home.tags == ["家人", "friends, old"]) }
    let abroad = try file.card("Zoë O'Brien-Müller")
    #expect(abroad.type == .text)
    #expect(abroad.fields["text"]?.contains("12 Long Lane") == true)
  }

  @Test("Contacts as abook writes them: neither a version nor the names of parameters")
  func abook() throws {
    let file = try Fixtures.read("abook/abook-0.6.1.vcf")
    #expect(file.entries.map(\.title) == ["王芳", "Zoë O'Brien-Müller"])
    #expect(file.entries.map(\.issues.count) == [0, 0])
    let home = try file.card("王芳")
    #expect(home.type == .text, "there is no district in it")
    #expect(home.fields["text"] == "周末在家，请先打电话; thanks")
    #expect(home.extra("Address") == "广东省深圳市科技路88号3栋1202室\n中国 518000")
    #expect(home.extra("Phone (mobile)") == "138 0013 8000")
    #expect(home.extra("Email") == "wangfang@example.com")
    #expect(home.extra("Website") == "https://example.com/?a=1;b=2")
  }

  @Test("A blank after a soft line break is a fold if blanks are escaped, otherwise part of the text")
  func foldedQuotedPrintable() throws {
    let head = "BEGIN:VCARD\r\nVERSION:2.1\r\nFN:a\r\nNOTE;ENCODING=QUOTED-PRINTABLE:"
    let folded = try read(head + "=E5=91=\r\n =A8one=20=\r\n two\r\nEND:VCARD\r\n")
    #expect(try folded.card("a").fields["text"] == "周one two")
    let plain = try read(head + "one two=\r\n three\r\nEND:VCARD\r\n")
    #expect(try plain.card("a").fields["text"] == "one two three")
  }

  @Test("vCard 2.1 as Android writes it: quoted-printable broken inside characters, GB 2312, photos")
  func android() throws {
    let file = try Fixtures.read("documented/android-2.1.vcf")
    #expect(file.entries.map(\.issues.count) == [0, 0])
    let home = try file.card("王芳")
    #expect(home.type == .address)
    #expect(home.fields["notes"] == "这是一段很长的备注，折行落在字符中间。\n第二行")
    #expect(home.fields["phone"] == "138-0013-8000")
    #expect(file.entries[0].warnings.map(\.code) == [.leftOut])
    #expect(try file.card("李雷").extra("Phone (work)") == "010-62781234")
  }

  @Test("vCard 3 as Apple writes it: folds inside characters, grouped labels, a sublocality")
  func apple() throws {
    let bytes = try Fixtures.bytes("documented/apple-3.0.vcf")
    #expect(!TextEncoding.isUTF8(bytes), "a fold lies inside a character")
    let file = try ImportReader.read(bytes, ImportOptions(language: .simplifiedChinese))
    #expect(file.encoding == .utf8)
    let home = try file.card("王芳")
    #expect(home.type == .address)
    #expect(home.fields["district"] == "南山区")
    #expect(home.fields["address"] == "科技路88号3栋1202室")
    #expect(home.fields["phone"] == "+86 138 0013 8000")
    #expect(home.fields["notes"]?.hasSuffix("否则就是乱码。\n第二行, 带逗号; 分号 \\ 反斜杠") == true)
    #expect(home.extra("公司总机") == "400-800-1234")
    #expect(home.extra("网址（工作）") == "https://example.com")
    #expect(home.extra("生日") == "1990-03-07")
    #expect(home.extra("单位") == "随取科技有限公司, 研发部")
    #expect(file.entries[0].modifiedAt == Timestamp("2025-06-30T21:45:10Z"))
  }

  @Test("vCard 4: parameters with colons and semicolons, telephone URIs, the address parts of RFC 9554")
  func version4() throws {
    let file = try Fixtures.read("documented/rfc6350-4.0.vcf")
    let abroad = try file.card("Zoë \"Zo\" Müller")
    #expect(abroad.extra("Phone (mobile)") == "+44-7700-900123")
    #expect(abroad.fields["text"] == "semi; comma, line\nbreak")
    #expect(abroad.extra("X-CUSTOM") == "kept")
    #expect(file.entries[0].warnings.map(\.code) == [.leftOut, .keptAsText])
    #expect(file.entries[0].modifiedAt == Timestamp("2025-06-30T21:45:10Z"))
    let home = try file.card("张三")
    #expect(home.type == .address)
    #expect(home.fields["province"] == "北京市")
    #expect(home.fields["district"] == "海淀区")
    #expect(home.fields["address"] == "成府路1号")
  }

  @Test("A bad line is named and left out, and neither costs its contact nor the contacts around it")
  func broken() throws {
    let file = try read(
      "BEGIN:VCARD\nVERSION:3.0\nFN:a\nEND:VCARD\nstray\nBEGIN:VCARD\nFN:b\nno colon\nEND:VCARD\nBEGIN:VCARD\nFN:c\n"
        + "BEGIN:VCARD\nFN:d\nEND:VCARD\nBEGIN:VCARD\nFN:e\n"
    )
    #expect(file.entries.map(\.line) == [1, 6, 10, 12, 15])
    #expect(file.entries.map(\.title) == ["a", "b", "c", "d", "e"])
    #expect(file.entries.allSatisfy { $0.draft != nil })
    #expect(file.entries[1].warnings.map(\.code) == [.leftOut])
    #expect(file.entries[1].warnings[0].message.english.contains("Line 8"))
    #expect(
      file.entries[2].warnings.map(\.code) == [.unclear] && file.entries[4].warnings.map(\.code) == [.unclear]
    )
    #expect(file.warnings.map(\.message.english) == ["Line 5 cannot be read and was left out."])
    #expect(file.account.lost == 0 && file.account.named == 2)
  }

  @Test("A nested contact is skipped, and a contact without a name gets a title")
  func odd() throws {
    let file = try read(
      "BEGIN:VCARD\nVERSION:2.1\nN:Outer;\nAGENT:\nBEGIN:VCARD\nN:Inner\nEND:VCARD\nEND:VCARD\n"
        + "BEGIN:VCARD\nVERSION:3.0\nTEL:1\nEND:VCARD")
    #expect(file.entries.map(\.title) == ["Outer", "1"])
    #expect(file.entries.map { $0.warnings.map(\.code) } == [[.leftOut], [.titleGiven]])
  }

  @Test("A contact with more than 1,000 properties is named and left out")
  func manyProperties() throws {
    let file = try read(
      "BEGIN:VCARD\nFN:a\n" + String(repeating: "X-A:b\n", count: 1_000) + "END:VCARD\n")
    #expect(file.entries.map(\.isSkipped) == [true] && file.entries[0].warnings.map(\.code) == [.leftOut])
    #expect(file.account.values == 1_000 && file.account.lost == 0)
  }

  @Test("A contact that a card cannot hold is named and left out, and the others are imported")
  func tooLong() throws {
    let long = String(repeating: "长", count: 100_001)
    let file = try read(
      "BEGIN:VCARD\nFN:a\nNOTE:\(long)\nEND:VCARD\nBEGIN:VCARD\nFN:b\nEND:VCARD\n")
    #expect(file.entries.map(\.isSkipped) == [true, false])
    #expect(file.entries[0].warnings.map(\.code) == [.leftOut] && file.account.lost == 0)
  }

  @Test("Many parts are joined in one field where a card has no room for each")
  func manyParts() throws {
    let numbers = (1...100).map { "TEL:+4477009\(1000 + $0)\n" }.joined()
    let file = try read("BEGIN:VCARD\nFN:a\n\(numbers)END:VCARD\n")
    let card = try file.card("a")
    #expect(card.extraFields.count == 64)
    #expect(card.extra("More fields")?.contains("+44770091100") == true && file.account.lost == 0)
  }

  @Test("Line ends of any kind, form feeds, and a photo whose lines are not folded")
  func lineEnds() throws {
    let lines = [
      "BEGIN:VCARD", "VERSION:2.1", "FN:a", "PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ", "AAAA/+8=", "", "NOTE:one",
      " two",
      "\u{C}TEL:+4477009100\u{B}0", "END:VCARD", "",
    ]
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
      let file = try read(lines.joined(separator: end))
      let card = try file.card("a")
      #expect(
        card.fields["text"] == "onetwo" && card.extra("Phone") == "+44770091000", "\(end.debugDescription)")
      #expect(file.entries[0].warnings.map(\.code) == [.leftOut] && file.account.lost == 0)
    }
  }

  @Test(
    "Character sets by their names, and by what makes sense of the whole file",
    arguments: [
      ("GB2312", "CHARSET=X-GBK", "王芳"), ("GBK", "CHARSET=CP936", "王芳"),
      ("BIG5", "CHARSET=Big5-HKSCS", "臺北陳"),
      ("CP932", "CHARSET=Shift_JIS", "山田さくら"), ("EUC-JP", "CHARSET=EUC-JP", "山田さくら"),
      ("CP949", "CHARSET=ks_c_5601-1987", "김철수"),
      ("WINDOWS-1251", "CHARSET=windows-1251", "Иванов"), ("GBK", "", "王芳，科技路八十八号"),
      ("BIG5", "", "臺北市信義區陳先生的家"),
      ("CP932", "", "山田さくらのメモです"), ("EUC-JP", "", "山田さくらのメモです"), ("WINDOWS-1252", "", "Zoë Müller’s café"),
      ("WINDOWS-1251", "", "Иван Иванов"), ("WINDOWS-1250", "", "Łukasz Wiśniewski"),
      ("CP949", "", "서울특별시 강남구 김철수"),
    ])
  func charsets(_ charset: String, _ parameter: String, _ text: String) throws {
    var value: [UInt8] = []
    for scalar in text.unicodeScalars { value += try Charset.bytes(of: scalar, in: charset) }
    let head = parameter.isEmpty ? "FN:" : "FN;\(parameter):"
    let bytes = Array("BEGIN:VCARD\nVERSION:2.1\n\(head)".utf8) + value + Array("\nEND:VCARD\n".utf8)
    let file = try ImportReader.read(bytes, ImportOptions())
    #expect(file.entries.map(\.title) == [text])
  }

  @Test("Where two encodings make sense the report shows both readings, and a person chooses")
  func unclearEncoding() throws {
    let korean =
      Array("BEGIN:VCARD\nFN:".utf8) + [0xB1, 0xE8, 0xC3, 0xB6, 0xBC, 0xF6] + Array("\nEND:VCARD\n".utf8)
    let file = try ImportReader.read(korean, ImportOptions())
    #expect(file.warnings.map(\.field) == ["encoding"])
    #expect(file.warnings[0].message.english.contains("김철수"))
    let chosen = try ImportReader.read(korean, ImportOptions(encoding: .eucKR))
    #expect(chosen.entries.map(\.title) == ["김철수"] && chosen.warnings.isEmpty)
  }

  @Test("A line in another encoding inside UTF-8, and UTF-8 that is cut off, are repaired and named")
  func mixed() throws {
    let start = Array("BEGIN:VCARD\nFN:王芳\nTEL:13800138000\nNOTE:Reid".utf8)
    for (bytes, text) in [([0x92, 0x73], "Reid’s"), ([0xE7, 0x8E], "Reid\u{FFFD}")] as [([UInt8], String)] {
      let file = try ImportReader.read(start + bytes + Array("\nORG:王\nEND:VCARD\n".utf8), ImportOptions())
      #expect(try file.card("王芳").fields["text"] == text)
      #expect(file.entries[0].warnings.map(\.code) == [.unclear])
      #expect(file.entries[0].warnings[0].message.english.contains("Line 4"))
    }
  }

  @Test("The parts of RFC 9554, and those of an address beside its street")
  func addressParts() throws {
    let parts = ";;;深圳市;广东省;518000;中国;1202室;;12楼;88号;科技路;3栋;;粤海街道;南山区;地铁站旁;路北"
    let file = try read(
      "BEGIN:VCARD\nVERSION:4.0\nFN:a\nTEL:13800138000\nADR:\(parts)\nEND:VCARD\n"
        + "BEGIN:VCARD\nVERSION:4.0\nFN:b\nTEL:13800138000\n"
        + "ADR:;;科技路88号;深圳市;广东省;;;1202室;;12楼;;;;;;南山区;;\nEND:VCARD\n")
    let card = try file.card("a")
    #expect(card.fields["district"] == "南山区")
    #expect(card.fields["address"] == "粤海街道科技路88号3栋12楼1202室地铁站旁路北")
    #expect(try file.card("b").fields["address"] == "科技路88号 12楼 1202室")
    #expect(file.account.lost == 0)
  }

  @Test("An export keeps what its fields say, also where that is no official name")
  func ownExport() throws {
    let fields = [
      "name": "王芳", "phone": "13800138000", "province": "广东", "city": "深圳", "district": "南山",
      "address": "南山大道1号",
    ]
    let draft = CardDraft(title: "家", group: .personal, type: .address, fields: fields)
    let card = Card(draft, id: .zero, at: Timestamp(milliseconds: 0))
    let file = try ImportReader.read(try #require(VCardExport.bytes(of: card)), ImportOptions())
    #expect(try file.card("家").fields == fields)
  }
}
