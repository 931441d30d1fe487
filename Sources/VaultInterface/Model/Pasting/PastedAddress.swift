/// The address that a pasted text says: receiver, phone, divisions, street.
struct PastedAddress {
  var text: PastedText
  let parts: [PastedPart]
  /// The values by the keys of an address card, without notes.
  var fields: [String: String] = [:]
  /// What the address has of the text.
  var length = 0
  var phones: [Range<Int>] = []
  /// The values of labels that name a division.
  var labelled: [PastedLabel: String] = [:]

  init(_ text: PastedText, _ parts: [PastedPart]) {
    (self.text, self.parts) = (text, parts)
    for part in parts where !Self.kept.contains(part.label) {
      self.text.take(part.whole.lowerBound..<part.value.lowerBound)
    }
    takePhones()
    takePostalCode()
    takeName()
    takeRegions()
    takeStreet()
    for phone in phones.dropFirst() { self.text.release(phone) }
    fields["notes"] = self.text.rest
    fields = fields.filter { !$0.value.isEmpty }
  }

  /// Labels that stay in the notes with their values.
  private static let kept: Set<PastedLabel?> = [
    nil, .other, .company, .taxId, .bank, .account, .bankAndAccount,
  ]
  /// Labels whose values may be a part of the address, beside text without a label.
  static let free: Set<PastedLabel?> = [nil, .address, .addressAndPhone, .name, .phone, .postalCode]

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
    if phones.isEmpty, ["香港", "澳门"].contains(where: text.foldedText(text.whole).contains) {
      phones = parts.compactMap { text.shortNumber(in: $0.value) }
      for phone in phones { text.take(phone) }
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

  /// Whether a name goes on: 张三 先生, John Smith.
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

  /// Takes the name from the pieces that are not the address, or from its end in front of a phone.
  mutating func takeName(from pieces: [Range<Int>], outside sequence: Range<Int>) {
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
    let name = text.withNumber(name)
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
}
