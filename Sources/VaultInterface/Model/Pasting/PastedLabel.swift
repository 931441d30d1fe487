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

/// Names of people and words of addresses in a pasted text.
extension PastedText {
  private static let surnames = Set(
    ("王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺"
      + "顾毛郝龚邵万钱严覃武戚莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲"
      + "房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕"
      + "楚鄢劳谌奚皮粟冼蔺楼盘满闻位厉伊仝区郜海阚花权强帅屠豆朴盖练廉禹井祖漆巴丰支卿国狄平计索宣晋相初门云容敬来扈晁芮都普阙浦戈伏鹿薄邸雍辜羊阿母裘亓修邰赫杭况那宿鲜印逯隆茹诺战慕危玉银亢嵇公哈湛宾戎勾茅利于呼居揭干但尉冶斯元束檀衣信展阴昝智幸奉植衡富尧闭由豪"
      + "劉陳張黃趙吳孫馬鄭謝許鄧馮韓蔣蘇葉呂盧鐘譚陸範賈韋鄒閻龍陶賀顧龔萬錢嚴湯溫樂齊喬龐顏倪莊聶魯歐關蘭紀畢單費盛駱藍")
      .unicodeScalars)
  private static let titles = [
    "先生", "女士", "小姐", "老师", "经理", "同学", "师傅", "医生", "大夫", "总", "阿姨", "叔叔", "大哥", "姐", "哥", "律师", "教授", "主任",
  ]
  /// What courtesy or an instruction has and no name.
  private static let phrases = [
    "请", "谢谢", "多谢", "感谢", "你好", "您好", "麻烦", "快递", "放", "送", "周末", "工作日", "尽快", "发货", "默认", "公司", "收货", "中国",
    "白天", "晚上", "备用", "急",
    "包邮", "有限", "不要", "电话", "联系", "勿", "驿站", "柜", "门卫", "前台", "前", "后", "或者", "这是", "如下", "寄", "的",
  ]

  /// How much a piece looks like the name of a person: 0 for not at all.
  func nameScore(_ piece: Range<Int>) -> Int {
    let words = withoutReceived(piece)
    guard !words.isEmpty, words.count <= 30, !words.contains(where: isDigit) else { return 0 }
    if words.allSatisfy({ isLetter($0) || isSpace($0) || "·.-'".unicodeScalars.contains(folded[$0]) }) {
      return words.count > 1 ? 2 : 0
    }
    let text = foldedText(words)
    guard !Self.titles.contains(text) else { return 0 }
    guard words.allSatisfy({ isHan($0) || folded[$0] == "·" }) else { return 0 }
    if let title = Self.titles.first(where: text.hasSuffix), words.count > title.unicodeScalars.count,
      words.count <= 8
    {
      return isSurname(words) ? 5 : 2
    }
    guard words.count > 1, words.count <= 12, !Self.phrases.contains(where: text.contains) else { return 0 }
    let isMarked = words != piece
    if words.count <= 4, isSurname(words) { return isMarked ? 5 : words.count < 4 ? 3 : 2 }
    return words.count <= 5 || words.contains { folded[$0] == "·" } ? isMarked ? 4 : 1 : 0
  }

  private func isSurname(_ words: Range<Int>) -> Bool {
    Self.surnames.contains(folded[words.lowerBound]) || Self.surnames.contains(scalars[words.lowerBound])
      || ["诸葛", "上官", "端木", "皇甫", "尉迟", "澹台", "长孙", "令狐", "轩辕", "东方", "西门", "夏侯", "淳于", "太史", "公孙"]
        .contains { starts(with: $0, at: words.lowerBound) }
  }

  /// A name without 收, which says that it is the receiver's.
  func withoutReceived(_ piece: Range<Int>) -> Range<Int> {
    var words = trimmed(piece)
    for mark in ["(收件)", "(收)", "收件", "亲收", "收"] where words.count > mark.unicodeScalars.count + 1 {
      let end = words.upperBound - mark.unicodeScalars.count
      guard starts(with: mark, at: end) else { continue }
      words = trimmed(words.lowerBound..<end)
      break
    }
    return words
  }

  /// A name with the number of a shop behind it: 张三[1234].
  func withNumber(_ name: Range<Int>) -> Range<Int> {
    let open = name.upperBound
    guard open < folded.count, folded[open] == "[",
      let close = folded[open...].prefix(10).firstIndex(of: "]"), (open..<close + 1).allSatisfy(isFree),
      (open + 1..<close).allSatisfy(isDigit)
    else { return name }
    return name.lowerBound..<close + 1
  }

  /// The name at the end of an address, in front of a phone number: …号张三.
  func nameAtEnd(of piece: Range<Int>) -> Range<Int>? {
    var start = piece.upperBound
    while start > piece.lowerBound, isHan(start - 1), piece.upperBound - start < 5 { start -= 1 }
    let ends = Set("号室栋楼座层幢户单元弄巷村组院厦场城园区店铺房间".unicodeScalars)
    for begin in start..<piece.upperBound where begin > piece.lowerBound {
      guard isDigit(begin - 1) || isLetter(begin - 1) || ends.contains(folded[begin - 1]) else { continue }
      let name = begin..<piece.upperBound
      if !ends.contains(folded[begin]), nameScore(name) >= 3, !isAddress(name) { return name }
    }
    return nil
  }

  private static let instructions = ["请", "放", "麻烦", "谢谢", "不要", "尽快", "勿", "送到", "周末", "工作日"]
  private static let places = Set("路街道巷弄里胡村镇乡庄屯寨苑园院厦场城区楼栋幢座室号层店铺厂站桥港湾峰门口组队团府旗县市省坊阁轩邨坪塘埔".unicodeScalars)
  private static let strongPlaces = Set("路街道巷弄村镇乡屯寨栋幢室号组团里".unicodeScalars)

  /// Whether a piece looks like a part of an address.
  func isAddress(_ piece: Range<Int>) -> Bool {
    let text = foldedText(piece)
    guard let last = piece.last, !Self.instructions.contains(where: text.hasPrefix) else { return false }
    if Self.places.contains(folded[last]) && piece.count > 1 { return true }
    if ["中心", "大学", "学院", "小学", "中学", "公司", "医院", "银行", "酒店", "商场", "超市", "单元", "公寓", "工业", "基地", "步行"]
      .contains(where: text.contains)
    {
      return true
    }
    return piece.contains(where: isDigit) && piece.contains { Self.places.contains(folded[$0]) }
      || piece.allSatisfy { isDigit($0) || isLetter($0) || "-#".unicodeScalars.contains(folded[$0]) }
        && piece.contains(where: isDigit)
        && piece.count <= 8
  }

  /// Whether a text after the divisions can only be a street, a village or a house.
  func isStreet(_ range: Range<Int>) -> Bool {
    range.contains { Self.strongPlaces.contains(folded[$0]) }
      || ["大厦", "广场", "小区", "花园", "大学", "学院", "中心", "公寓", "园区"].contains { foldedText(range).contains($0) }
  }
}
