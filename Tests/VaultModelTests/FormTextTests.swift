import TestSamples
import Testing
import VaultInterface

@Suite("Forms as text") struct FormTextTests {
  private static let english = FormText(.address, in: .english)

  private static func note(_ text: String, _ extraFields: [ExtraField] = []) -> CardDraft {
    CardDraft(
      title: "Note", group: .personal, type: .text, fields: ["text": text], extraFields: extraFields)
  }

  private static let door = note(
    "Floor 12.",
    [
      ExtraField(label: "PIN", value: "4711#", concealed: true),
      ExtraField(label: "Guests", value: "falcon", concealed: false),
      ExtraField(label: "Key", value: "line 1\nline 2", concealed: true),
    ])

  /// The form of ``door`` with changed lines.
  private static func edited(_ changes: (String, String)...) -> FormContents {
    let format = FormText(.text, in: .english)
    return format.read(
      changes.reduce(format.write(door)) { $0.replacing($1.0, with: $1.1) }, over: door)
  }

  private static func issues(_ contents: FormContents) -> [String] {
    let error = #expect(throws: InvalidValues.self) { try contents.checked() }
    return (error?.report.errors ?? []).map {
      "\($0.line.map(String.init) ?? "-") \($0.field) \($0.code.rawValue)"
    }
  }

  @Test("R1 The text of a card in both languages")
  func shape() {
    var draft = Samples.address
    draft.tags = ["home", "a, b", "甲、乙"]
    draft.fields["address"] = "Gate 3\n\nDoor 4"
    draft.extraFields = [
      ExtraField(label: "PIN", value: "1", concealed: true), ExtraField(label: "a: b", value: " x"),
    ]
    let english = """
      Title: Home 家
      Group: Personal
      Tags: home, "a, b", "甲、乙"

      Name: 张三
      Phone: 138 1234-5678
      Province: 广东省
      City: 深圳市
      District: 南山区
      Address:
        Gate 3

        Door 4
      Postal code: 518000
      Notes:\u{20}

      --- Further fields ---
      *PIN: ••••
      "a: b":
         x

      """
    #expect(Self.english.write(draft) == english)
    #expect(Self.english.write(draft, revealing: .named([" ｐｉｎ"])).contains("\n*PIN: 1\n"))
    let chinese = FormText(.address, in: .simplifiedChinese).write(draft)
    #expect(chinese.hasPrefix("标题: Home 家\n分组: 个人\n标签: "))
    #expect(chinese.contains("\n--- 自定义字段 ---\n"))
    for text in [english, chinese] {
      for format in [Self.english, FormText(.address, in: .simplifiedChinese)] {
        #expect(format.read(text, over: draft).says(draft))
      }
    }
  }

