/// A pasted text, and which of its characters a field has already. What is left at the end goes to the notes, so nothing is lost.
struct PastedText {
  let scalars: [Unicode.Scalar]
  /// The same characters as they are compared: of usual width, simplified, in lower case.
  let folded: [Unicode.Scalar]
  private var isFree: [Bool]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    folded = Divisions.all.folded(text).map { scalar in
      let folded = TextFolding.lowercaseASCII(TextFolding.foldedWidth(scalar))
      return Self.variants[folded] ?? folded
    }
    isFree = [Bool](repeating: true, count: scalars.count)
  }

  /// Traditional characters of labels.
  private static let variants: [Unicode.Scalar: Unicode.Scalar] = {
    var pairs = Array(
      "話话號号遞递絡络戶户帳账帐账賬账稱称統统碼码稅税識识詳详註注發发貨货單单機机聯联⼈人⼿手⼾户⼝口⾏行⽅方⾦金電电郵邮編编開开銀银會会別别納纳細细備备頭头資资購购買买係系繫系寫写達达"
        .unicodeScalars)[...]
    var variants: [Unicode.Scalar: Unicode.Scalar] = [:]
    while let variant = pairs.popFirst(), let usual = pairs.popFirst() { variants[variant] = usual }
    return variants
  }()

  var whole: Range<Int> { scalars.indices }

  func isFree(_ index: Int) -> Bool { isFree[index] }

  mutating func take(_ range: Range<Int>) {
    for index in range { isFree[index] = false }
  }

  mutating func release(_ range: Range<Int>) {
    for index in range { isFree[index] = true }
  }

  /// The parts of a range that no field has.
  func free(in range: Range<Int>) -> [Range<Int>] {
    runs(in: range) { isFree[$0] }
  }

  /// The pieces of a range between separators and what a field has.
  func pieces(in range: Range<Int>) -> [Range<Int>] {
    runs(in: range) { isFree[$0] && !isSeparator($0) }
  }

  private func runs(in range: Range<Int>, _ belongs: (Int) -> Bool) -> [Range<Int>] {
    var (runs, start): ([Range<Int>], Int?) = ([], nil)
    for index in range {
      if belongs(index) {
        start = start ?? index
      } else if let first = start {
        runs.append(first..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<range.upperBound) }
    return runs
  }

  /// The ranges of the lines that are not empty.
  var lines: [Range<Int>] { runs(in: whole) { !scalars[$0].isLineBreak } }

  // MARK: Characters

  static let colons: Set<Unicode.Scalar> = [":", "=", "︰", "﹕"]
  private static let separators = Set(",、;:|/\\=。.!?~-—–―_·•()[]{}【】「」『』〔〕<>《》〈〉\"“”'‘’*".unicodeScalars)

  /// Whether a character only separates: white space, punctuation or one that is not seen.
  func isSeparator(_ index: Int) -> Bool {
    let scalar = folded[index]
    return isSpace(index) || Self.separators.contains(scalar) || scalar.isLineBreak
  }

  func isSpace(_ index: Int) -> Bool {
    let scalar = folded[index]
    return scalar == " " || scalar == "\t" || scalar.properties.isWhitespace && !scalar.isLineBreak
      || scalar.properties.isDefaultIgnorableCodePoint
  }

  func isDigit(_ index: Int) -> Bool { ("0"..."9").contains(folded[index]) }

  func isHan(_ index: Int) -> Bool { folded[index].properties.isIdeographic }

  func isLetter(_ index: Int) -> Bool { folded[index].properties.isAlphabetic && !isHan(index) }

  /// Whether a word begins at an index: nothing or a separator is before it.
  func isBoundary(_ index: Int) -> Bool { index == 0 || isSeparator(index - 1) }

  func starts(with word: String, at index: Int) -> Bool {
    folded[index...].starts(with: word.unicodeScalars)
  }

  // MARK: Texts

  /// The text of a range as it was typed.
  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  func foldedText(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(folded[range])) }

  /// A range without separators at its ends, but with the brackets around it that belong together.
  /// - Parameter outer: where brackets are looked for; the range itself by default.
  func trimmed(_ range: Range<Int>, in outer: Range<Int>? = nil) -> Range<Int> {
    let outer = outer ?? range
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSeparator(start) { start += 1 }
    while end > start, isSeparator(end - 1) { end -= 1 }
    for (open, close) in [("(", ")"), ("[", "]"), ("【", "】"), ("《", "》"), ("“", "”")]
      as [(Unicode.Scalar, Unicode.Scalar)]
    {
      let depth = folded[start..<end].reduce(0) { $0 + ($1 == open ? 1 : $1 == close ? -1 : 0) }
      if depth == 1, end < outer.upperBound, folded[end] == close { end += 1 }
      if depth == -1, start > outer.lowerBound, folded[start - 1] == open { start -= 1 }
    }
    return start..<end
  }

  /// The free parts of ranges as one line. Parts are joined by a space unless a Chinese character is at the joint.
  func joined(_ ranges: [Range<Int>]) -> String {
    var result = String.UnicodeScalarView()
    for range in ranges.flatMap({ free(in: $0) }) {
      for line in runs(in: range, { !scalars[$0].isLineBreak }) {
        let part = scalars[trimmed(line)]
        guard let first = part.first else { continue }
        if let last = result.last, !last.properties.isIdeographic, !first.properties.isIdeographic {
          result.append(" ")
        }
        result.append(contentsOf: part)
      }
    }
    return String(result)
  }

  /// What no field has: the rest of each line, without the separators around it.
  var rest: String {
    let lines = lines.flatMap { free(in: $0) }.map { text(trimmed($0)) }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension CardDraft {
  /// The length of a text beyond which it is a text card: addresses and details for invoices are shorter.
  static let longestBlock = 2_000

  /// Makes a draft of what somebody pastes: an address with receiver and phone, details for an invoice or its title alone, or any other
  /// text.
  ///
  /// Labels, punctuation and lines may be as people write them, and names of divisions abbreviated. What belongs to no field is
  /// in the notes, and nothing is left out but labels, separators, and names of divisions that are said twice. The draft may lack
  /// required fields. It takes time in proportion to the length of the text.
  public init(pasted text: String) {
    let block = text.trimmed
    if !block.isEmpty, !block.isLonger(than: Self.longestBlock) {
      let characters = PastedText(block)
      let parts = characters.parts()
      if Self.isInvoice(characters, parts) {
        let fields = PastedInvoice(characters, parts).fields
        let hasMore = !Set(fields.keys).isDisjoint(with: ["address", "phone", "bankName", "bankAccount"])
        self = Self.draft(hasMore ? .invoice : .title, fields, fields["companyName"] ?? fields["taxId"])
        return
      }
      let address = PastedAddress(characters, parts)
      if Self.isAddress(address) {
        let fields = address.fields
        self = Self.draft(.address, fields, fields["name"] ?? fields["address"] ?? fields["phone"])
        return
      }
    }
    let first = block.lines.first { !$0.isBlank }?.trimmed ?? ""
    self = Self.draft(
      .text, ["text": text], String(String.UnicodeScalarView(first.unicodeScalars.prefix(40))))
  }

  private static func draft(_ type: CardType, _ fields: [String: String], _ title: String?) -> CardDraft {
    let title = title.map { $0.lines.first ?? "" } ?? ""
    return CardDraft(
      title: title, group: type.kin.contains(.invoice) ? .company : .personal, type: type, fields: fields
    ).normalized()
  }

  private static func isInvoice(_ text: PastedText, _ parts: [PastedPart]) -> Bool {
    let has = { (labels: Set<PastedLabel>) in
      parts.contains { part in part.label.map(labels.contains) ?? false && !text.trimmed(part.value).isEmpty }
    }
    let hasBank = has([.bank, .bankAndAccount]) && has([.account, .bankAndAccount])
    let isCompany = parts.contains { $0.label == .company && text.isCompany($0.value) }
    if has([.taxId]) || isCompany && hasBank { return true }
    return parts.contains {
      ($0.label == nil || $0.label == .company) && text.creditCode(in: $0.value) != nil
    }
      && !has([.name])
  }

  /// Whether a text is an address, and not one that only mentions a place.
  private static func isAddress(_ address: PastedAddress) -> Bool {
    let fields = address.fields
    let street = fields["address"].map { PastedText($0) }
    let hasStreet = street.map { $0.isStreet($0.whole) || $0.isAddress($0.whole) } ?? false
    let hasRegion = fields["province"] != nil
    let hasPlace = hasRegion || fields["address"] != nil
    let hasReceiver = address.has(.name) && address.has(.phone)
    if hasReceiver { return true }
    if address.has(.address, .region, .addressAndPhone), hasRegion || hasStreet { return true }
    if address.has(.name, .phone), hasPlace, hasRegion || hasStreet { return true }
    let notes = fields["notes"]?.unicodeScalars.count ?? 0
    guard notes <= 30, notes <= max(address.length, 12) else { return false }
    if fields["phone"] != nil {
      return hasRegion && (hasStreet || fields["district"] != nil) || hasStreet && fields["name"] != nil
    }
    return hasRegion && street.map { $0.isStreet($0.whole) } ?? false && notes <= 12
      && (fields["name"] != nil || street?.folded.contains { ("0"..."9").contains($0) } ?? false)
  }
}
