/// A card such as people keep: made up, the same for the same number, and right by the rules of its template.
public struct SampleCard: Sendable {
  /// What it is called.
  public var title: String
  /// `personal` or `company`.
  public var group: String
  /// The template.
  public var type: String
  /// Up to three.
  public var tags: [String]
  /// Pinned or not.
  public var isPinned: Bool
  /// Keys and values in the order of the template.
  public var fields: [(key: String, value: String)]

  /// The card of that number.
  public init(number: Int) {
    var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number) &* 0x5851_F42D_4C95_7F2D &+ 7)
    let place = random.one(of: Words.places) ?? ("", "", "")
    switch random.number(0..<10) {
    case 0..<4: self.init(address: number, place, &random)
    case 4..<7: self.init(invoice: number, place, &random)
    default: self.init(note: number, &random)
    }
  }

  private init(
    _ title: String, _ type: String, _ random: inout SeededGenerator, _ fields: [(key: String, value: String)]
  ) {
    self.title = title
    self.type = type
    self.fields = fields
    group = random.chance(50) ? "personal" : "company"
    var tags: [String] = []
    for _ in 0..<random.number(0..<4) {
      if let tag = random.one(of: Words.tags), !tags.contains(tag) { tags.append(tag) }
    }
    self.tags = tags
    isPinned = random.chance(3)
  }

  private init(address number: Int, _ place: (String, String, String), _ random: inout SeededGenerator) {
    let name =
      random.letter(of: Words.surnames) + random.letters(random.number(1..<3), of: Words.givenNames)
    let house = "\(random.number(1..<999))号\(random.number(1..<30))栋\(random.number(101..<3300))室"
    var fields = [
      ("name", name), ("phone", Self.phone(&random)), ("province", place.0), ("city", place.1),
      ("district", place.2), ("address", (random.one(of: Words.trades) ?? "") + "路" + house),
    ]
    if random.chance(60) { fields.append(("postalCode", String(random.number(100_000..<860_000)))) }
    if random.chance(40) { fields.append(("notes", "leave with " + Self.english(2, &random))) }
    self.init("\(name) \(place.1) \(number)", "address", &random, fields)
  }

  private init(invoice number: Int, _ place: (String, String, String), _ random: inout SeededGenerator) {
    let town = String(place.1.prefix(2))
    let word = Self.english(1, &random)
    let trade = random.one(of: Words.trades) ?? ""
    let company = "\(town)\(word.prefix(1).uppercased())\(word.dropFirst())\(trade)有限公司"
    let street = "\(place.0)\(place.1)\(place.2)\(random.number(1..<999))号"
    let bank = (random.one(of: Words.banks) ?? "") + town + "分行"
    let fields = [
      ("companyName", company), ("taxId", SampleCreditCode.random(&random)), ("address", street),
      ("phone", Self.phone(&random)), ("bankName", bank),
      ("bankAccount", random.letters(16, of: "0123456789")),
    ]
    self.init("\(company) 开票 \(number)", "invoice", &random, fields)
  }

  private init(note number: Int, _ random: inout SeededGenerator) {
    let lines = (0..<random.number(1..<6)).map { _ in Self.english(random.number(3..<9), &random) }
    let title = "\(Self.english(1, &random)) note \(number)"
    self.init(title, "text", &random, [("text", lines.joined(separator: "\n"))])
  }

  private static func phone(_ random: inout SeededGenerator) -> String {
    if random.chance(70) { return "1" + random.letter(of: "3456789") + random.letters(9, of: "0123456789") }
    return (random.one(of: Words.areaCodes) ?? "") + "-" + random.letters(8, of: "23456789")
  }

  private static func english(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).compactMap { _ in random.one(of: Words.english) }.joined(separator: " ")
  }
}

/// The unified social credit code of GB 32100-2015.
public enum SampleCreditCode {
  private static let alphabet = "0123456789ABCDEFGHJKLMNPQRTUWXY"

  /// The check character of the first 17.
  public static func checkCharacter(of body: String) -> String {
    let letters = Array(alphabet)
    var (sum, weight) = (0, 1)
    for letter in body {
      sum += (letters.firstIndex(of: letter) ?? 0) * weight
      weight = weight * 3 % 31
    }
    return String(letters[(31 - sum % 31) % 31])
  }

  /// A code that is right and, as far as anybody knows, nobody's.
  static func random(_ random: inout SeededGenerator) -> String {
    let authority = random.letter(of: "159NY") + random.letter(of: "123")
    let body = authority + String(random.number(110_000..<659_000)) + random.letters(9, of: alphabet)
    return body + checkCharacter(of: body)
  }
}

private enum Words {
  static let surnames = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗"
  static let givenNames = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰"
  static let places = [
    ("广东省", "深圳市", "南山区"), ("广东省", "广州市", "天河区"), ("浙江省", "杭州市", "西湖区"),
    ("江苏省", "南京市", "鼓楼区"), ("四川省", "成都市", "武侯区"), ("北京市", "北京市", "海淀区"),
    ("上海市", "上海市", "浦东新区"), ("湖北省", "武汉市", "洪山区"), ("陕西省", "西安市", "雁塔区"),
  ]
  static let banks = ["招商银行", "中国工商银行", "中国建设银行", "中国银行", "交通银行", "HSBC"]
  static let english = [
    "alpha", "harbor", "signal", "maple", "river", "quartz", "copper", "falcon", "meadow", "orbit", "velvet",
    "cobalt", "summit", "lantern", "pioneer",
  ]
  static let trades = ["科技", "网络", "信息", "贸易", "咨询", "文化", "传媒", "实业", "电子", "软件"]
  static let tags = ["home", "work", "travel", "税务", "签证", "bank", "客户", "urgent", "2026"]
  static let areaCodes = ["010", "021", "0755", "0571", "028"]
}
