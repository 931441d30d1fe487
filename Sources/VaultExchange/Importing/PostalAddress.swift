import VaultModel

/// A postal address, as address books store it.
struct PostalAddress: Hashable {
  var postOfficeBox = ""
  /// Floor, building and the like.
  var extended = ""
  var street = ""
  var city = ""
  var province = ""
  var district = ""
  var postalCode = ""
  var country = ""

  /// Whether it is empty.
  var isBlank: Bool {
    [postOfficeBox, extended, street, city, province, district, postalCode, country].allSatisfy(\.isBlank)
  }

  /// The address as people write it: on one line, from province to street, if it is Chinese; otherwise on several lines.
  var text: String {
    let whole = [province, city, district, street, extended].joined()
    if whole.unicodeScalars.contains(where: \.properties.isIdeographic) {
      let region = province == city ? province : province + city
      let code = [country, postalCode].filter { !$0.isBlank }.joined(separator: " ")
      let line = region + district + street + (extended.isBlank ? "" : " " + extended)
      return [line, postOfficeBox, code].filter { !$0.isBlank }.joined(separator: "\n")
    }
    let place = [city, district, province, postalCode].filter { !$0.isBlank }.joined(separator: ", ")
    return [postOfficeBox, extended, street, place, country].filter { !$0.isBlank }.joined(separator: "\n")
  }

  /// The address with province, city and district separated, as far as a Chinese address allows.
  var divided: PostalAddress {
    var address = self
    address.divideCity()
    if Self.municipalities.contains(where: { address.city == $0 || address.city == $0 + "市" }),
      address.province.isBlank
    {
      address.province = address.city
    }
    if address.district.isBlank, let (district, rest) = Self.division(of: address.street), !rest.isBlank {
      (address.district, address.street) = (district, rest)
    } else if address.district.isBlank, let (district, rest) = Self.division(of: address.extended),
      rest.isBlank
    {
      (address.district, address.extended) = (district, rest)
    } else if !address.district.isBlank, address.street.hasPrefix(address.district) {
      address.street = String(address.street.dropFirst(address.district.count))
    }
    return address
  }

  private static let municipalities = ["北京", "上海", "天津", "重庆"]

  /// Takes a district off the end of a city, as in 深圳市南山区.
  private mutating func divideCity() {
    guard district.isBlank, let end = city.firstIndex(of: "市") else { return }
    let rest = city[city.index(after: end)...]
    guard let last = rest.last, "区县旗市".contains(last) else { return }
    district = String(rest)
    city = String(city[...end])
  }

  /// Splits a text that begins with a district, as in 南山区科技路88号; nil if it does not.
  private static func division(of street: String) -> (district: String, rest: String)? {
    let head = street.prefix(12)
    guard let end = head.firstIndex(where: { "区县旗市".contains($0) }) else { return nil }
    let district = street[...end]
    let rest = street[street.index(after: end)...]
    let isEstate = ["小区", "社区", "园区", "院区", "厂区", "校区", "街区"].contains { district.hasSuffix($0) }
    guard district.count >= 2, !isEstate,
      district.unicodeScalars.allSatisfy(\.properties.isIdeographic)
    else { return nil }
    return (String(district), String(rest).trimmed)
  }
}
