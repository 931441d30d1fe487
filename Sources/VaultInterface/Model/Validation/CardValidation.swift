extension CardDraft {
  /// Everything that is wrong or odd about the draft, in the order of a card's parts (R21).
  ///
  /// The draft must be ``normalized()``. Of too many fields, the first ones are checked.
  public func validate() -> ValidationReport {
    let issues = titleIssues + tagIssues + fieldIssues + unknownFieldIssues + extraFieldIssues
    return ValidationReport(errors: issues.isEmpty ? sizeIssues : issues, warnings: warnings)
  }

  private var titleIssues: [Issue] {
    if title.isBlank { return [.required("title", CardTemplate.titleLabel)] }
    return textIssues("title", CardTemplate.titleLabel, title, limit: Limits.title, multiline: false)
  }

  /// At most one issue of each code, because they all concern the one list.
  private var tagIssues: [Issue] {
    let label = CardTemplate.tagsLabel
    var issues: [Issue] = []
    if tags.count > Limits.tags { issues.append(.tooMany("tags", label, limit: Limits.tags)) }
    if tags.contains(where: \.isBlank) {
      let message = Localized("A tag must not be empty.", "标签不能为空。")
      issues.append(Issue(field: "tags", code: .required, message: message))
    }
    if tags.contains(where: { $0.isLonger(than: Limits.tag) }) {
      let message = Localized(
        "A tag is longer than \(Limits.tag) characters.", "标签超过 \(Limits.tag) 个字符。")
      issues.append(Issue(field: "tags", code: .tooLong, message: message))
    }
    if tags.contains(where: { $0.hasInvalidCharacter(multiline: false) }) {
      issues.append(.invalidCharacter("tags", label, multiline: false))
    }
    return issues
  }

  private var fieldIssues: [Issue] {
    type.template.fields.flatMap { field -> [Issue] in
      guard let value = fields[field.key], !value.isBlank else {
        return isRequired(field) ? [.required(field.key, field.label)] : []
      }
      let issues = textIssues(
        field.key, field.label, value, limit: Limits.value, multiline: field.multiline)
      return issues.isEmpty ? shapeIssues(field, value) : issues
    }
  }

  /// A district is required where there are districts (R2).
  private func isRequired(_ field: FieldTemplate) -> Bool {
    guard type == .address, field.key == "district" else { return field.required }
    return RegionalAddress.needsDistrict(province: fields["province"] ?? "", city: fields["city"] ?? "")
  }

  private func shapeIssues(_ field: FieldTemplate, _ value: String) -> [Issue] {
    switch field.shape {
    case .phone(let isService):
      guard !PhoneNumber.isValid(value, allowsService: isService) else { return [] }
      let message = Localized(
        "Phone must be an 11-digit mobile number, a landline with area code, or start with + and a country code.",
        "电话应为 11 位手机号、带区号的固定电话，或以 + 和国家代码开头。")
      return [Issue(field: field.key, code: .phone, message: message)]
    case .taxId where !CreditCode.hasShape(value):
      let message = Localized(
        "Tax ID must be 18 digits and letters, without I, O, S, V and Z; the 3rd to 8th are digits.",
        "税号应为 18 位，由数字和字母组成，不含 I、O、S、V、Z，其中第 3 至 8 位为数字。")
      return [Issue(field: field.key, code: .taxId, message: message)]
    default:
      return []
    }
  }

  private var unknownFieldIssues: [Issue] {
    fields.keys.filter { type.template.field($0) == nil }.sorted().prefix(Limits.extraFields).map { key in
      let message = Localized(
        "\(type.label.english) cards have no such field.", "“\(type.label.simplifiedChinese)”卡片没有该字段。")
      return Issue(field: key, code: .unknownField, message: message)
    }
  }

  private var extraFieldIssues: [Issue] {
    let listLabel = Localized("Extra fields", "自定义字段")
    var issues: [Issue] = []
    if extraFields.count > Limits.extraFields {
      issues.append(.tooMany("extraFields", listLabel, limit: Limits.extraFields))
    }
    var seen: Set<String> = ["title", "tags"]
    seen.formUnion(type.template.fields.map(\.key))
    for (index, field) in extraFields.prefix(Limits.extraFields).enumerated() {
      issues += labelIssues("extraFields[\(index)].label", field.label, seen: &seen)
      issues += textIssues(
        "extraFields[\(index)].value", Localized("The extra field", "自定义字段"), field.value,
        limit: Limits.value, multiline: true)
    }
    return issues
  }

  /// Concerns the card as a whole, whose parts are each within their limits, and is shown at its longest value.
  private var sizeIssues: [Issue] {
    guard byteCount > Limits.cardBytes else { return [] }
    let message = Localized(
      "The texts of a card may have \(Limits.cardBytes) bytes together; these have \(byteCount).",
      "一张卡片的全部文本合计不得超过 \(Limits.cardBytes) 字节，现有 \(byteCount) 字节。")
    return [Issue(field: longestField, code: .tooLong, message: message)]
  }

  private var longestField: String {
    var (longest, field) = (title.utf8.count, "title")
    let values =
      type.template.fields.map { ($0.key, fields[$0.key] ?? "") }
      + extraFields.enumerated().map { ("extraFields[\($0)].value", $1.value) }
    for (key, value) in values where value.utf8.count > longest {
      (longest, field) = (value.utf8.count, key)
    }
    return field
  }

  /// The size of all texts in bytes of UTF-8.
  private var byteCount: Int {
    title.utf8.count + tags.reduce(0) { $0 + $1.utf8.count } + fields.values.reduce(0) { $0 + $1.utf8.count }
      + extraFields.reduce(0) { $0 + $1.label.utf8.count + $1.value.utf8.count }
  }

  private func labelIssues(_ path: String, _ label: String, seen: inout Set<String>) -> [Issue] {
    if label.isBlank {
      let message = Localized("An extra field must have a label.", "自定义字段必须有名称。")
      return [Issue(field: path, code: .emptyLabel, message: message)]
    }
    guard seen.insert(label).inserted else {
      let message = Localized("This label is already in use on the card.", "此卡片已有同名字段。")
      return [Issue(field: path, code: .duplicateLabel, message: message)]
    }
    let name = Localized("The label", "名称")
    return textIssues(path, name, label, limit: Limits.label, multiline: false)
  }

  private func textIssues(
    _ path: String, _ label: Localized, _ text: String, limit: Int, multiline: Bool
  ) -> [Issue] {
    var issues: [Issue] = []
    if text.isLonger(than: limit) { issues.append(.tooLong(path, label, limit: limit)) }
    if text.hasInvalidCharacter(multiline: multiline) {
      issues.append(.invalidCharacter(path, label, multiline: multiline))
    }
    return issues
  }

  private var warnings: [Issue] {
    guard let field = type.template.fields.first(where: { $0.shape == .taxId }),
      let taxId = fields[field.key], CreditCode.hasShape(taxId)
    else { return [] }
    if CreditCode.isOneCharacter(taxId) {
      let message = Localized(
        "The tax ID is one character 18 times; is that right?", "税号由同一个字符重复 18 次组成，是否正确？")
      return [Issue(field: "taxId", code: .repeatedCharacter, message: message)]
    }
    guard !CreditCode.hasMatchingCheckCharacter(taxId) else { return [] }
    let message = Localized(
      "The check character of the tax ID does not match; is there a typing error?", "税号的校验码不符，是否输入有误？")
    return [Issue(field: "taxId", code: .checkCharacter, message: message)]
  }
}
