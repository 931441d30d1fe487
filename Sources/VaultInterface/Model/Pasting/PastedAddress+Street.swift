/// The divisions and the street: a run of pieces of the text.
extension PastedAddress {
  mutating func takeStreet() {
    let pieces = self.pieces
    let address = addressPieces(pieces).map { pieces[$0] }
    var street = ""
    if let first = address.first, let last = address.last {
      let part = parts.first { $0.value.contains(last.lowerBound) }?.value ?? last
      var range = text.trimmed(
        first.lowerBound..<last.upperBound, in: first.lowerBound..<max(part.upperBound, last.upperBound))
      // A name at the end may have been taken from it.
      while let end = range.last, !text.isFree(end) { range = range.lowerBound..<end }
      street = text.joined([range])
      length += range.count
      for piece in text.free(in: range) { text.take(piece) }
    }
    let result = PastedRegions.read(labelled, street: street)
    (fields["province"], fields["city"], fields["district"], fields["address"]) = (
      result.province, result.city, result.district, result.street
    )
  }

  /// What is left of the parts that may have the address, in pieces.
  private var pieces: [Range<Int>] {
    parts.filter { Self.free.contains($0.label) }.flatMap { text.pieces(in: $0.value) }
  }

  /// The indices of the pieces that are the address; also takes the name.
  private mutating func addressPieces(_ pieces: [Range<Int>]) -> Range<Int> {
    let labelled = parts.first {
      $0.label == .address || $0.label == .addressAndPhone && !text.pieces(in: $0.value).isEmpty
    }
    var sequence = 0..<0
    if let labelled, let first = pieces.firstIndex(where: { labelled.value.contains($0.lowerBound) }) {
      var end = first
      while end < pieces.count, labelled.value.contains(pieces[end].lowerBound) { end += 1 }
      while end < pieces.count, isNextLine(pieces[end - 1], pieces[end]), text.isAddress(pieces[end]),
        text.nameScore(pieces[end]) < 3
      {
        end += 1
      }
      while fields["name"] == nil, end > first + 1, isNameOnly(pieces[end - 1]) { end -= 1 }
      sequence = first..<end
    } else if let start = start(pieces) {
      sequence = start..<end(pieces, from: start)
    }
    takeName(from: pieces, outside: sequence)
    return sequence
  }

  private func isNameOnly(_ piece: Range<Int>) -> Bool {
    text.nameScore(piece) >= 3 && !text.isAddress(piece)
  }

  /// Whether only separators and ends of lines are between two pieces.
  private func isNextLine(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    (one.upperBound..<other.lowerBound).allSatisfy { text.isFree($0) && text.isSeparator($0) }
  }

  /// The pieces from an index on, as far as nothing else is between them.
  private func run(_ pieces: [Range<Int>], from start: Int) -> Range<Int> {
    var end = start + 1
    while end < pieces.count, end - start < 8, isNextLine(pieces[end - 1], pieces[end]) { end += 1 }
    let limit = min(pieces[end - 1].upperBound, pieces[start].lowerBound + 160)
    return pieces[start].lowerBound..<limit
  }

  private func region(_ pieces: [Range<Int>], _ start: Int) -> RegionalAddress? {
    let address = RegionalAddress(street: text.text(run(pieces, from: start)), abbreviates: true)
    return address.province.isEmpty ? nil : address
  }

  /// The first piece that begins an address, which is not a name that is a place's too.
  private func start(_ pieces: [Range<Int>]) -> Int? {
    let regions = pieces.indices.prefix(40).map { region(pieces, $0) }
    let candidates = regions.indices.filter { regions[$0] != nil }
    for index in candidates {
      guard let region = regions[index] else { continue }
      let isName = fields["name"] == nil && pieces[index].count <= 4 && text.nameScore(pieces[index]) > 0
      let run = run(pieces, from: index)
      let street = run.upperBound - region.street.unicodeScalars.count
      let isOther = candidates.contains { later in
        guard later > index, pieces[later].lowerBound >= street, let other = regions[later] else {
          return false
        }
        // 黄石 13800138000 湖北省黄石市: the phone says that the first is the name.
        return other.province != region.province || !region.city.isEmpty && other.city != region.city
          || pieces[later].lowerBound >= run.upperBound
      }
      if isName, isOther { continue }
      return index
    }
    guard fields["name"] != nil || !phones.isEmpty || !labelled.isEmpty else { return nil }
    return pieces.indices.first {
      text.isStreet(pieces[$0]) && pieces[$0].contains(where: text.isDigit)
        || !labelled.isEmpty && text.isAddress(pieces[$0])
    }
  }

  /// Where the address ends that begins with a piece.
  private func end(_ pieces: [Range<Int>], from start: Int) -> Int {
    var end = start + 1
    if let region = region(pieces, start) {
      let run = run(pieces, from: start)
      let street = run.upperBound - region.street.unicodeScalars.count
      while end < pieces.count, pieces[end].lowerBound < street, run.contains(pieces[end].lowerBound) {
        end += 1
      }
      // The street is not a name, but may have any other word.
      let isOver = pieces[end - 1].upperBound <= street
      if isOver, end < pieces.count, isNextLine(pieces[end - 1], pieces[end]), !isNameOnly(pieces[end]),
        pieces[end].count > 1
      {
        end += 1
      }
    }
    while end < pieces.count, isNextLine(pieces[end - 1], pieces[end]) {
      if text.isAddress(pieces[end]),
        !(text.nameScore(pieces[end]) >= 3 && fields["name"] == nil && pieces[end].count < 4)
      {
        end += 1
      } else if end + 1 < pieces.count, isNextLine(pieces[end], pieces[end + 1]),
        text.isAddress(pieces[end + 1]),
        !text.folded[pieces[end].upperBound].isLineBreak, text.nameScore(pieces[end]) < 3
      {
        end += 2
      } else {
        break
      }
    }
    return end
  }
}

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
