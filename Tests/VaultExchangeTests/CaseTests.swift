import Testing
import VaultInterface

@testable import VaultExchange

/// Files that were read wrongly once, each with the right result; see files/ORIGIN.md.
@Suite("Files as programs write them") struct CaseTests {
  /// Every case adds up, and no case shows a secret.
  private static let cases: [(String, [String])] = [
    ("b7-new-types.json", ["622575", "9999", "D123", "E1234567"]), ("c1-google-new.csv", []),
    (
      "c10-protonpass.csv",
      ["pw1", "4111111111111111", "123", "9999", "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP"]
    ),
    ("c12-roboform.csv", ["pw1", "JBSWY3DPEHPK3PXP"]), ("c13-enpass.csv", ["fakepw1", "fakepw2"]),
    ("c4-outlook-zh-gbk.csv", []), ("c6-invoice-cn.csv", []),
    ("c8-lastpass-note.csv", ["4111111111111111", "123"]),
    ("c9-dashlane.csv", ["pw1", "JBSWY3DPEHPK3PXP"]), ("e1-enpass.json", ["s3cret"]),
    ("k1-ref.xml", ["s3cret"]),
    ("o1-1password-mac.csv", ["pw1", "p\"w2"]), ("v1-win-contacts-cp1252.vcf", []),
    ("v2-gbk-qp-nocharset.vcf", []),
    ("v5-photo-unfolded.vcf", []), ("v8-street-city.vcf", []), ("v9-street-false-district.vcf", []),
    ("w1-adr-label-only.vcf", []), ("x1-title-row.csv", []), ("x3-sci.csv", []),
  ]

  @Test(
    "What is secret is concealed, whoever wrote the file, and every value is kept or named", arguments: cases)
  func secrets(_ name: String, _ secrets: [String]) throws {
    let file = try Fixtures.read("cases/" + name)
    #expect(file.account.values > 0 && file.account.lost == 0)
    #expect(file.entries.allSatisfy { $0.draft != nil || $0.isSkipped })
    for draft in file.entries.compactMap(\.draft) {
      let shown =
        [draft.title] + draft.tags + draft.fields.values
        + draft.extraFields.flatMap { $0.concealed ? [$0.label] : [$0.label, $0.value] }
      for secret in secrets where shown.contains(where: { $0.contains(secret) }) {
        Testing.Issue.record("\(secret) of \(name) is shown")
      }
    }
  }

  @Test("Bitwarden's newer types are kept")
  func bitwarden() throws {
    let file = try Fixtures.read("cases/b7-new-types.json")
    #expect(try file.card("CMB account").extra("account number") == "622575")
    #expect(try file.card("Licence").extra("first name") == "Fang")
    #expect(try file.card("Passport").extra("surname") == "Wang")
  }

  @Test("Google's contacts: names in the order of their language, the phone, labels as tags")
  func google() throws {
    let file = try Fixtures.read("cases/c1-google-new.csv")
    #expect(file.entries.map(\.title) == ["王芳", "John Smith"])
    let home = try file.card("王芳")
    #expect(home.type == .address && home.tags == ["客户"])
    #expect(home.fields["phone"] == "138 0013 8000" && home.fields["district"] == "南山区")
    #expect(try file.card("John Smith").tags.isEmpty)
  }

  @Test("Proton Pass: an object in a cell is unfolded, and the times are those of the card")
  func proton() throws {
    let file = try Fixtures.read("cases/c10-protonpass.csv")
    let card = try file.card("Visa")
    #expect(card.extra("number") == "4111111111111111" && card.extra("cardholder name") == "Fang")
    #expect(card.concealedLabels == ["number", "verification number", "pin"])
    #expect(file.entries[0].createdAt == Timestamp("2023-11-14T22:13:20Z"))
    #expect(try file.card("Example").extra("Website 2") == "https://b.example.com")
  }

  @Test("RoboForm and Dashlane: passwords and seeds by their names there")
  func otherNames() throws {
    let robot = try Fixtures.read("cases/c12-roboform.csv").card("Example")
    #expect(robot.extra("Password") == "pw1" && robot.extra("User name") == "fang")
    let dash = try Fixtures.read("cases/c9-dashlane.csv").card("Example")
    #expect(dash.extra("One-time password") == "JBSWY3DPEHPK3PXP" && dash.fields["text"] == "my note")
  }

  @Test("Enpass' table names each value beside it")
  func enpassTable() throws {
    let file = try Fixtures.read("cases/c13-enpass.csv")
    #expect(file.entries.map(\.title) == ["Example", "Second"])
    #expect(try file.card("Second").extra("Password") == "fakepw2")
  }

