/// The details for an invoice that a pasted text says.
struct PastedInvoice {
  private(set) var text: PastedText
  let parts: [PastedPart]
  /// The values by the keys of an invoice card, without notes.
  private(set) var fields: [String: String] = [:]

  init(_ text: PastedText, _ parts: [PastedPart]) {
    (self.text, self.parts) = (text, parts)
    for part in parts where ![nil, .other, .name].contains(part.label) {
      self.text.take(part.whole.lowerBound..<part.value.lowerBound)
    }
    takeLabelled()
    takeTaxId()
    takeUnlabelled()
    fields["notes"] = self.text.rest
    fields = fields.filter { !$0.value.isEmpty }
  }

  private mutating func set(_ key: String, _ range: Range<Int>) {
    let range = text.trimmed(range)
    guard fields[key] == nil, !range.isEmpty else { return }
    fields[key] = text.joined([range])
    text.take(range)
  }

  private mutating func takeLabelled() {
    for part in parts {
      switch part.label {
      case .company: set("companyName", part.value)
      case .taxId: takeCode(part.value)
      case .phone:
        let phones = text.phones(in: part.value, isService: true, isGlued: false)
        set("phone", phones.first ?? part.value)
      case .bank, .account, .bankAndAccount: takeBank(part)
      case .address, .addressAndPhone: takeAddress(part.value)
      case .province, .city, .district, .region, .township: set("address", part.value)
      default: break
      }
    }
  }

  /// A labelled tax number ends where something else than letters and digits in groups begins.
  private mutating func takeCode(_ value: Range<Int>) {
    let value = text.trimmed(value)
    let end = value.first {
      !text.isDigit($0) && !text.isLetter($0) && !text.isSpace($0) && text.folded[$0] != "-"
    }
    set("taxId", value.lowerBound..<(end ?? value.upperBound))
  }

  private mutating func takeAddress(_ value: Range<Int>) {
    if fields["phone"] == nil, let phone = text.phones(in: value, isService: true).last {
      set("phone", phone)
    }
    guard fields["address"] == nil,
      let first = text.free(in: value).first(where: { !text.trimmed($0).isEmpty })
    else { return }
    set("address", first)
  }

  private mutating func takeBank(_ part: PastedPart) {
    if part.label != .bank || isBank(part.value), let number = text.accountNumber(in: part.value) {
      set("bankAccount", number)
    } else if part.label == .account {
      set("bankAccount", part.value)
    }
    guard part.label != .account || isBank(part.value),
      let first = text.free(in: part.value).first(where: { !text.trimmed($0).isEmpty })
    else { return }
    set("bankName", first)
  }

  private mutating func takeTaxId() {
    guard fields["taxId"] == nil else { return }
    for part in parts where part.label == nil || part.label == .company {
      if let code = text.creditCode(in: part.value) { return set("taxId", code) }
    }
  }

  /// Divides what has no label: lines, and the words of a line.
  private mutating func takeUnlabelled() {
    for part in parts where part.label == nil {
      for piece in text.pieces(in: part.value) where text.free(in: piece) == [piece] {
        if fields["companyName"] == nil, text.isCompany(piece), !isBank(piece) {
          set("companyName", text.trimmed(piece, in: part.value))
          extendBracket("companyName", piece, part.value)
        } else if isBank(piece) {
          takeNumber(after: piece, in: part.value)
          set("bankName", text.free(in: piece).first ?? piece)
        }
      }
    }
    for part in parts where part.label == nil || part.label == .company {
      if fields["phone"] == nil,
        let phone = text.phones(in: part.value, isService: true, isGlued: false).first
      {
        set("phone", phone)
      }
    }
    for part in parts where part.label == nil && fields["bankAccount"] == nil {
      if let number = text.accountNumber(in: part.value) { set("bankAccount", number) }
    }
    for part in parts where part.label == nil && fields["address"] == nil {
      for run in text.free(in: part.value) {
        let run = text.trimmed(run)
        let isKnown = !RegionalAddress(street: text.text(run), abbreviates: true).province.isEmpty
        if !run.isEmpty, isKnown || text.isStreet(run) && run.contains(where: text.isDigit) {
          set("address", run)
          break
        }
      }
    }
  }

  /// Adds the words in brackets behind a company's name: （有限合伙）.
  private mutating func extendBracket(_ key: String, _ piece: Range<Int>, _ value: Range<Int>) {
    guard piece.upperBound < value.upperBound, text.folded[piece.upperBound] == "(",
      let end = (piece.upperBound..<value.upperBound).first(where: { text.folded[$0] == ")" })
    else { return }
    fields[key] = text.text(piece.lowerBound..<end + 1)
    text.take(piece.lowerBound..<end + 1)
  }

  private mutating func takeNumber(after bank: Range<Int>, in value: Range<Int>) {
    guard let number = text.accountNumber(in: bank.lowerBound..<value.upperBound) else { return }
    set("bankAccount", number)
  }

  private func isBank(_ range: Range<Int>) -> Bool {
    let text = text.foldedText(range)
    return ["银行", "支行", "分行", "信用社", "农商行", "信用联社", "营业部", "储蓄所"].contains(where: text.contains)
      && !text.contains("公司")
  }
}

extension PastedText {
  private static let companies = [
    "公司", "厂", "店", "中心", "社", "院", "所", "协会", "学会", "商会", "大学", "学校", "小学", "中学", "局", "委员会", "基金会", "工作室",
    "事务所",
    "集团", "合伙", "企业", "部", "馆", "商行", "经营部", "超市", "合作社", "幼儿园", "有限合伙", "个体工商户", "站",
  ]

  /// Whether a piece is the name of a company or of another organisation.
  func isCompany(_ range: Range<Int>) -> Bool {
    let piece = trimmed(range)
    let text = foldedText(piece).filter { $0 != ")" }
    return piece.count > 3 && Self.companies.contains(where: text.hasSuffix)
  }
}
