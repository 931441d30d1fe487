import CResources
import Wire

/// China's provinces, cities and districts by the official list (GB/T 2260), which is compiled in.
struct Divisions: Sendable {
  /// A name, official or as people shorten it, with its traditional characters and radicals made simplified ones.
  struct Name: Sendable {
    let scalars: [Unicode.Scalar]
    /// Whether it is not the official name, and so may be the beginning of another word.
    let isShort: Bool
  }

  struct District: Sendable {
    /// The official name.
    let name: String
    let names: [Name]
  }

  struct City: Sendable {
    let name: String
    let names: [Name]
    var districts: [District] = []
  }

  struct Province: Sendable {
    let name: String
    let names: [Name]
    var cities: [City] = []
    /// Whether it is its own city, as Beijing is.
    var isMunicipality: Bool { cities.first?.name == name }
  }

  /// The list, read at its first use.
  static let all = Divisions()

  private(set) var provinces: [Province] = []
  private var simplified: [Unicode.Scalar: Unicode.Scalar] = [:]
  /// The indices of the provinces and cities whose districts' names begin with a character.
  private var cities: [Unicode.Scalar: Set<[Int]>] = [:]

  private static var list: String {
    unsafe String(resource: quickvault_divisions(), quickvault_divisions_count())
  }

  private static var variants: String {
    unsafe String(resource: quickvault_division_variants(), quickvault_division_variants_count())
  }

  private init() {
    var pairs = Self.variants.unicodeScalars.filter { $0 != "\n" }[...]
    while let variant = pairs.popFirst(), let simple = pairs.popFirst() { simplified[variant] = simple }
    for line in Self.list.split(separator: "\n") {
      if line.hasSuffix(":") {
        let (name, names) = Self.names(line.dropLast(), suffixes: "省市")
        provinces.append(Province(name: name, names: names))
      } else if let province = provinces.indices.last {
        var words = line.split(separator: " ")[...]
        if !line.hasPrefix(" "), let city = words.popFirst() {
          let (name, names) = Self.names(city, suffixes: "市州")
          provinces[province].cities.append(City(name: name, names: names))
        }
        guard let city = provinces[province].cities.indices.last else { continue }
        for word in words {
          let (name, names) = Self.names(word, suffixes: "区县市旗")
          provinces[province].cities[city].districts.append(District(name: name, names: names))
          if let first = name.unicodeScalars.first { cities[first, default: []].insert([province, city]) }
        }
      }
    }
  }

  private static func names(_ word: Substring, suffixes: String) -> (String, [Name]) {
    let written = word.split(separator: "/").map { Array($0.unicodeScalars) }
    guard let official = written.first else { return ("", []) }
    var names = [Name(scalars: official, isShort: false)]
    names += written.dropFirst().map { name in
      Name(scalars: name, isShort: !(name.last.map { "区县市旗州".unicodeScalars.contains($0) } ?? false))
    }
    if official.count > 2, let last = official.last, suffixes.unicodeScalars.contains(last) {
      names.append(Name(scalars: Array(official.dropLast()), isShort: true))
    }
    // 浦东新区 is 浦东 for short.
    if official.count > 3, official.suffix(2).elementsEqual("新区".unicodeScalars) {
      names.append(Name(scalars: Array(official.dropLast(2)), isShort: true))
    }
    // The longest first: 恩施州 before 恩施.
    names.sort { $0.scalars.count > $1.scalars.count }
    return (String(String.UnicodeScalarView(official)), names)
  }

  /// The text with the usual characters for those that only look or were written differently, one for one.
  func folded(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.map { simplified[$0] ?? $0 }
  }

  /// Calls `body` with each city that has a district beginning with a character.
  func forEachCity(withDistrictsFrom first: Unicode.Scalar, _ body: (Province, City) -> Void) {
    for place in (cities[first] ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      body(provinces[place[0]], provinces[place[0]].cities[place[1]])
    }
  }
}

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