  @Test("Enpass' JSON: titles, notes, folders, and no trash")
  func enpass() throws {
    let file = try Fixtures.read("cases/e1-enpass.json")
    #expect(file.format == .enpassJSON)
    #expect(
      file.entries.filter { $0.draft != nil }.map(\.title) == ["Example", "Secret note", "Second note"])
    let card = try file.card("Example")
    #expect(card.fields["text"] == "important note" && card.tags == ["Work"] && card.pinned)
  }

  @Test("Outlook's contacts in Chinese: the person is the title, not the company")
  func outlook() throws {
    let card = try Fixtures.read("cases/c4-outlook-zh-gbk.csv").card("王芳")
    let texts = Array(card.fields.values) + card.extraFields.map(\.value)
    for text in ["13800138000", "科技路88号", "深圳市", "晨光文具有限公司"] { #expect(texts.contains(text)) }
  }

  @Test("A table of invoices by the names that companies give to its columns")
  func invoice() throws {
    let file = try Fixtures.read("cases/c6-invoice-cn.csv")
    let card = try #require(file.entries.first?.draft)
    #expect(card.type == .invoice)
    #expect(card.fields["address"] == "深圳市南山区科技路88号" && card.fields["bankAccount"] == "6225 7500 0000 0000")
  }

  @Test("LastPass: the text is in its own column, a note is unfolded, and a star pins")
  func lastPass() throws {
    let file = try Fixtures.read("cases/c8-lastpass-note.csv")
    let note = try file.card("My card")
    #expect(note.fields["text"] == "x" && note.pinned && note.tags == ["Finance"])
    #expect(note.extra("Number") == "4111111111111111" && note.extra("Website") == nil)
    #expect(try file.card("Example").fields["text"] == "门禁密码 1984#")
  }

  @Test("KeePass' references are resolved, and one that leads nowhere is named")
  func references() throws {
    let file = try Fixtures.read("cases/k1-ref.xml")
    let other = try file.card("Other")
    #expect(other.extra("Password") == "s3cret" && other.extra("User name") == "fang")
    let entry =
      "<Entry><String><Key>Title</Key><Value>a</Value></String><String><Key>Password</Key><Value>{REF:P@I:00}</Value></String></Entry>"
    let lost = try read("<KeePassFile><Root><Group><Name>R</Name>\(entry)</Group></Root></KeePassFile>")
    #expect(lost.entries[0].warnings.map(\.code) == [.unclear])
    #expect(lost.entries[0].draft?.extra("Password") == "{REF:P@I:00}")
  }

  @Test("1Password on macOS escapes quotation marks with a backslash, and lists tags in its own way")
  func onePassword() throws {
    let file = try Fixtures.read("cases/o1-1password-mac.csv")
    #expect(file.entries.map(\.title) == ["Example", "Second"])
    #expect(try file.card("Example").tags == ["Starter Kit", "work"])
    #expect(try file.card("Second").extra("Password") == "p\"w2")
  }

  @Test("Contacts in other encodings, with a bare photo, and with an address that is only a label")
  func contacts() throws {
    let latin = try Fixtures.read("cases/v1-win-contacts-cp1252.vcf").card("Anna Test")
    #expect(
      latin.fields["text"] == "1 Elm St\r\nReid’s place" && latin.extra("Phone (home)") == "+15550100200")
    let chinese = try Fixtures.read("cases/v2-gbk-qp-nocharset.vcf")
    #expect(chinese.entries.map(\.title) == ["王芳"])
    let photo = try Fixtures.read("cases/v5-photo-unfolded.vcf")
    #expect(
      try photo.card("Anna Test").extra("Phone (mobile)") ?? photo.card("Anna Test").fields["text"]
        == "+15550100200")
    #expect(photo.entries[0].warnings.map(\.code) == [.leftOut])
    let label = try Fixtures.read("cases/w1-adr-label-only.vcf").card("王芳")
    #expect(
      label.type == .address && label.fields["district"] == "南山区" && label.fields["address"] == "科技路88号")
  }

  @Test("A street gives up its region, and nothing that only looks like one")
  func streets() throws {
    let card = try Fixtures.read("cases/v8-street-city.vcf").card("王芳")
    #expect(card.fields["district"] == "南山区" && card.fields["address"] == "科技路88号")
    let file = try Fixtures.read("cases/v9-street-false-district.vcf")
    #expect(
      try ["王芳", "李雷", "韩梅", "赵云"].map { try file.card($0).fields["address"] } == [
        "菜市口大街1号", "长安镇上沙工业区5栋", "城市之光花园3栋", "科技新区大道1号",
      ])
    #expect(file.entries.allSatisfy { $0.draft?.fields["district"] == nil })
  }

  @Test("A header below a title, and a number that a spreadsheet shortened")
  func spreadsheets() throws {
    let file = try Fixtures.read("cases/x1-title-row.csv")
    #expect(file.entries.map(\.title) == ["王芳"] && file.entries[0].draft?.type == .address)
    #expect(file.warnings.map(\.code) == [.leftOut] && file.account.named == 1)
    let shortened = try Fixtures.read("cases/x3-sci.csv")
    #expect(shortened.entries[0].warnings.contains { $0.field == "银行账号" && $0.code == .unclear })
  }

  @Test(
    "Secrets by their names, in the languages of the programs",
    arguments: [
      "password", "Login Password", "MASTER-PASSWORD", "ACCOUNT-KEY", "password_value", "Pwd", "PIN", "cvc",
      "CVV2", "otpSecret",
      "card_number", "cardNumber", "API key", "密码", "支付密码", "取款口令", "卡号", "PIN码", "Passwort", "mot de passe",
      "contraseña",
      "パスワード", "пароль", "비밀번호", "security code", "seed",
    ])
  func names(_ name: String) {
    #expect(SecretName.isSecret(name))
  }

  @Test(
    "Names that are none",
    arguments: [
      "title", "phone number", "postal code", "country code", "银行账号", "keyboard", "公司名称", "option", "Spinner",
      "地址", "email",
    ])
  func plainNames(_ name: String) {
    #expect(!SecretName.isSecret(name))
  }

  @Test("A table without names: its columns by their values, what is unclear concealed, and a warning")
  func noHeader() throws {
    let file = try read("Example,https://example.com,fang,pw1\nSecond,https://b.example.com,lei,pw2\n")
    #expect(file.entries.map(\.title) == ["Example", "Second"])
    #expect(file.warnings.map(\.code) == [.unclear] && file.account.lost == 0)
    #expect(try file.card("Example").concealedLabels == ["Column 3", "Column 4"])
  }

  @Test(
    "A row of values is no header, even if a word in it names a column, and nothing of it becomes a label",
    arguments: [
      "Bank,aib,fang@example.com,pw1,https://example.com\nHome,wifi,,pw2,\n",
      "\"empty entry\"\na,https://a.example,fang,pw1\n",
      "Example,fang,pw1\nSecond,lei,pw2\n", "Title,Field,Value,Field,Value\nExample,User,fang,Password,pw1\n",
    ])
  func values(_ text: String) throws {
    let file = try read(text)
    for draft in file.entries.compactMap(\.draft) {
      #expect(draft.extraFields.allSatisfy { $0.label != "pw1" && ($0.concealed || $0.value != "pw1") })
    }
    #expect(file.account.lost == 0)
  }

  @Test("UTF-16 without a byte order mark")
  func utf16() throws {
    let text = "BEGIN:VCARD\r\nFN:王芳\r\nEND:VCARD\r\n"
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [big, little] {
      let file = try ImportReader.read(bytes, ImportOptions())
      #expect(file.entries.map(\.title) == ["王芳"] && file.encoding == .utf16)
    }
  }

  @Test("Unknown columns of a table with passwords are concealed, unless a person says otherwise")
  func unknownColumns() throws {
    let text = "title,password,mystery,[{}\na,p,q,\"[{\"\"pin\"\":\"\"1\"\",\"\"x\"\":\"\"2\"\"}]\"\n"
    #expect(try read(text).card("a").concealedLabels == ["Password", "mystery", "pin", "x"])
    let shown = try read(text, ImportOptions(mapping: ["mystery": "extra:Hint"]))
    #expect(try shown.card("a").extraFields.contains(ExtraField(label: "Hint", value: "q")))
  }

  @Test("What spreadsheets write for texts, and dates")
  func idioms() throws {
    let file = try read(
      "标题,手机,编号,创建时间,修改时间\na,\"=\"\"0755-12345678\"\"\",'007,2026/1/2,2026-01-02 03:04:05\n")
    let card = try file.card("a")
    #expect(card.extra("手机") == "0755-12345678" && card.extra("编号") == "007")
    #expect(file.entries[0].createdAt == Timestamp("2026-01-02T00:00:00Z"))
    #expect(file.entries[0].modifiedAt == Timestamp("2026-01-02T03:04:05Z"))
  }

  @Test("Columns with stars, comments above them, and owners before them")
  func decorated() throws {
    let file = try read(
      "# exported\n*收件人姓名,*收件人手机,*收件人省,*收件人市,*收件人区,*收件人详细地址\n王芳,13800138000,广东省,深圳市,南山区,科技路88号\n")
    #expect(file.entries.map(\.title) == ["王芳"] && file.entries[0].draft?.type == .address)
    #expect(file.account.lost == 0)
  }

  @Test("A report says where each value of a file without columns goes")
  func members() throws {
    let file = try Fixtures.read("cases/v8-street-city.vcf")
    #expect(file.mapping.isEmpty)
    let members = file.members.map { "\($0.column) \($0.target)" }
    #expect(members == ["FN title", "TEL phone", "ADR address"])
  }
}
