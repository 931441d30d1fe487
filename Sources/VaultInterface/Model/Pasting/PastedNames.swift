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
