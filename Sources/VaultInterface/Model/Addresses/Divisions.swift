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

  private init() {
    var pairs = DivisionData.variants.unicodeScalars.filter { $0 != "\n" }[...]
    while let variant = pairs.popFirst(), let simple = pairs.popFirst() { simplified[variant] = simple }
    for line in DivisionData.divisions.split(separator: "\n") {
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
