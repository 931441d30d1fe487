/// The address that a pasted text says: receiver, phone, divisions, street.
struct PastedAddress {
  private(set) var text: PastedText
  let parts: [PastedPart]
  /// The values by the keys of an address card, without notes.
  private(set) var fields: [String: String] = [:]
  /// What the address has of the text.
  private(set) var length = 0
  private var phones: [Range<Int>] = []

  init(_ text: PastedText, _ parts: [PastedPart]) {
    (self.text, self.parts) = (text, parts)
    for part in parts where Self.kept.contains(part.label) == false {
      self.text.take(part.whole.lowerBound..<part.value.lowerBound)
    }
    takePhones()
    takePostalCode()
    takeName()
    takeRegions()
    let pieces = self.pieces
    let address = addressPieces(pieces)
    takeAddress(address.map { pieces[$0] }, pieces, address)
    for phone in phones.dropFirst() { self.text.release(phone) }
    fields["notes"] = self.text.rest
    fields = fields.filter { !$0.value.isEmpty }
  }

  /// Labels that stay in the notes with their values.
  private static let kept: Set<PastedLabel?> = [
    nil, .other, .company, .taxId, .bank, .account, .bankAndAccount,
  ]
  /// Labels whose values may be a part of the address, beside text without a label.
  private static let free: Set<PastedLabel?> = [nil, .address, .addressAndPhone, .name, .phone, .postalCode]

  private var regionWords: [String] = []
  private var labelled: [PastedLabel: String] = [:]

  /// Whether a part has a label that is written as one.
  func has(_ labels: PastedLabel...) -> Bool {
    parts.contains { part in part.isExplicit && part.label.map(labels.contains) ?? false }
  }

  // MARK: Numbers and names

  private mutating func takePhones() {
    for part in parts where Self.free.contains(part.label) || part.label == .region {
      var found = text.phones(in: part.value)
      if part.label == .phone, found.isEmpty {
        let value = text.trimmed(part.value)
        if value.filter(text.isDigit).count >= 5, value.count <= 30 { found = [value] }
      }
      for phone in found { text.take(phone) }
      phones += found
    }
    phones.sort { $0.lowerBound < $1.lowerBound }
    // 138… 或 139…
    for phone in phones.dropFirst() where phone.lowerBound > 0 {
      let before = phone.lowerBound - 1
      if ["或", "和", "及"].contains(text.folded[before]), phones.contains(where: { $0.upperBound == before }) {
        text.take(before..<before + 1)
      }
    }
    fields["phone"] = phones.first.map { text.text($0) }
  }

  private mutating func takePostalCode() {
    for part in parts where part.label == .postalCode {
      let value = text.pieces(in: part.value).first { $0.contains(where: text.isDigit) }
      guard let value, fields["postalCode"] == nil else { continue }
      fields["postalCode"] = text.text(value)
      text.take(value)
    }
    guard fields["postalCode"] == nil else { return }
    for part in parts where Self.free.contains(part.label) {
      guard let code = text.postalCode(in: part.value) else { continue }
      fields["postalCode"] = text.text(code)
      return text.take(code)
    }
  }

  private mutating func takeName() {
    for part in parts where part.label == .name && fields["name"] == nil {
      var pieces = text.pieces(in: part.value)[...]
      guard var name = pieces.popFirst() else { continue }
      while let next = pieces.popFirst(), isContinued(name, by: next) {
        name = name.lowerBound..<next.upperBound
      }
      takeName(name)
    }
  }

  /// Whether a name goes on: 张三 先生, John Smith, 张三[1234].
  private func isContinued(_ name: Range<Int>, by next: Range<Int>) -> Bool {
    guard (name.upperBound..<next.lowerBound).allSatisfy(text.isSpace) else { return false }
    if name.allSatisfy(text.isLetter), next.allSatisfy(text.isLetter) { return true }
    return ["先生", "女士", "小姐", "老师", "经理"].contains(text.foldedText(next))
  }

