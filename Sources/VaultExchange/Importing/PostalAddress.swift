import VaultInterface

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

  /// The address without its district at the start of the street.
  var withoutRepeatedDistrict: PostalAddress {
    var address = self
    if !district.isBlank, street.hasPrefix(district) {
      address.street = String(street.dropFirst(district.count))
    }
    return address
  }

  /// The keys of the fields of an address card that hold parts of an address.
  static let keys: Set<String> = ["province", "city", "district", "address", "postalCode"]

  /// The address with province, city and district separated, as far as it is a Chinese address.
  var divided: PostalAddress {
    let regional = RegionalAddress(province: province, city: city, district: district, street: street)
    var address = self
    (address.province, address.city) = (regional.province, regional.city)
    (address.district, address.street) = (regional.district, regional.street)
    guard address.district.isBlank, !extended.isBlank else { return address }
    let other = RegionalAddress(province: regional.province, city: regional.city, street: extended)
    if !other.district.isBlank, other.street.isBlank {
      (address.district, address.extended) = (other.district, "")
    }
    return address
  }
}
