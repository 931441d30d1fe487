import TestSamples
import VaultInterface
import Wire

struct MissingSample: Error {}

enum Samples {
  static let addressFields = [
    "name": "张三", "phone": "138 1234-5678", "province": "广东省", "city": "深圳市", "district": "南山区",
    "address": "科技园路1号 A座", "postalCode": "518000",
  ]
  static let invoiceFields = [
    "companyName": "随取科技有限公司", "taxId": "91350100M000100Y43", "address": "福州市鼓楼区1号", "phone": "0591-87654321",
    "bankName": "中国银行", "bankAccount": "6222 0000 1111",
  ]

  static let address = CardDraft(
    title: "Home 家", group: .personal, type: .address, fields: addressFields, tags: ["快递", "family"])
  static let invoice = CardDraft(
    title: "开票", group: .company, type: .invoice, fields: invoiceFields, tags: ["税务"])
  static let text = CardDraft(
    title: "Note", group: .personal, type: .text, fields: ["text": "line one\r\nline two\n\nend"])

  static func identifier(_ number: UInt8 = 1) throws -> Identifier {
    guard let id = Identifier(randomBytes: [UInt8](repeating: number, count: 16)) else {
      throw MissingSample()
    }
    return id
  }

  static func card(_ draft: CardDraft) throws -> Card {
    Card(draft, id: try identifier(), at: Timestamp(milliseconds: 1_795_000_000_123))
  }

  private static let pieces = [
    "a", "B", "ab", "Z", "9", " ", "\n", "é", "e\u{301}", "É", "Ａ", "ｂ", "，", "：", "。", "　", "中", "国", "税务",
    "北京市",
    "ガ", "ｶﾞ", "カ", "か", "K", "İ", "ß", "ς", "Σ", "각", "가", "😀", "\u{301}", "\u{323}", "ǆ", "Å", "豈", "￥", "ﾊﾟ",
  ]

  static func randomText(_ upTo: Int, _ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...upTo, using: &generator))
      .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
  }

  static func randomCard(_ generator: inout SeededGenerator) throws -> Card {
    var draft = CardDraft(
      title: randomText(8, &generator), group: Bool.random(using: &generator) ? .personal : .company,
      type: CardType.allCases.randomElement(using: &generator) ?? .text,
      pinned: Bool.random(using: &generator))
    for field in draft.type.template.fields where Int.random(in: 0..<4, using: &generator) > 0 {
      draft.fields[field.key] = randomText(12, &generator)
    }
    for _ in 0..<Int.random(in: 0..<4, using: &generator) { draft.tags.append(randomText(3, &generator)) }
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      let concealed = Bool.random(using: &generator)
      let value = Bool.random(using: &generator) ? "" : randomText(10, &generator)
      draft.extraFields.append(
        ExtraField(label: randomText(3, &generator), value: value, concealed: concealed))
    }
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard let id = Identifier(randomBytes: bytes) else { throw MissingSample() }
    let created = Timestamp(milliseconds: Int64.random(in: -1_000_000...1_900_000_000_000, using: &generator))
    return Card(draft, id: id, revision: 7, createdAt: created, modifiedAt: created)
  }
}
