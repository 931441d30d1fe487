import Testing

@testable import VaultInterface

@Suite("Addresses in China") struct RegionalAddressTests {
  private func parts(_ address: RegionalAddress) -> [String] {
    [address.province, address.city, address.district, address.street]
  }

  private static let lines: [(String, [String])] = [
    ("广东省深圳市南山区科技路88号", ["广东省", "深圳市", "南山区", "科技路88号"]),
    ("深圳市南山区科技路88号", ["广东省", "深圳市", "南山区", "科技路88号"]),
    ("中国 广东省，深圳市，南山区，科技路88号", ["广东省", "深圳市", "南山区", "科技路88号"]),
    ("北京市北京市海淀区成府路1号", ["北京市", "北京市", "海淀区", "成府路1号"]),
    ("北京市市辖区朝阳区北京路1号", ["北京市", "北京市", "朝阳区", "北京路1号"]),
    ("浙江省义乌市稠城街道1号", ["浙江省", "金华市", "义乌市", "稠城街道1号"]),
    ("湖北省仙桃市沔州大道1号", ["湖北省", "仙桃市", "", "沔州大道1号"]),
    ("新疆石河子市北四路2号", ["新疆维吾尔自治区", "石河子市", "", "北四路2号"]),
    ("广东省东莞市长安镇上沙工业区5栋", ["广东省", "东莞市", "", "长安镇上沙工业区5栋"]),
    ("广东省中山市科技新区大道1号", ["广东省", "中山市", "", "科技新区大道1号"]),
    ("江苏省苏州市苏州工业园区星湖街328号", ["江苏省", "苏州市", "苏州工业园区", "星湖街328号"]),
    ("四川省成都市高新区天府大道1号", ["四川省", "成都市", "高新区", "天府大道1号"]),
    ("四川省成都市阳光新区3栋", ["四川省", "成都市", "", "阳光新区3栋"]),
    ("湖北省恩施州利川市清江大道1号", ["湖北省", "恩施土家族苗族自治州", "利川市", "清江大道1号"]),
    ("內蒙古科右前旗科尔沁镇1号", ["内蒙古自治区", "兴安盟", "科尔沁右翼前旗", "科尔沁镇1号"]),
    ("廣東省東莞市长安镇1号", ["广东省", "东莞市", "", "长安镇1号"]),
    ("陕西省⻄安市⻓安区文苑路1号", ["陕西省", "西安市", "长安区", "文苑路1号"]),
    ("吉林省吉林市昌邑区解放路1号", ["吉林省", "吉林市", "昌邑区", "解放路1号"]),
    ("四川北路1号", ["", "", "", "四川北路1号"]), ("朝阳区建国路1号", ["", "", "", "朝阳区建国路1号"]),
    ("中国银行大厦", ["", "", "", "中国银行大厦"]), ("12 Long Lane", ["", "", "", "12 Long Lane"]),
  ]

  @Test("A whole address", arguments: lines)
  func whole(_ text: String, _ expected: [String]) {
    #expect(parts(RegionalAddress(street: text)) == expected)
  }

  @Test(
    "Abbreviations, where the text is asked to have them",
    arguments: [
      ("广东深圳南山科技园3栋", ["广东省", "深圳市", "南山区", "科技园3栋"]), ("上海四川北路1号", ["上海市", "上海市", "", "四川北路1号"]),
      ("四川北路1号", ["", "", "", "四川北路1号"]), ("北京朝阳门外大街1号", ["北京市", "北京市", "", "朝阳门外大街1号"]),
      ("新疆伊犁州塔城地区", ["新疆维吾尔自治区", "伊犁哈萨克自治州", "", "塔城地区"]),
      ("海南儋州那大镇1号", ["海南省", "儋州市", "", "那大镇1号"]),
    ])
  func abbreviations(_ text: String, _ expected: [String]) {
    #expect(parts(RegionalAddress(street: text, abbreviates: true)) == expected)
  }

  @Test(
    "What fields say stays, and a street says a region once",
    arguments: [
      (["广东省", "深圳市", "", "广东省深圳市南山区科技路88号"], ["广东省", "深圳市", "南山区", "科技路88号"]),
      (["广东", "深圳", "南山", "深圳市科技路88号"], ["广东省", "深圳市", "南山区", "科技路88号"]),
      (["北京市", "北京市", "", "菜市口大街1号"], ["北京市", "北京市", "", "菜市口大街1号"]),
      (["广东省", "中山市", "", "城市之光花园3栋"], ["广东省", "中山市", "", "城市之光花园3栋"]),
      (["河北省", "石家庄市", "", "县前街5号"], ["河北省", "石家庄市", "", "县前街5号"]),
      (["广东省", "深圳市", "", "深圳市民中心"], ["广东省", "深圳市", "", "深圳市民中心"]),
      (["广东省", "中山市", "", "中山市场路1号"], ["广东省", "中山市", "", "中山市场路1号"]),
      (["四川省", "成都市", "", "都市花园2栋"], ["四川省", "成都市", "", "都市花园2栋"]),
      (["", "深圳市南山区", "", "科技路88号"], ["广东省", "深圳市", "南山区", "科技路88号"]),
      (["浙江省", "杭州市", "", "桐庐县迎春南路1号"], ["浙江省", "杭州市", "桐庐县", "迎春南路1号"]),
      (["浙江省", "杭州市", "高新区", "高新区江南大道1号"], ["浙江省", "杭州市", "高新区", "江南大道1号"]),
      (
        ["Greater London", "London", "", "1 Guangdong Road"],
        ["Greater London", "London", "", "1 Guangdong Road"]
      ),
      (["", "不知市", "", "南山区1号"], ["", "不知市", "", "南山区1号"]),
    ])
  func fields(_ given: [String], _ expected: [String]) {
    let address = RegionalAddress(province: given[0], city: given[1], district: given[2], street: given[3])
    #expect(parts(address) == expected)
  }

  @Test("Every division of the list is found by its whole name")
  func list() {
    for province in Divisions.all.provinces {
      for city in province.cities {
        for district in city.districts {
          let whole = province.name + (province.isMunicipality ? "" : city.name) + district.name + "1号"
          #expect(parts(RegionalAddress(street: whole)) == [province.name, city.name, district.name, "1号"])
        }
      }
    }
    #expect(Divisions.all.provinces.count == 34)
  }
}
