/// The province, city and district that a text has named so far.
struct Regions {
  private(set) var province: Divisions.Province?
  private(set) var city: Divisions.City?
  private(set) var district: Divisions.District?

  /// Takes the divisions at the start of a text.
  /// - Parameter abbreviates: whether names without their suffix count, unless they begin another word such as 四川北路.
  /// - Returns: the rest.
  mutating func take(_ text: String, abbreviates: Bool) -> String {
    let scalars = Array(text.unicodeScalars)
    let folded = Divisions.all.folded(text)
    var position = Self.skipSeparators(folded, 0)
    for country in ["中华人民共和国", "中国"] where folded[position...].starts(with: country.unicodeScalars) {
      let next = Self.skipSeparators(folded, position + country.unicodeScalars.count)
      // Not 中国银行大厦, but 中国 alone is a country too.
      if next == folded.count || match(folded[next...], from: 0, abbreviates) != nil { position = next }
      break
    }
    var (level, isTaken) = (0, false)
    while level < 3,
      let found = match(folded[position...], from: level, abbreviates)
        ?? shortProvince(folded[position...], level)
    {
      (province, city, district) = (found.province, found.city, found.district)
      position = Self.skipSeparators(folded, position + found.count)
      for filler in Self.fillers where folded[position...].starts(with: filler.unicodeScalars) {
        position = Self.skipSeparators(folded, position + filler.unicodeScalars.count)
      }
      (level, isTaken) = (found.level + 1, true)
      // The list writes 县 for the city of the counties of Chongqing.
      if province?.isMunicipality ?? false, district == nil, folded[position...].first == "县",
        match(folded[(position + 1)...], from: 2, abbreviates) != nil
      {
        position += 1
      }
    }
    return isTaken || position == folded.count
      ? String(String.UnicodeScalarView(scalars[position...])) : text
  }

  /// What the list writes where there is no city or district.
  private static let fillers = ["市辖区", "省直辖县级行政区划", "自治区直辖县级行政区划", "省直辖", "自治区直辖", "辖区"]

  private static func skipSeparators(_ text: [Unicode.Scalar], _ start: Int) -> Int {
    var position = start
    while position < text.count,
      text[position].properties.isWhitespace || ",，、;；/|-·.。".unicodeScalars.contains(text[position])
    {
      position += 1
    }
    return position
  }

  private struct Match {
    var level: Int
    var count: Int
    var province: Divisions.Province?
    var city: Divisions.City?
    var district: Divisions.District?
  }

  /// Returns the longest division at the start of a text that fits what is known, the highest of equally long ones.
  private func match(_ text: ArraySlice<Unicode.Scalar>, from level: Int, _ abbreviates: Bool) -> Match? {
    guard let first = text.first else { return nil }
    var best: Match?
    func consider(_ names: [Divisions.Name], _ match: Match) {
      for name in names where abbreviates || !name.isShort {
        guard name.scalars.count > best?.count ?? 0, text.starts(with: name.scalars) else { continue }
        let rest = text.dropFirst(name.scalars.count)
        guard !(name.isShort ? Self.beginsWord(rest) : Self.isInsideWord(name.scalars.last, rest)) else {
          continue
        }
        best = match
        best?.count = name.scalars.count
      }
    }
    let provinces = province.map { [$0] } ?? Divisions.all.provinces
    for candidate in provinces {
      if level == 0 {
        let own = candidate.isMunicipality ? candidate.cities.first : nil
        consider(
          candidate.names,
          Match(level: 0, count: 0, province: candidate, city: city ?? own, district: district))
      }
      guard level <= 1 else { continue }
      for place in candidate.cities where city == nil || city?.name == place.name || contains(place) {
        consider(place.names, Match(level: 1, count: 0, province: candidate, city: place, district: district))
      }
    }
    let add = { (province: Divisions.Province, city: Divisions.City) in
      for place in city.districts where district == nil || district?.name == place.name {
        // A name of two characters such as 东区 is anywhere, and without a province no abbreviation is sure.
        let names = place.names.filter { name in
          self.city != nil || (name.isShort ? self.province != nil : name.scalars.count > 2)
        }
        consider(names, Match(level: 2, count: 0, province: province, city: city, district: place))
      }
    }
    if let province, let city {
      add(province, city)
    } else {
      var (known, isUnclear) = (best, false)
      Divisions.all.forEachCity(withDistrictsFrom: first) { province, city in
        guard self.province == nil || self.province?.name == province.name else { return }
        best = nil
        add(province, city)
        guard let found = best, found.count >= known?.count ?? 0 else { return }
        isUnclear = known?.level == 2 && known?.count == found.count
        if found.count > known?.count ?? 0 { known = found }
      }
      best = isUnclear ? nil : known
    }
    return best
  }

