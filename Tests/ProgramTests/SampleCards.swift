/// Realistic cards, the same ones for the same seed: names, places and companies in Chinese and English, mobile and landline
/// numbers, credit codes with the right check character (GB 32100-2015).
struct SampleCards {
  /// A card before it is stored.
  struct Card {
    var title: String
    var group: String
    var type: String
    var tags: [String]
    var isPinned: Bool
    var fields: [(key: String, value: String)]

    /// The parameters of card/create. No part holds anything that JSON would have escaped, but for line breaks.
    var json: String {
      let fields = fields.map { #""\#($0.key)":"\#($0.value.replacing("\n", with: #"\n"#))""# }.joined(
        separator: ",")
      let tags = tags.map { #""\#($0)""# }.joined(separator: ",")
      return
        #"{"title":"\#(title)","group":"\#(group)","type":"\#(type)","tags":[\#(tags)],"pinned":\#(isPinned),"#
        + #""fields":{\#(fields)}}"#
    }

    /// All that a search looks at, in lower case.
    var text: String {
      ([title] + tags + fields.map(\.value)).joined(separator: "\n").lowercased()
    }
  }

  private var random: Random

  init(seed: UInt64) {
    random = Random(state: seed)
  }

  /// The next card.
  mutating func card(_ number: Int) -> Card {
    let type = pick([
      "address", "address", "address", "address", "invoice", "invoice", "invoice", "text", "text", "text",
    ])
    let group = pick(["personal", "company"])
    var tags: [String] = []
    for _ in 0..<below(4) {
      let tag = pick(Self.tags)
      if !tags.contains(tag) { tags.append(tag) }
    }
    let (title, fields) =
      switch type {
      case "address": address(number)
      case "invoice": invoice(number)
      default: note(number)
      }
    return Card(
      title: title, group: group, type: type, tags: tags, isPinned: below(100) < 3, fields: fields)
  }

  private mutating func address(_ number: Int) -> (String, [(key: String, value: String)]) {
    let (province, city, district) = pick(Self.places)
    let name = pick(Self.surnames) + pick(Self.givenNames)
    var fields = [
      ("name", name), ("phone", phone()), ("province", province), ("city", city), ("district", district),
      ("address", "\(pick(Self.trades))路\(below(998) + 1)号\(below(29) + 1)栋\(below(3_200) + 100)室"),
    ]
    if below(10) < 6 { fields.append(("postalCode", String(100_000 + below(760_000)))) }
    if below(10) < 4 { fields.append(("notes", "leave with \(pick(Self.words)) \(pick(Self.words))")) }
    return ("\(name) \(city) \(number)", fields.map { (key: $0.0, value: $0.1) })
  }

  private mutating func invoice(_ number: Int) -> (String, [(key: String, value: String)]) {
    let (province, city, district) = pick(Self.places)
    let company = "\(city)\(pick(Self.words).capitalized)\(pick(Self.trades))有限公司"
    return (
      "\(company) 开票 \(number)",
      [
        (key: "companyName", value: company), (key: "taxId", value: creditCode()),
        (key: "address", value: "\(province)\(city)\(district)\(below(998) + 1)号"),
        (key: "phone", value: phone()),
        (key: "bankName", value: "\(pick(Self.banks))\(city)分行"), (key: "bankAccount", value: digits(16)),
      ]
    )
  }

  private mutating func note(_ number: Int) -> (String, [(key: String, value: String)]) {
    let lines = (0...below(5)).map { _ in
      (0...below(6) + 2).map { _ in pick(Self.words) }.joined(separator: " ")
    }
    return ("\(pick(Self.words)) note \(number)", [(key: "text", value: lines.joined(separator: "\n"))])
  }

  private mutating func phone() -> String {
    guard below(10) < 7 else { return pick(["010", "021", "0755", "0571", "028"]) + "-" + "6" + digits(7) }
    return "1" + pick(["3", "5", "7", "8", "9"]) + digits(9)
  }

  private mutating func creditCode() -> String {
    let weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
    let alphabet = Array("0123456789ABCDEFGHJKLMNPQRTUWXY")
    var values = [9, 1]
    for position in 2..<17 { values.append(below(position < 8 ? 10 : 31)) }
    let sum = zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 }
    return String((values + [(31 - sum % 31) % 31]).map { alphabet[$0] })
  }

  private mutating func digits(_ count: Int) -> String {
    (0..<count).map { _ in String(below(10)) }.joined()
  }

  private mutating func below(_ limit: Int) -> Int {
    Int.random(in: 0..<limit, using: &random)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[below(values.count)]
  }

  private static let tags = ["home", "work", "travel", "税务", "签证", "bank", "客户", "urgent", "2026"]
  private static let surnames = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗".map(String.init)
  private static let givenNames = [
    "伟", "芳", "娜", "秀英", "敏", "静", "丽", "强", "磊", "洋", "艳", "勇", "军", "杰", "娟", "涛", "明",
  ]
  private static let trades = ["科技", "网络", "信息", "贸易", "咨询", "文化", "传媒", "实业", "电子", "软件"]
  private static let banks = ["招商银行", "中国工商银行", "中国建设银行", "中国银行", "交通银行", "HSBC"]
  private static let words = [
    "alpha", "harbor", "signal", "maple", "river", "quartz", "copper", "falcon", "meadow", "orbit", "velvet",
    "cobalt",
    "summit", "lantern", "pioneer",
  ]
  private static let places = [
    ("广东省", "深圳市", "南山区"), ("广东省", "广州市", "天河区"), ("浙江省", "杭州市", "西湖区"), ("江苏省", "南京市", "鼓楼区"),
    ("四川省", "成都市", "武侯区"), ("北京市", "北京市", "海淀区"), ("上海市", "上海市", "浦东新区"),
    ("湖北省", "武汉市", "洪山区"), ("陕西省", "西安市", "雁塔区"),
  ]
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers for the same seed.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
