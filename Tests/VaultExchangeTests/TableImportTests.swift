import Testing
import VaultInterface

@testable import VaultExchange

@Suite("Custom tables") struct TableImportTests {
  @Test(
    "Encodings are told apart",
    arguments: [
      ("documented/wps-gb18030.csv", TextEncoding.gb18030), ("documented/excel-unicode.txt", .utf16),
    ])
  func encodings(_ name: String, _ encoding: TextEncoding) throws {
    let file = try Fixtures.read(name)
    #expect(file.encoding == encoding)
    #expect(
      file.mapping.map(\.target.description) == [
        "title", "group", "name", "phone", "province", "city", "district", "address", "postalCode", "notes",
        "tags",
      ])
    let home = try file.card("家")
    #expect(home.type == .address && home.group == .personal)
    #expect(home.fields["notes"] == "周末在家，\r\n请先打电话")
    #expect(home.tags == ["快递", "家"])
    let away = try file.card("外地")
    #expect(away.type == .address && away.fields["district"] == nil, "Beijing needs none")
    #expect(away.fields["notes"] == "缺区县" && away.fields["address"] == "成府路1号")
    #expect(file.account.lost == 0)
  }

  @Test("What an address card must have and a row has not makes it a text card with all that is there")
  func incomplete() throws {
    let file = try read("标题,姓名,手机,省份,城市,详细地址,备注\n外地,李雷,010-62781234,广东省,深圳市,成府路1号,缺区县\n")
    let away = try file.card("外地")
    #expect(away.type == .text)
    #expect(
      away.fields["text"] == "缺区县" && away.extra("详细地址") == "成府路1号" && away.extra("手机") == "010-62781234")
    #expect(file.entries[0].warnings.map(\.code) == [.keptAsText])
  }

  @Test("UTF-8 with a byte order mark and semicolons; an invoice by its columns, its company the title")
  func invoice() throws {
    let file = try Fixtures.read("documented/excel-semicolon.csv", ImportOptions(group: .company))
    #expect(file.encoding == .utf8)
    let card = try file.card("随取科技有限公司")
    #expect(card.type == .invoice && card.group == .company)
    #expect(card.fields["taxId"] == "91350100M000100Y43" && card.fields["bankAccount"] == "6222000011112222")
  }

  @Test("A requested type is not changed: a missing field is an issue")
  func strict() throws {
    let options = ImportOptions(type: .address)
    let file = try read("title,name,phone\na,王芳,12\n", options)
    #expect(file.entries[0].draft == nil)
    #expect(file.entries[0].issues.map(\.field) == ["phone", "province", "city", "district", "address"])
    #expect(file.entries[0].issues.map(\.code) == [.phone, .required, .required, .required, .required])
    let typed = try read("title,type,text\na,invoice,x\n")
    #expect(typed.entries[0].draft == nil)
  }

  @Test("A given mapping overrides the names")
  func mapping() throws {
    let options = ImportOptions(mapping: [
      "A": "title", "B": "concealed:Code", "title": "ignore", "C": "text",
    ])
    let file = try read("A,B,C,title,D\nx,secret,t,y,d\n", options)
    #expect(
      file.mapping.map(\.target.description) == ["title", "concealed:Code", "text", "ignore", "extra:D"])
    let card = try file.card("x")
    #expect(card.fields == ["text": "t"])
    #expect(
      card.extraFields == [
        ExtraField(label: "Code", value: "secret", concealed: true), ExtraField(label: "D", value: "d"),
      ])
  }

  @Test("A mapping that does not fit is refused")
  func wrongMapping() {
    #expect(importError("a,b\n", ImportOptions(mapping: ["c": "title"])) == .unknownColumn("c"))
    #expect(importError("a,b\n", ImportOptions(mapping: ["a": "nonsense"])) == .unknownTarget(column: "a"))
    #expect(importError("a,b\n", ImportOptions(mapping: ["a": "extra: "])) == .unknownTarget(column: "a"))
    let twice = ImportOptions(mapping: ["a": "title", "b": "title"])
    #expect(importError("a,b\n", twice) == .repeatedTarget(column: "b"))
    #expect(importError("[]", ImportOptions(mapping: ["a": "title"])) == .unknownColumn("a"))
  }

  @Test("Repeated and empty headers, rows that are longer or shorter than the first")
  func ragged() throws {
    let file = try read("title,Mail,Mail,,text\na,1,2,3,t,5,6\nb\n,,,,\n")
    #expect(
      file.mapping.map(\.column) == ["title", "Mail", "Mail 2", "Column 4", "text"])
    let card = try file.card("a")
    #expect(card.extraFields.map(\.label) == ["Mail", "Mail 2", "Column 4", "Column 6", "Column 7"])
    #expect(file.entries[0].warnings.map(\.code) == [.unreadable])
    #expect(try file.card("b").fields["text"] == "b")
    #expect(file.entries.count == 2)
  }

  @Test("A table without rows has no entries; a file without anything is refused")
  func empty() throws {
    #expect(try read("title,text\n").entries.isEmpty)
    #expect(importError("") == .unreadable(.empty, line: nil))
    #expect(importError(" \r\n\t\n") == .unreadable(.empty, line: nil))
    #expect(importError("\u{FEFF}") == .unreadable(.empty, line: nil))
  }

  @Test("A NUL, an open quotation mark and a value that is too long are issues of their rows")
  func badRows() throws {
    let long = String(repeating: "长", count: 100_001)
    let file = try read("title,text\na,x\u{0}y\nb,\(long)\nc,fine\nd,\"open\n")
    #expect(
      file.entries.map(\.issues).map { $0.map(\.code) } == [
        [.invalidCharacter], [.tooLong], [], [.unreadable],
      ])
    #expect(file.entries.map(\.line) == [2, 3, 4, 5])
  }

  @Test(
    "Texts of no known format are refused",
    arguments: [
      "just a text\n", "<a></a>", "{}", "{\"a\": 1}", "[1, 2]", "[{\"name\": \"a\"}]", "\u{0}\u{1}",
    ])
  func unknown(_ text: String) {
    #expect(importError(text) == .unknownFormat())
  }

  @Test("A KDBX database, archives and spreadsheets are told apart, and none is a text")
  func databases() {
    let start: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5, 0x01, 0x00, 0x04, 0x00, 0xFF, 0xFF]
    let archive = { (name: String) in Array("PK\u{3}\u{4}\0\0\(name)\0".utf8) + [0xFF] }
    for (bytes, file) in [
      (start, ForeignFile.keePassDatabase), (archive("export.data"), .onePUX),
      (archive("xl/workbook.xml"), .spreadsheet),
      (archive("Proton Pass/data.json"), .protonJSON), (archive("a.txt"), .archive),
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0x00, 0xFF], .spreadsheet),
    ] {
      #expect(throws: ImportError.unknownFormat(file)) { try ImportReader.read(bytes, ImportOptions()) }
    }
  }

  @Test(
    "Texts of other programs are told apart",
    arguments: [
      ("<pwlist><pwentry/></pwlist>", ForeignFile.keePass1XML),
      ("{\"version\": \"1\", \"vaults\": {}}", .protonJSON),
      ("{\"accounts\": []}", .onePUX), ("-----BEGIN PGP MESSAGE-----\n\nabc\n", .encrypted),
      ("{\"uuid\": \"1\"}\n***5642bee8-a5ff-11dc-8314-0800200c9a66***\n", .onePIF), ("<html></html>", .html),
    ])
  func foreign(_ text: String, _ file: ForeignFile) {
    #expect(importError(text) == .unknownFormat(file))
  }

  @Test("Bytes that are not text are refused")
  func noText() {
    #expect(throws: ImportError.unreadable(.encoding, line: nil)) {
      try ImportReader.read([0x61, 0xFF, 0xFF, 0x2C], ImportOptions())
    }
    #expect(throws: ImportError.unreadable(.encoding, line: nil)) {
      try ImportReader.read([0xFF, 0xFE, 0x00], ImportOptions())
    }
  }

  @Test("More than 100,000 entries are refused")
  func manyEntries() {
    let text = "[" + String(repeating: "0,", count: 100_000) + "0]"
    #expect(importError(text, ImportOptions(format: .json)) == .tooManyEntries(limit: 100_000))
  }

  @Test("QuickVault's own JSON: errors are named, and a newer version is refused")
  func ownJSON() throws {
    let file = try read(
      """
      {"quickvault": 1, "cards": [
        {"title": "a", "type": "text", "fields": {"text": "x"}, "unknown": [1]},
        {"title": "b", "type": "poem", "fields": {}},
        {"title": "c", "type": "text", "fields": {"text": 1}},
        {"title": "d", "type": "text", "fields": [{"key": "text", "label": "Text", "value": "y"}]},
        7, {"title": "e" "type"}
      ]}
      """)
    #expect(file.entries.map { $0.draft != nil } == [true, false, false, true, false, false])
    #expect(file.entries.map(\.line) == [2, 3, 4, 5, 6, 6])
    #expect(file.entries.map { $0.issues.first?.field } == [nil, "type", "fields", nil, "", ""])
    #expect(importError("{\"quickvault\": 2, \"cards\": []}") == .unreadable(.newerVersion, line: 1))
    #expect(importError("{\"quickvault\": 1, \"cards\": [}") == .unreadable(.malformed, line: 1))
    #expect(importError("[{\"title\": \"a\"") == .unreadable(.malformed, line: 1))
    #expect(try read("[]").entries.isEmpty)
  }
}
