import Testing
import VaultInterface

@testable import VaultExchange

/// What comes from password managers: everything is there, and what is secret is concealed.
@Suite("Logins") struct LoginImportTests {
  @Test("The table of KeePassXC")
  func keePassXCTable() throws {
    let file = try Fixtures.read("keepassxc/keepassxc-2.7.4.csv")
    #expect(file.source == "KeePassXC")
    #expect(
      file.mapping.map(\.target.description) == [
        "folder", "title", "username", "password", "website", "notes", "totp", "ignore", "modifiedAt",
        "createdAt",
      ])
    #expect(file.entries.map(\.line) == [2, 5, 6, 7])
    #expect(file.entries.map(\.title) == ["淘宝 \"Taobao\"", "root", "招商银行", "thrown away"])
    let taobao = try file.card("淘宝 \"Taobao\"")
    #expect(taobao.type == .text)
    #expect(taobao.fields["text"] == "first line\nsecond, with a comma\n\ttab 和 \"quotes\"")
    #expect(taobao.extra("User name") == "wangfang@example.com")
    #expect(taobao.extra("Password") == "p\"a,s;s 词<&>")
    #expect(taobao.extra("Website") == "https://www.taobao.com/?a=1&b=2")
    #expect(taobao.extra("One-time password")?.hasPrefix("otpauth://totp/") == true)
    #expect(taobao.concealedLabels == ["Password", "One-time password"])
    #expect(taobao.tags.isEmpty)
    #expect(file.entries[0].createdAt == Timestamp("2024-03-01T08:15:00Z"))
    let bank = try file.card("招商银行")
    #expect(bank.tags == ["Internet/Banking/银行"])
    #expect(bank.extra("Password") == "  spaces kept  ")
    #expect(bank.fields["text"] == "https://www.cmbchina.com")
    #expect(file.entries[1].warnings.map(\.code) == [.titleGiven])
  }

  @Test("The XML of KeePassXC: own fields, tags, protected values; no history, nothing from the recycle bin")
  func keePassXML() throws {
    let file = try Fixtures.read("keepassxc/keepassxc-2.7.4.xml")
    #expect(file.format == .keepassXML && file.source == "KeePass")
    #expect(file.entries.map(\.title) == ["淘宝 \"Taobao\"", "root", "招商银行", "thrown away"])
    #expect(file.entries.map(\.isSkipped) == [false, false, false, true])
    let taobao = try file.card("淘宝 \"Taobao\"")
    #expect(taobao.extra("Password") == "p\"a,s;s 词<&>")
    #expect(taobao.extra("PIN") == "4711")
    #expect(taobao.extra("Member number") == "88-1234")
    #expect(taobao.concealedLabels == ["Password", "One-time password", "PIN"])
    #expect(taobao.tags == ["shop", "网购"])
    #expect(file.entries[0].warnings.map(\.code) == [.leftOut])
    #expect(file.warnings.map(\.field) == ["History"])
    #expect(!file.entries.contains { $0.draft?.extra("Password") == "old-password" })
    #expect(try file.card("招商银行").tags == ["Internet/Banking/银行"])
    #expect(file.entries[2].modifiedAt == Timestamp("2024-05-06T06:06:06Z"))
  }

  @Test(
    "Times of KeePass in base64",
    arguments: [("WGrK3Q4AAAA=", "2024-05-06T06:06:16Z"), ("AAAAAAAAAAA=", nil), ("x", nil)])
  func keePassTimes(_ text: String, _ expected: String?) {
    // Eight little-endian bytes: the seconds since the year 1.
    #expect(KeePassEntry.time(text) == expected.flatMap { Timestamp($0) })
  }

  @Test("The JSON of Bitwarden: logins, notes, cards, identities; nothing that was deleted")
  func bitwardenJSON() throws {
    let file = try Fixtures.read("documented/bitwarden.json")
    #expect(file.format == .bitwardenJSON)
    #expect(file.entries.map(\.title) == ["京东", "Meeting room", "招商信用卡", "家", "London", "thrown away"])
    #expect(file.entries.map(\.isSkipped) == [false, false, false, false, false, true])
    let shop = try file.card("京东")
    #expect(shop.tags == ["网购"] && shop.pinned)
    #expect(shop.extra("Website") == "https://www.jd.com")
    #expect(shop.extra("Website 2") == "https://passport.jd.com/login?a=1,2")
    #expect(shop.extra("Newsletter") == "false")
    #expect(
      shop.concealedLabels == [
        "Password", "One-time password", "PIN", "Previous password (2024-04-25T20:20:36.000Z)",
      ])
    #expect(file.account.lost == 0)
    #expect(try file.card("Meeting room").fields["text"] == "Floor 12\nleft of the lift")
    let credit = try file.card("招商信用卡")
    #expect(credit.extra("number") == "4242424242424242" && credit.extra("exp month") == "4")
    #expect(credit.concealedLabels == ["number", "code"])
    let home = try file.card("家")
    #expect(home.type == .address)
    #expect(home.fields["name"] == "王芳" && home.fields["district"] == "南山区")
    #expect(home.fields["address"] == "科技路88号 3栋1202室")
    #expect(home.extra("Email") == "wangfang@example.com")
    #expect(home.concealedLabels == ["ssn", "passport number"])
    let london = try file.card("London")
    #expect(london.type == .text)
    #expect(london.extra("Name") == "Dr Zoë Müller" && london.extra("username") == "zoe")
    #expect(file.entries[4].warnings.map(\.code) == [.keptAsText])
    #expect(file.entries[0].line == 14)
  }

  @Test("An encrypted export of Bitwarden says that it is one")
  func encrypted() {
    #expect(
      importError("{\"encrypted\": true, \"passwordProtected\": true, \"data\": \"x\"}")
        == .unreadable(.encrypted, line: 1))
  }

  @Test("The table of Bitwarden")
  func bitwardenTable() throws {
    let file = try Fixtures.read("documented/bitwarden.csv")
    #expect(file.source == "Bitwarden")
    let shop = try file.card("京东")
    #expect(shop.type == .text && shop.pinned && shop.tags == ["网购"])
    #expect(shop.fields["text"] == "line one\nline two")
    #expect(shop.extra("Member number") == "88-1234" && shop.extra("PIN") == "4711\ngoes on")
    #expect(shop.extra("Website 2") == "https://passport.jd.com/login?a=1,2")
    #expect(try file.card("Meeting room").extraFields.isEmpty)
  }

  @Test("Notes and addresses that KeePass protects are concealed")
  func protectedParts() throws {
    let strings = [
      ("Title", "Bank"), ("UserName", "lin"), ("Notes", "PIN 4711"), ("URL", "https://a.example/?key=1"),
    ]
    let parts = strings.map { key, value in
      let attribute = ["Notes", "URL"].contains(key) ? #" ProtectInMemory="True""# : ""
      return "<String><Key>\(key)</Key><Value\(attribute)>\(value)</Value></String>"
    }
    let entry = "<Entry>\(parts.joined())</Entry>"
    let file = try read(
      #"<?xml version="1.0" encoding="utf-8"?>"#
        + "<KeePassFile><Root><Group><Name>Root</Name>\(entry)</Group></Root></KeePassFile>")
    let bank = try file.card("Bank")
    #expect(bank.fields["text"] == "lin")
    #expect(bank.extra("Notes") == "PIN 4711" && bank.extra("URL") == "https://a.example/?key=1")
    #expect(bank.concealedLabels == ["Notes", "URL"])
  }

  @Test("The table of KeePass 1, which escapes with a backslash")
  func keePassTable() throws {
    let file = try read(
      #"""
      "Account","Login Name","Password","Web Site","Comments"
      "Bank","lin","p\"w\\\",x\d\\","https://bank.example","one
      two"
      "Door","","","",""
      """#)
    #expect(file.source == "KeePass" && file.entries.count == 2)
    let bank = try file.card("Bank")
    #expect(bank.fields["text"] == "one\ntwo" && bank.extra("User name") == "lin")
    #expect(bank.extra("Password") == #"p"w\",x\d\"#)
    #expect(try file.card("Door").extraFields.isEmpty)
  }

  @Test("The table of 1Password")
  func onePassword() throws {
    let file = try Fixtures.read("documented/1password.csv")
    #expect(file.source == "1Password")
    let code = try file.card("GitHub")
    #expect(code.pinned && code.tags == ["work", "code"])
    #expect(code.extra("Password") == "s3cret,\"x\"")
    #expect(code.concealedLabels == ["Password", "One-time password"])
    #expect(try file.card("Old router").tags == ["Archived"])
  }

  @Test("The table of 1Password 7, whose columns have other names")
  func onePassword7() throws {
    let file = try read(
      "\"notesPlain\",\"password\",\"title\",\"type\",\"urls\",\"username\"\n\"kept\",\"s3cret\",\"GitHub\",\"Login\",\"https://github.com\",\"fang\"\n"
    )
    #expect(file.source == "1Password")
    let code = try file.card("GitHub")
    #expect(code.fields["text"] == "kept")
    #expect(code.extra("Website") == "https://github.com" && code.extra("User name") == "fang")
    #expect(code.concealedLabels == ["Password"])
  }

  @Test("A passkey of Bitwarden is left out, and the report says so")
  func passkey() throws {
    let file = try read(
      #"{"encrypted":false,"folders":[],"items":[{"type":1,"name":"a","login":{"username":"u","fido2Credentials":[{"keyValue":"k"}]}}]}"#
    )
    #expect(file.entries[0].warnings.map(\.code) == [.leftOut])
    #expect(file.entries[0].warnings[0].message.english.contains("passkey"))
    #expect(try file.card("a").extra("User name") == "u")
  }

  @Test("Fields with the same name are numbered, skipping numbers in use")
  func numbers() {
    var card = CardBuilder(.text, group: .personal, language: .english)
    for label in ["Code 3", "Code", " Code", "Code", "text", "Code", "Code 3"] { card.addExtra(label, "x") }
    #expect(
      card.draft.extraFields.map(\.label) == [
        "Code 3", "Code", "Code 2", "Code 4", "text 2", "Code 5", "Code 3 2",
      ])
  }

  @Test("The time for a field does not grow with the number of fields of one name", .timeLimit(.minutes(15)))
  func countlessFields() throws {
    let fields = [String](repeating: #"{"value":1}"#, count: 49_000).joined(separator: ",")
    let file = try read(
      #"{"encrypted":false,"items":[{"type":2,"name":"a","notes":"x","fields":[\#(fields)]}]}"#)
    #expect(file.entries[0].issues.map(\.code) == [.tooMany])
    var card = CardBuilder(.text, group: .personal, language: .english)
    for _ in 0..<40_000 { card.addExtra("", "x") }
    #expect(card.draft.extraFields.last?.label == "Field 40000")
  }

  @Test("A renamed KeePass group has its last name only", .timeLimit(.minutes(15)))
  func severalNames() throws {
    let names = String(repeating: "<Name>Some name</Name>", count: 50_000)
    let entry = "<Entry><String><Key>Title</Key><Value>a</Value></String></Entry>"
    let file = try read(
      "<KeePassFile><Root><Group><Name>Root</Name><Group>\(names)<Name>Bank</Name>\(entry)</Group></Group></Root></KeePassFile>"
    )
    #expect(try file.card("a").tags == ["Bank"])
  }

  @Test("Nothing secret is in a text, a title or a visible field")
  func secrets() throws {
    for name in [
      "keepassxc/keepassxc-2.7.4.csv", "keepassxc/keepassxc-2.7.4.xml", "documented/bitwarden.json",
      "documented/bitwarden.csv", "documented/1password.csv",
    ] {
      for draft in try Fixtures.read(name).entries.compactMap(\.draft) {
        guard let password = draft.extra("Password") else { continue }
        let visible =
          [draft.title] + draft.fields.values + draft.extraFields.filter { !$0.concealed }.map(\.value)
        #expect(!visible.contains(password), "\(name)")
      }
    }
  }
}
