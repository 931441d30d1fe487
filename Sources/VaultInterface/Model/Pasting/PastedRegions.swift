/// The divisions of a pasted address, as its labels and its street say them.
enum PastedRegions {
  struct Result {
    var province = ""
    var city = ""
    var district = ""
    var street = ""
  }

  /// Returns an address whose divisions have their official names and are said once. A township stands in front of the street.
  static func read(_ labelled: [PastedLabel: String], street: String) -> Result {
    var result = Result(
      province: labelled[.province] ?? "", city: labelled[.city] ?? "", district: labelled[.district] ?? "")
    let township = labelled[.township] ?? ""
    if let region = labelled[.region] {
      result.street = region
      result.divide()
    } else if !result.province.isEmpty || !result.city.isEmpty {
      result.divide()
    }
    let rest = result.street
    result.street = street
    result.divide()
    for front in [township, rest] where !front.isEmpty && !result.street.hasPrefix(front) {
      result.street = front + result.street
    }
    return result
  }
}

extension PastedRegions.Result {
  /// Takes the divisions at the start of the street, as often as they are repeated there.
  fileprivate mutating func divide() {
    for _ in 0..<3 {
      let before = street
      let (isFirst, zone) = (province.isEmpty, district)
      let address = RegionalAddress(
        province: province, city: city, district: district, street: street,
        abbreviates: isFirst || city.isEmpty)
      (province, city, district, street) = (address.province, address.city, address.district, address.street)
      // 苏州工业园区 does not repeat the city.
      if !zone.isEmpty, zone.hasSuffix(district) { district = zone }
      if isFirst { takeCorps() }
      takeArea()
      if street == before || province.isEmpty { break }
    }
  }

  /// 新疆生产建设兵团第八师石河子市: the division of the Corps stays in front of the street.
  private mutating func takeCorps() {
    guard province == "新疆维吾尔自治区", city.isEmpty, let start = ["生产建设兵团", "兵团"].first(where: street.hasPrefix)
    else { return }
    let rest = street.dropFirst(start.count)
    let end = rest.prefix(8).firstIndex(of: "师").map { rest.index(after: $0) } ?? rest.startIndex
    let address = RegionalAddress(province: province, street: String(rest[end...]))
    (city, district) = (address.city, address.district)
    street = "新疆" + start + rest[..<end] + address.street
  }

  /// 新界 and the like in front of a district of Hong Kong stay in front of the street.
  private mutating func takeArea() {
    guard province == "香港特别行政区", district.isEmpty else { return }
    for area in ["新界", "九龙", "九龍", "港岛", "港島", "香港岛", "香港島"] where street.hasPrefix(area) {
      let address = RegionalAddress(
        province: province, city: city, street: String(street.dropFirst(area.count)))
      guard !address.district.isEmpty else { continue }
      (district, street) = (address.district, area + address.street)
    }
  }
}
