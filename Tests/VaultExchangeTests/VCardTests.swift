import Testing
import VaultModel

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

  @Test(
    "Districts are taken out of streets and cities where they stand there, and estates are no districts",
    arguments: [
      ("深圳市", "南山区科技路88号", "深圳市", "南山区", "科技路88号"), ("深圳市南山区", "科技路88号", "深圳市", "南山区", "科技路88号"),
      ("杭州市", "桐庐县迎春南路1号", "杭州市", "桐庐县", "迎春南路1号"), ("深圳市", "阳光小区3栋", "深圳市", "", "阳光小区3栋"),
      ("深圳市", "科技路88号", "深圳市", "", "科技路88号"), ("London", "12 Long Lane", "London", "", "12 Long Lane"),
    ])
  func districts(_ city: String, _ street: String, _ newCity: String, _ district: String, _ newStreet: String)
  {
    let address = PostalAddress(street: street, city: city).divided
    #expect([address.city, address.district, address.street] == [newCity, district, newStreet])
  }

  @Test("A broken entry is reported, and the entries around it are read")
  func broken() throws {
    let file = try read(
      "BEGIN:VCARD\nVERSION:3.0\nFN:a\nEND:VCARD\nstray\nBEGIN:VCARD\nFN:b\nno colon\nEND:VCARD\nBEGIN:VCARD\nFN:c\n"
    )
    #expect(file.entries.map(\.line) == [1, 5, 6, 10])
    #expect(file.entries.map { $0.draft != nil } == [true, false, false, false])
    #expect(file.entries.map(\.title) == ["a", "", "b", "c"])
    #expect(file.entries.dropFirst().allSatisfy { $0.issues.map(\.code) == [.unreadable] })
  }

  @Test("A nested contact is skipped, and a contact without a name gets a title")
  func odd() throws {
    let file = try read(
      "BEGIN:VCARD\nVERSION:2.1\nN:Outer;\nAGENT:\nBEGIN:VCARD\nN:Inner\nEND:VCARD\nEND:VCARD\n"
        + "BEGIN:VCARD\nVERSION:3.0\nTEL:1\nEND:VCARD")
    #expect(file.entries.map(\.title) == ["Outer", "1"])
    #expect(file.entries[1].warnings.map(\.code) == [.titleGiven])
  }

  @Test("More than 1,000 properties are refused")
  func manyProperties() throws {
    let file = try read(
      "BEGIN:VCARD\nFN:a\n" + String(repeating: "X-A:b\n", count: 1_000) + "END:VCARD\n")
    #expect(file.entries.map(\.issues).map { $0.map(\.code) } == [[.unreadable]])
  }
}
