/// What a label in a pasted text says about the value after it.
enum PastedLabel: Hashable {
  case name, phone, province, city, district, township, region, address, postalCode, notes
  case company, taxId, bank, account
  case addressAndPhone, bankAndAccount
  /// A heading over the block, without a value.
  case heading
  /// A label that names no field, which stays with its value.
  case other

  /// Returns the label that two joined ones are: 地址、电话.
  func joined(_ other: PastedLabel) -> PastedLabel? {
    let places: Set<PastedLabel> = [.province, .city, .district, .region, .township]
    switch (self, other) {
    case (let one, let two) where one == two: return one
    case (.address, .phone), (.phone, .address): return .addressAndPhone
    case (.bank, .account), (.account, .bank): return .bankAndAccount
    case (.name, .company), (.company, .name): return .company
    case (let one, let two) where places.contains(one) && places.contains(two): return .region
    default: return nil
    }
  }

  /// The label that begins at an index and what is between its characters, the longest one.
  static func found(in text: PastedText, at start: Int) -> (label: PastedLabel, range: Range<Int>)? {
    guard let length = lengths[text.folded[start]] else { return nil }
    var (word, index, spaces) = (String.UnicodeScalarView(), start, 0)
    var found: (PastedLabel, Range<Int>)?
    while index < text.folded.count, word.count < length, !text.folded[index].isLineBreak {
      if text.isSpace(index) {
        spaces += 1
        if spaces > 8 { break }
      } else {
        word.append(text.folded[index])
        // An English word goes on with a letter.
        let isWhole = !text.isLetter(index) || index + 1 == text.folded.count || !text.isLetter(index + 1)
        if isWhole, let label = words[String(word)] { found = (label, start..<index + 1) }
      }
      index += 1
    }
    return found
  }

  /// The labels, without spaces.
  static let words: [String: PastedLabel] = {
    var words: [String: PastedLabel] = [:]
    for (label, cores) in vocabulary {
      for core in cores.split(separator: " ") {
        words[String(core)] = label
        guard owned.contains(label), core.unicodeScalars.count > 1 else { continue }
        for owner in owners { words[owner + core] = words[owner + core] ?? label }
      }
    }
    for core in ["信息", "资料"] {
      for owner in owners + ["收货地址", "收件地址", "地址", "增票", "专票", "公司开票", "单位开票", "邮寄", "快递"] {
        for end in ["", "如下"] { words[owner + core + end] = .heading }
      }
    }
    return words
  }()

  /// The length of the longest label by the first character.
  private static let lengths = words.keys.reduce(into: [Unicode.Scalar: Int]()) { lengths, word in
    guard let first = word.unicodeScalars.first else { return }
    lengths[first] = max(lengths[first] ?? 0, word.unicodeScalars.count)
  }

  private static let owned: Set<PastedLabel> = [
    .name, .phone, .address, .postalCode, .company, .taxId, .region,
  ]

  /// Whose value it is, in front of what it is.
  static let owners = [
    "收件人", "收货人", "收件", "收货", "寄送", "配送", "送货", "邮寄", "投递", "联系人", "客户", "买家", "买方", "公司", "单位", "企业", "注册",
    "开票", "发票", "购买方", "购货方", "购方", "销售方", "办公", "经营", "营业", "通讯", "通信", "联系", "我的", "家庭", "现在的", "新",
    "公司注册", "单位注册", "企业注册", "详细",
  ]

  private static let vocabulary: [(PastedLabel, String)] = [
    (
      .name,
      "姓名 名字 收件人 收货人 联系人 联络人 收件者 收货者 收 寄给 发给 to name recipient consignee contact attn receiver fullname"
    ),
    (
      .phone,
      "电话 手机 手机号 手机号码 电话号码 联系电话 联络电话 联系方式 联系手机 移动电话 座机 固定电话 固话 电 tel phone mobile cell t m mob telephone mobilephone phonenumber"
    ),
    (.province, "省 省份 所在省 所在省份 province"), (.city, "市 城市 所在市 所在城市 地级市 city"),
    (.district, "区 县 区县 县区 所在区 所在区县 district county"), (.township, "乡镇 镇 街道 乡镇街道 街道乡镇 所在街道 street"),
    (.region, "地区 所在地区 省市区 省市县 省市区县 所在区域 区域 所在地 省市 region"),
    (
      .address,
      "地址 详细地址 街道地址 住址 详址 门牌号 详细信息 具体地址 通讯地址 寄到 寄往 邮寄到 送到 发到 寄至 送至 地址是 add addr address addressline"
    ),
    (.postalCode, "邮编 邮政编码 邮码 邮递区号 zip zipcode postcode postalcode"),
    (.notes, "备注 留言 附言 附注 买家留言 备注信息 note notes remark remarks"),
    (
      .company,
      "名称 公司 单位 公司名称 公司名 单位名称 企业名称 全称 公司全称 单位全称 抬头 发票抬头 户名 开户名 开户名称 账户名称 账户名 开票单位 购货单位 购买方 companyname company"
    ),
    (
      .taxId,
      "税号 税务登记号 税务登记证号 税务号 纳税人识别号 纳税人识别码 纳税识别号 纳税人税号 纳税号 纳税人登记号 统一社会信用代码 社会信用代码 统一信用代码 信用代码 统一社会信用代码证 识别号 taxid taxnumber taxno"
    ),
    (.bank, "开户行 开户银行 开户行名称 开户银行名称 银行 银行名称 开户支行 开户网点 开户行全称 bank bankname"),
    (
      .account,
      "账号 账户 银行账号 银行账户 开户账号 开户账户 开户行账号 开户银行账号 银行卡号 卡号 对公账号 对公账户 公司账号 公司账户 account accountnumber accountno bankaccount"
    ),
  ]
}
