import Foundation
import TestSamples
import Testing
import VaultInterface

@Suite struct CopyTests {
  private func text(_ draft: CardDraft, _ style: CopyStyle, _ language: Language = .english) throws -> String
  {
    try Samples.card(draft).text(as: style, in: language)
  }

  @Test("R18 Labelled lines in the conversation's language, extra fields last")
  func labelled() throws {
    var draft = Samples.invoice
    draft.extraFields = [ExtraField(label: "联系人", value: "李四")]
    #expect(
      try text(draft, .labelled) == """
        Company name: 随取科技有限公司
        Tax ID: 91350100M000100Y43
        Address: 福州市鼓楼区1号
        Phone: 0591-87654321
        Bank: 中国银行
        Bank account: 6222 0000 1111
        联系人: 李四
        """)
    #expect(
      try text(draft, .labelled, .simplifiedChinese) == """
        公司名称：随取科技有限公司
        税号：91350100M000100Y43
        地址：福州市鼓楼区1号
        电话：0591-87654321
        开户行：中国银行
        银行账号：6222 0000 1111
        联系人：李四
        """)
    #expect(try text(draft, .values).split(separator: "\n").last == "李四")
  }

  @Test("R4 R18 A text card is copied as its bare text", arguments: [CopyStyle.labelled, .values])
  func bare(_ style: CopyStyle) throws {
    #expect(try Array(text(Samples.text, style).utf8) == Array("line one\r\nline two\n\nend".utf8))
  }

  @Test("R18 Extra fields are copied with a text card too")
  func extraFieldsOfText() throws {
    var draft = Samples.text
    draft.fields["text"] = "one\ntwo"
    draft.extraFields = [ExtraField(label: "Gate", value: "7")]
    #expect(try text(draft, .labelled) == "one\ntwo\nGate: 7")
    #expect(try text(draft, .values) == "one\ntwo\n7")
    #expect(try text(draft, .oneLine) == "one two 7")
    #expect(try text(draft, .markdown) == "## Note\n\none\ntwo\n\n- **Gate:** 7")
  }

  @Test(
    "R18 A concealed field is copied only on request, and named if it is left out",
    arguments: [Samples.address, Samples.invoice, Samples.text], CopyStyle.allCases.filter { $0 != .template }
  )
  func concealed(_ draft: CardDraft, _ style: CopyStyle) throws {
    var draft = draft
    draft.extraFields = [
      ExtraField(label: "Gate", value: "seven"), ExtraField(label: "PIN", value: "4711", concealed: true),
    ]
    let card = try Samples.card(draft)
    let isForCouriers = style == .oneLine && draft.type == .address
    let plain = try card.text(as: style, in: .english)
    #expect(!plain.contains("4711") && plain.contains("seven") == !isForCouriers)
    let gate = isForCouriers ? [OmittedField(label: "Gate", concealed: false)] : []
    #expect(
      card.omittedFields(of: style, in: .english, includesConcealed: false)
        == gate + [OmittedField(label: "PIN", concealed: true)])
    let whole = try card.text(as: style, in: .english, includesConcealed: true)
    #expect(whole.contains("4711") == !isForCouriers)
    #expect(
      card.omittedFields(of: style, in: .english, includesConcealed: true)
        == gate + (isForCouriers ? [OmittedField(label: "PIN", concealed: false)] : []))
  }

  @Test("R18 The notes of an address are named where one line for couriers leaves them out")
  func notesLeftOut() throws {
    var draft = Samples.address
    draft.fields["notes"] = "Ring twice"
    let card = try Samples.card(draft)
    #expect(
      card.omittedFields(of: .oneLine, in: .simplifiedChinese, includesConcealed: false)
        == [OmittedField(label: "备注", concealed: false)])
    #expect(card.omittedFields(of: .labelled, in: .english, includesConcealed: false).isEmpty)
  }

  @Test("R18 A template of the user's own copies the concealed field that it names")
  func concealedInTemplate() throws {
    var draft = Samples.text
    draft.extraFields = [ExtraField(label: "PIN", value: "4711", concealed: true)]
    let template = try CopyTemplate(parsing: "{title} {PIN}")
    #expect(try Samples.card(draft).text(as: .template, in: .english, template: template) == "Note 4711")
  }

  @Test("R18 One line: the form that couriers parse")
  func oneLine() throws {
    #expect(try text(Samples.address, .oneLine) == "张三 13812345678 广东省深圳市南山区科技园路1号A座 518000")
    var draft = Samples.address
    draft.fields["postalCode"] = nil
    draft.fields["province"] = "北京市"
    draft.fields["city"] = "北京市"
    draft.fields["district"] = "海淀区"
    draft.fields["address"] = "中关村\n大街 1 号"
    #expect(try text(draft, .oneLine) == "张三 13812345678 北京市海淀区中关村大街1号")
    draft.fields["province"] = "北京"
    #expect(try text(draft, .oneLine) == "张三 13812345678 北京市海淀区中关村大街1号")
    draft.fields["city"] = "北京"
    draft.fields["province"] = "北京市"
    draft.fields["address"] = "Tower A"
    #expect(try text(draft, .oneLine) == "张三 13812345678 北京市海淀区Tower A")
    #expect(try text(Samples.text, .oneLine) == "line one line two end")
    #expect(
      try text(Samples.invoice, .oneLine)
        == "随取科技有限公司 91350100M000100Y43 福州市鼓楼区1号 0591-87654321 中国银行 6222 0000 1111")
  }

  @Test(
    "R18 Numbers as digits only",
    arguments: [
      ("138 1234-5678", "13812345678"), ("+86 138-1234-5678", "13812345678"),
      ("（0755）8888 9999", "075588889999"),
      ("+86 755 88889999", "075588889999"), ("0086 10 8888 8888", "01088888888"),
      ("0755-88889999-802", "075588889999-802"),
      ("0755-88889999 转 802", "075588889999-802"), ("+44 20 7946 0958", "+442079460958"),
      ("１３８ 1234 5678", "13812345678"), ("ask the porter", "ask the porter"),
    ])
  func plainPhone(_ typed: String, _ plain: String) throws {
    var draft = Samples.address
    draft.fields["phone"] = typed
    let card = try Samples.card(draft).withPlainNumbers
    #expect(card.fields["phone"] == plain && card.withPlainNumbers == card)
  }

  @Test("R18 Numbers of companies, accounts and tax IDs as digits only; other values stay as they are")
  func plainNumbers() throws {
    var draft = Samples.invoice
    draft.fields["phone"] = "400-820 8820"
    draft.fields["taxId"] = "9135 0100 M000-100Y ４３"
    draft.fields["bankAccount"] = "6222 0000 1111"
    draft.fields["address"] = "Floor 3 - 5"
    draft.extraFields = [ExtraField(label: "Door", value: "47 11")]
    let plain = try Samples.card(draft).withPlainNumbers
    #expect(plain.fields["phone"] == "4008208820" && plain.fields["bankAccount"] == "622200001111")
    #expect(plain.fields["taxId"] == "91350100M000100Y43" && plain.fields["address"] == "Floor 3 - 5")
    #expect(plain.extraFields == draft.extraFields)
    draft.fields["bankAccount"] = "6222 0000 1111 (招商)"
    #expect(try Samples.card(draft).withPlainNumbers.fields["bankAccount"] == "6222 0000 1111 (招商)")
  }

  @Test("R18 Markdown, escaped so that it shows the values")
  func markdown() throws {
    var draft = CardDraft(
      title: "# a*b", group: .personal, type: .address,
      fields: ["name": "1. _x_ <b>", "notes": "one\n\n- two 3.5"])
    draft.extraFields = [ExtraField(label: "[k]", value: "\\ -")]
    #expect(
      try text(draft, .markdown) == """
        ## \\# a\\*b

        - **Name:** 1\\. \\_x\\_ \\<b\\>
        - **Notes:** one

          \\- two 3.5
        - **\\[k\\]:** \\\\ -
        """)
    #expect(try text(draft, .markdown, .simplifiedChinese).contains("- **姓名：** 1"))
    #expect(try text(Samples.text, .markdown) == "## Note\n\nline one\r\nline two\n\nend")
  }

  @Test("R18 JSON in a fixed order, readable by any reader")
  func json() throws {
    var draft = Samples.text
    draft.fields["text"] = "\"\\\n\r\t\u{8}\u{C}\u{1}\u{7F}中😀/"
    draft.extraFields = [ExtraField(label: "k", value: "v", concealed: true)]
    draft.tags = ["a", "b"]
    let json = try Samples.card(draft).text(as: .json, in: .english, includesConcealed: true)
    #expect(
      json
        == #"{"title":"Note","group":"personal","type":"text","tags":["a","b"],"fields":{"text":"\"\\\n\r\t\b\f\u0001"#
        + "\u{7F}中😀/" + #""},"extraFields":[{"label":"k","value":"v","concealed":true}]}"#)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect((object["fields"] as? [String: String])?["text"] == draft.fields["text"])
  }

  @Test("R18 Random cards copy as JSON that reads back")
  func randomJSON() throws {
    var generator = SeededGenerator(seed: 18)
    for _ in 0..<200 {
      let card = try Samples.randomCard(&generator)
      let json = try card.text(as: .json, in: .english)
      let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(object["title"] as? String == card.title && object["tags"] as? [String] == card.tags)
      #expect(object["fields"] as? [String: String] == card.fields)
    }
  }

  @Test("R18 The user's own template")
  func template() throws {
    var draft = Samples.address
    draft.extraFields = [ExtraField(label: "门禁", value: "#12")]
    let card = try Samples.card(draft)
    let template = try CopyTemplate(
      parsing: "{{{name}}} {phone}\n{province}{city}{notes}|{title}|{tags}|{门禁}")
    let expected = "{张三} 138 1234-5678\n广东省深圳市|Home 家|快递, family|#12"
    #expect(try card.text(as: .template, in: .english, template: template) == expected)
    #expect(try card.text(as: .template, in: .simplifiedChinese, template: template).contains("快递、family"))
    #expect(throws: CopyError.noTemplate) { try card.text(as: .template, in: .english) }
    let unknown = try CopyTemplate(parsing: "中{taxId}")
    let error = CopyTemplateError(reason: .unknownPlaceholder, placeholder: "taxId", position: 1)
    #expect(throws: CopyError.templateInvalid(error)) {
      try card.text(as: .template, in: .english, template: unknown)
    }
  }

  @Test("R18 A template that would fill more than the limit is an error, and one at the limit is filled")
  func longTemplate() throws {
    var draft = Samples.text
    draft.fields["text"] = String(repeating: "字", count: 1_000)
    let card = try Samples.card(draft)
    let template = try CopyTemplate(parsing: String(repeating: "{text}", count: 1_600))
    #expect(try template.text(of: card, in: .english, limit: 4_800_000).utf8.count == 4_800_000)
    #expect(throws: CopyError.tooLong) { try template.text(of: card, in: .english, limit: 4_799_999) }
    draft.fields["text"] = String(repeating: "字", count: Limits.value)
    let long = try Samples.card(draft)
    #expect(throws: CopyError.tooLong) { try long.text(as: .template, in: .english, template: template) }
  }

  @Test(
    "R18 Faults of a template with their place",
    arguments: [
      ("", .empty, "", 0), (" \n", .empty, "", 0), ("中{name", .unclosed, "name", 1), ("a{", .unclosed, "", 1),
      ("a}b", .unopened, "", 1), ("{}", .emptyPlaceholder, "", 0), ("{na{me}", .unclosed, "na", 0),
      ("{name}}", .unopened, "", 6), ("😀{{}", .unopened, "", 3),
      (String(repeating: "x", count: 10_001), .tooLong, "", 10_000),
    ] as [(String, CopyTemplateError.Reason, String, Int)])
  func faults(_ source: String, _ reason: CopyTemplateError.Reason, _ placeholder: String, _ position: Int) {
    let expected = CopyTemplateError(reason: reason, placeholder: placeholder, position: position)
    #expect(throws: expected) { try CopyTemplate(parsing: source) }
    #expect(!expected.message.english.isEmpty && !expected.message.simplifiedChinese.isEmpty)
  }

  @Test("R13 R18 A template for a type names only the fields of that type")
  func check() throws {
    let template = try CopyTemplate(parsing: "{name} {title} {tags}")
    #expect(throws: Never.self) { try template.check(for: .address) }
    let error = CopyTemplateError(reason: .unknownPlaceholder, placeholder: "name", position: 0)
    #expect(throws: error) { try template.check(for: .invoice) }
  }
}
