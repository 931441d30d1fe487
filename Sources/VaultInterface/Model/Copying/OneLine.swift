extension Card {
  /// The card in one line (R18): for an address `name phone address[ postalCode]`, the address without spaces so that
  /// a parser of addresses sees one part, and numbers without what groups their digits; for other cards the values with a space between.
  var oneLineText: String {
    guard type == .address else {
      let values = orderedFields.map(\.value) + extraFields.map(\.value)
      return values.map(Self.oneLine).filter { !$0.isEmpty }.joined(separator: " ")
    }
    let address = Self.compact(provinceAndCity + [fields["district"] ?? "", fields["address"] ?? ""])
    let numbers = withPlainNumbers.fields
    let parts = [fields["name"], numbers["phone"], address, numbers["postalCode"]]
    return parts.compactMap { $0.map(Self.oneLine) }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Province and city; one of them where both name the same municipality, as in 北京市 北京市 or 北京 北京市.
  private var provinceAndCity: [String] {
    let province = fields["province"]?.trimmed ?? ""
    let city = fields["city"]?.trimmed ?? ""
    if province == city || city == province + "市" { return [city] }
    return province == city + "市" ? [province] : [province, city]
  }

  /// The text with its lines joined by one space.
  private static func oneLine(_ text: String) -> String {
    text.lines.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Joins the parts without white space, except for one space between two words of ASCII letters or digits.
  private static func compact(_ parts: [String]) -> String {
    let words = parts.flatMap { $0.unicodeScalars.split { $0.properties.isWhitespace } }
    var result = String.UnicodeScalarView()
    for word in words {
      if let last = result.last, let first = word.first, last.isASCII, first.isASCII { result.append(" ") }
      result.append(contentsOf: word)
    }
    return String(result)
  }
}
