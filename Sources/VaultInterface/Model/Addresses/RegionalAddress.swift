/// An address in China whose province, city and district are separated by the official list of divisions.
///
/// Names become the official ones, also where the text abbreviates or has traditional characters. A county directly under a
/// province is the city, without a district, and a municipality is its own city. A region that is repeated is said once. What
/// is not a division stays in the street, and an address whose divisions are unknown stays as it is.
public struct RegionalAddress: Hashable, Sendable {
  public private(set) var province: String
  public private(set) var city: String
  public private(set) var district: String
  public private(set) var street: String

  /// Separates an address.
  /// - Parameter abbreviates: whether parts of the street may be divisions without their suffix, as in 广东深圳南山.
  public init(
    province: String = "", city: String = "", district: String = "", street: String, abbreviates: Bool = false
  ) {
    var regions = Regions()
    var street = street
    (self.province, self.city, self.district, self.street) = (province, city, district, street)
    let unknownProvince = regions.take(province, abbreviates: true)
    var unknownCity = regions.take(city, abbreviates: true)
    let zone = regions.takeZone(unknownCity)
    if let zone { unknownCity = zone.rest }
    guard regions.province == nil || unknownProvince.isBlank, unknownCity.isBlank || regions.city != nil
    else {
      return
    }
    let unknownDistrict = regions.take(district, abbreviates: true)
    // A street is not believed about what the fields before it leave open and do not know.
    guard regions.city != nil || province.isBlank && city.isBlank || regions.province != nil && city.isBlank
    else {
      return
    }
    street = regions.take(street, abbreviates: abbreviates)
    var named = zone?.name ?? unknownDistrict
    if named.isBlank, regions.district == nil, let zone = regions.takeZone(street) {
      (named, street) = (zone.name, zone.rest)
    } else if !named.isBlank, street.hasPrefix(named) {
      street = String(street.unicodeScalars.dropFirst(named.unicodeScalars.count))
    }
    guard let known = regions.province else { return }
    self.province = known.name
    self.city = regions.city?.name ?? city
    self.district = regions.district?.name ?? named
    if regions.district != nil, !unknownDistrict.isBlank { street = unknownDistrict + street }
    self.street = unknownCity + street
  }

  /// The text with traditional characters of the divisions' names simplified, one for one.
  public static func folded(_ text: String) -> [Unicode.Scalar] {
    Divisions.all.folded(text)
  }

  /// Whether an address in this province and city has a district: not in municipalities, in cities such as 东莞, in counties
  /// directly under a province, and abroad.
  public static func needsDistrict(province: String, city: String) -> Bool {
    if province.isBlank || city.isBlank { return true }
    var regions = Regions()
    guard regions.take(province, abbreviates: true).isBlank, let known = regions.province else {
      return false
    }
    guard !known.isMunicipality else { return false }
    guard regions.take(city, abbreviates: true).isBlank, let city = regions.city else { return true }
    return !city.districts.isEmpty && regions.district == nil
  }
}