  private mutating func takeRegions() {
    for part in parts {
      guard let label = part.label, [.province, .city, .district, .region, .township].contains(label) else {
        continue
      }
      let value = text.joined([part.value])
      guard !value.isEmpty, labelled[label] == nil else { continue }
      labelled[label] = value
      length += part.value.count
      text.take(part.value)
    }
  }

  // MARK: The street

  /// What is left of the parts that may have the address, in pieces.
  private var pieces: [Range<Int>] {
    parts.filter { Self.free.contains($0.label) }.flatMap { text.pieces(in: $0.value) }
  }

  /// The indices of the pieces that are the address; also takes the name.
  private mutating func addressPieces(_ pieces: [Range<Int>]) -> Range<Int> {
    var pieces = pieces
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
    takeNamePiece(&pieces, outside: sequence)
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
  private mutating func start(_ pieces: [Range<Int>]) -> Int? {
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
        return other.province != region.province || !region.city.isEmpty && other.city != region.city
      }
      if isName, isOther { continue }
      return index
    }
    let hasLabel = fields["name"] != nil || !phones.isEmpty
    return hasLabel || labelled.isEmpty == false
      ? pieces.indices.first {
        text.isStreet(pieces[$0]) && pieces[$0].contains(where: text.isDigit)
          || !labelled.isEmpty && text.isAddress(pieces[$0])
      }
      : nil
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

  private mutating func takeNamePiece(_ pieces: inout [Range<Int>], outside sequence: Range<Int>) {
    guard fields["name"] == nil else { return }
    var candidates: [Range<Int>] = []
    for index in pieces.indices where !sequence.contains(index) {
      if let last = candidates.last, isContinued(last, by: pieces[index]) {
        candidates[candidates.count - 1] = last.lowerBound..<pieces[index].upperBound
      } else {
        candidates.append(pieces[index])
      }
    }
    let scored = candidates.map { piece in
      let score = text.nameScore(piece)
      return score == 0 ? 0 : score + (isBesidePhone(piece) ? 2 : 0) - (text.isAddress(piece) ? 1 : 0)
    }
    if let best = scored.max(), best >= 3 || best > 0 && candidates.count == 1,
      let index = scored.firstIndex(of: best)
    {
      takeName(candidates[index])
    } else if let last = sequence.last, isBesidePhone(pieces[last]),
      let name = text.nameAtEnd(of: pieces[last])
    {
      takeName(name)
    }
  }

  private mutating func takeName(_ name: Range<Int>) {
    fields["name"] = text.text(text.withoutReceived(name))
    text.take(name)
    // 张三（收）
    guard let mark = text.pieces(in: name.upperBound..<text.whole.upperBound).first,
      ["收", "亲收", "收件", "启"].contains(text.foldedText(mark)),
      (name.upperBound..<mark.lowerBound).allSatisfy(text.isSeparator)
    else { return }
    text.take(mark)
  }

  private func isBesidePhone(_ piece: Range<Int>) -> Bool {
    phones.contains { phone in
      let gap =
        phone.lowerBound > piece.lowerBound
        ? piece.upperBound..<max(phone.lowerBound, piece.upperBound)
        : phone.upperBound..<max(piece.lowerBound, phone.upperBound)
      return gap.allSatisfy { text.isSeparator($0) || !text.isFree($0) }
    }
  }

  private mutating func takeAddress(_ address: [Range<Int>], _ pieces: [Range<Int>], _ indices: Range<Int>) {
    var street = ""
    if let first = address.first, let last = address.last {
      let part = parts.first { $0.value.contains(last.lowerBound) }?.value ?? last
      var range = text.trimmed(
        first.lowerBound..<last.upperBound, in: first.lowerBound..<max(part.upperBound, last.upperBound))
      // A name at the end may have been taken from it.
      while let end = range.last, !text.isFree(end) {
        range = range.dropLast().startIndex..<range.upperBound - 1
      }
      street = text.joined([range])
      length += range.count
      for piece in text.free(in: range) { text.take(piece) }
    }
    let result = PastedRegions.read(labelled, street: street)
    (fields["province"], fields["city"], fields["district"], fields["address"]) = (
      result.province, result.city, result.district, result.street
    )
  }
}