  @Test(
    "R3b An invoice title becomes an invoice, and back, by the type in its form",
    arguments: [Language.english, .simplifiedChinese])
  func type(_ language: Language) throws {
    var title = Samples.invoice
    title.type = .title
    title.fields = ["companyName": "随取科技有限公司", "taxId": "91350100M000100Y43"]
    let format = FormText(.title, in: language)
    let text = format.write(title)
    #expect(text.contains(Localized("\nType: Invoice title\n", "\n类型: 发票抬头\n")[language]))
    #expect(format.read(text, over: title).says(title))
    for name in ["Invoice", "ｉｎｖｏｉｃｅ", "发票"] {
      let edited = format.read(text.replacing(title.type.label[language], with: name), over: title)
      #expect(edited.draft.type == .invoice && edited.draft.fields == title.fields)
      #expect(Self.issues(edited).count == 4)
    }
    let wrong = format.read(text.replacing(title.type.label[language], with: "Address"), over: title)
    #expect(Self.issues(wrong) == ["4 type unknownType"])
    #expect(
      format.read(text.replacing("\(CardTemplate.typeLabel[language]): ", with: "# "), over: title).says(
        title))
    #expect(
      !FormText(.address, in: language).write(Samples.address).contains(
        CardTemplate.typeLabel[language] + ":"))
  }

  @Test("R1 What is not edited stays as it is stored, whatever it is")
  func roundTrips() throws {
    var generator = SeededGenerator(seed: 50)
    for _ in 0..<200 {
      var draft = try Samples.randomCard(&generator).draft
      draft.extraFields.append(
        ExtraField(label: Samples.randomText(4, &generator), value: " a\r\n\r\n\tb\r\n"))
      let language: Language = Bool.random(using: &generator) ? .english : .simplifiedChinese
      let format = FormText(draft.type, in: language)
      for revealed in [RevealedFields.none, .all] {
        let text = format.write(draft, revealing: revealed)
        #expect(format.read(text, over: draft).says(draft))
        #expect(format.read(text.replacing("\n", with: "\r\n"), over: draft).says(draft))
      }
    }
  }

  @Test(
    "R1 Odd labels and tags",
    arguments: [
      "*", "*a", "＊a", "\"a\"", "#a", "-a", "--- Text ---", "a:b", "a：b", "a\"b", "a\\", "Title", "电话",
      "a\tb", "a,b", "，",
      "、", "\"", "\\\"",
    ])
  func odd(text: String) {
    var draft = Self.note("x", [ExtraField(label: text, value: "v"), ExtraField(label: "b", value: "w")])
    draft.tags = ["before", text, "after"]
    let format = FormText(.text, in: .english)
    #expect(format.read(format.write(draft)).draft == draft)
  }

  @Test("R1 Values with line ends of Windows keep them, and an edited one has those of Unix")
  func lineEnds() {
    let draft = Self.note(
      "a\r\nb\r\n", [ExtraField(label: "X", value: "1\r\n2"), ExtraField(label: "Y", value: "3\r\n4")])
    let format = FormText(.text, in: .english)
    let text = format.write(draft)
    #expect(!text.contains("\r"))
    #expect(format.read(text, over: draft).says(draft))
    let edited = format.read(text.replacing("  4", with: "  5"), over: draft).draft
    #expect(edited.extraFields.map(\.value) == ["1\r\n2", "3\n5"] && edited.fields == draft.fields)
  }

  @Test("R4 The text of a text card is everything below its heading")
  func textCards() {
    let format = FormText(.text, in: .english)
    for value in [
      "--- Further fields ---\nPIN: 1\n--- Text ---\n# no remark\n  indented\n•••• \n", "\n\na", "a\n\n\n",
      " ", "x",
    ] {
      let draft = Self.note(value, [ExtraField(label: "X", value: "--- Text ---\n# a")])
      #expect(format.read(format.write(draft)).draft == draft)
    }
    let text = "Title: Note\nGroup: personal\n\n---正文---\na\nb"
    #expect(format.read(text).draft == Self.note("a\nb"))
    #expect(
      Self.issues(format.read("Title: N\nGroup: personal\nText: a\n--- Text ---\nb\n")) == [
        "4 text duplicateLabel"
      ])
  }

  @Test("R1 A masked value is kept, set, removed, renamed and shown")
  func masks() {
    #expect(!FormText(.text, in: .english).write(Self.door).contains("4711"))
    #expect(Self.edited().says(Self.door))
    func values(_ changes: (String, String)...) -> [String] {
      let format = FormText(.text, in: .english)
      let text = changes.reduce(format.write(Self.door)) { $0.replacing($1.0, with: $1.1) }
      return format.read(text, over: Self.door).draft.extraFields.map {
        ($0.concealed ? "*" : "") + $0.label + "=" + $0.value
      }
    }
    let (guests, key) = ("Guests=falcon", "*Key=line 1\nline 2")
    #expect(values(("PIN: ••••", "PIN: 4712")) == ["*PIN=4712", guests, key])
    #expect(values(("PIN: ••••", "PIN:")) == [guests, key])
    #expect(values(("*PIN: ••••\n", "")) == [guests, key])
    #expect(values(("*PIN: ••••", "PIN: ••••")) == ["PIN=4711#", guests, key])
    #expect(values(("PIN: ••••", "pin : ••••")) == ["*pin=4711#", guests, key])
    #expect(values(("PIN: ••••", "Code: ••••")) == ["*Code=4711#", guests, key])
    #expect(values(("Guests", "*Guests")) == ["*PIN=4711#", "*" + guests, key])
    let shown = FormText(.text, in: .english).write(Self.door, revealing: .all)
    #expect(shown.contains("*PIN: 4711#\n") && shown.contains("*Key:\n  line 1\n  line 2\n"))
    #expect(FormText(.text, in: .english).read(shown, over: Self.door).says(Self.door))
  }

  @Test("R21 A mask that stands for nothing is an issue of its line")
  func strayMasks() {
    #expect(Self.issues(Self.edited(("*PIN: ••••", "*PIN: ••••5"))) == ["6 extraFields[0].value mask"])
    #expect(Self.issues(Self.edited(("falcon", "••••"))) == ["7 extraFields[1].value mask"])
    #expect(
      Self.issues(Self.edited(("PIN", "Code"), ("Key", "Safe"))) == [
        "6 extraFields[0].value mask", "8 extraFields[2].value mask",
      ])
    let format = FormText(.text, in: .english)
    #expect(
      Self.issues(format.read(format.write(Self.door))) == [
        "6 extraFields[0].value mask", "8 extraFields[2].value mask",
      ])
    #expect(
      Self.issues(
        format.read(format.write(Self.door).replacing("*Key", with: "*PIN: ••••\n*Key"), over: Self.door))
        == ["8 extraFields[2].value mask", "8 extraFields[2].label duplicateLabel"])
  }

  @Test("R21 Every issue has its line, those of the text and of the values at once")
  func issues() {
    let text = """
      # A remark
      Title:
      Gruppe: personal
      Group: family
        indented
      Tags: a

      Name: 王芳
       (Ms)
      Phone: 12
      no colon
      PIN: 4711
      姓名: 张三
      --- Fields ---
      --- further fields ---
      PIN: 1
      : 2
      PIN: 3

      """
    #expect(
      Self.issues(Self.english.read(text)) == [
        "2 title required", "3 form unknownField", "4 group unknownGroup", "8 name invalidCharacter",
        "10 phone phone", "11 form syntax", "12 form unknownField", "13 name duplicateLabel",
        "14 form syntax",
        "17 extraFields[1].label emptyLabel", "18 extraFields[2].label duplicateLabel", "- province required",
        "- city required", "- district required", "- address required",
      ])
    #expect(Self.issues(Self.english.read("  a\n")).first == "1 form syntax")
    #expect(Self.english.read(String(repeating: "x\n", count: 100_000)).draft.fields.isEmpty)
    #expect(Self.issues(Self.english.read(String(repeating: "x\n", count: 1_000))).count < 110)
  }

  @Test("R21 A text with more fields than a card can have is not read to its end")
  func tooManyFields() {
    let format = FormText(.text, in: .english)
    let contents = format.read(
      "Title: N\nGroup: personal\n--- Further fields ---\n" + String(repeating: "a: 1\n", count: 500_000))
    #expect(contents.draft.extraFields.count < 1_000)
    let issues = Self.issues(contents)
    #expect(issues.contains("3 extraFields tooMany") && issues.count < 110)
    let fields = (0..<1_000).map { ExtraField(label: "", value: "\($0)") }
    #expect(Self.note("a", fields).validate().errors.count == 1 + Limits.extraFields)
  }

  @Test("R1 An own field of an empty value goes, and labels are read by key and in either language")
  func reading() {
    let text = """
      ＴＩＴＬＥ： Home
      分组: 公司
      tags: a，b、"c, d",
      name： 王芳
      電話: 1
      postal code:
      详细地址: Gate 3
        Door 4

        Floor 5

      --- extrafields
      Empty:
      *Code： 1
      """
    let contents = Self.english.read(text)
    #expect(contents.draft.title == "Home" && contents.draft.group == .company)
    #expect(contents.draft.tags == ["a", "b", "c, d"])
    #expect(contents.draft.fields == ["name": "王芳", "address": "Gate 3\nDoor 4\n\nFloor 5"])
    #expect(contents.draft.extraFields == [ExtraField(label: "Code", value: "1", concealed: true)])
    #expect(Self.issues(contents).contains("5 form unknownField"))
  }
}