  /// Whether the known city is above another: 伊犁州 has two prefectures below it.
  private func contains(_ place: Divisions.City) -> Bool {
    city?.name == "伊犁哈萨克自治州" && ["塔城地区", "阿勒泰地区"].contains(place.name)
  }

  /// A province without its suffix before a city or district with its own, as in 新疆石河子市.
  private func shortProvince(_ text: ArraySlice<Unicode.Scalar>, _ level: Int) -> Match? {
    guard level == 0, province == nil else { return nil }
    for candidate in Divisions.all.provinces {
      for name in candidate.names where name.isShort && text.starts(with: name.scalars) {
        var inside = self
        inside.province = candidate
        let rest = text.dropFirst(name.scalars.count)
        let next = inside.match(
          rest[Self.skipSeparators(Array(rest), 0).advanced(by: rest.startIndex)...], from: 1, false)
        guard next != nil else { continue }
        return Match(
          level: 0, count: name.scalars.count, province: candidate,
          city: candidate.isMunicipality ? candidate.cities.first : nil, district: nil)
      }
    }
    return nil
  }

  /// Whether a text goes on a name so that both are another word: 四川北路, 朝阳门, 南山大道.
  private static func beginsWord(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let rest = text.drop { "东西南北中上下前后内外一二三四五六七八九十0123456789".unicodeScalars.contains($0) }
    guard let next = rest.first else { return false }
    if "路街道巷弄里胡门桥寺站村镇乡庄苑城园府".unicodeScalars.contains(next) { return true }
    return ["大道", "大街", "大厦", "大桥", "大学", "广场", "花园", "公园", "小区", "新村", "银行", "酒店", "饭店", "宾馆", "医院"]
      .contains { rest.starts(with: $0.unicodeScalars) }
  }

  /// Whether the 市 of a city begins another word: 深圳市民中心, 中山市场路.
  private static func isInsideWord(_ last: Unicode.Scalar?, _ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    let words = ["场", "民中心", "民广场", "民公园", "民之家", "政府", "政路", "政广场", "政大", "区", "郊路", "立医院", "立第", "委"]
    return last == "市" && words.contains { rest.starts(with: $0.unicodeScalars) }
  }

  // MARK: Zones

  private static let zones = ["开发区", "高新区", "高新园区", "经开区", "工业园区", "新区", "保税区", "示范区", "管理区", "度假区", "合作区"]

  /// Takes a development zone, which stands in a district's place, from the start of a text after a city that has
  /// districts; nil if there is none. 科技新区大道 and 阳光新区3栋 are none.
  func takeZone(_ text: String) -> (name: String, rest: String)? {
    guard let city, !city.districts.isEmpty, district == nil else { return nil }
    let scalars = Array(text.unicodeScalars)
    let folded = Divisions.all.folded(text)
    let han = folded.prefix(24).prefix { $0.properties.isIdeographic }
    for end in han.indices.dropFirst(2) {
      let rest = folded[(end + 1)...]
      guard
        let zone = Self.zones.first(where: {
          folded[...end].reversed().starts(with: $0.unicodeScalars.reversed())
        }),
        rest.first?.properties.isIdeographic ?? true, !Self.beginsWord(rest)
      else { continue }
      // 新区 alone names nothing.
      guard end + 1 > zone.unicodeScalars.count || zone != "新区" else { continue }
      return (
        String(String.UnicodeScalarView(scalars[...end])),
        String(String.UnicodeScalarView(scalars[(end + 1)...]))
      )
    }
    return nil
  }
}
