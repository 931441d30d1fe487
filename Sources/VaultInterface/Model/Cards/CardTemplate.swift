/// One field of a card template.
public struct FieldTemplate: Hashable, Sendable {
  /// The field's name on the wire, in the vault and in copy templates.
  public let key: String
  /// The name that a person sees.
  public let label: Localized
  /// Whether a card must have a value here; a district only where there are districts.
  public let required: Bool
  /// Whether the value may have several lines.
  public let multiline: Bool
  /// Whether the value is shown on request only, and never matched by a search.
  public let concealed: Bool
  /// What the value is.
  public let shape: Shape

  /// What a value is, which says how it is checked (R21), and what groups its digits.
  public enum Shape: Hashable, Sendable {
    case text
    /// A phone number (R2), also one for a whole country where `isService` says so.
    case phone(isService: Bool)
    /// A unified social credit code (R3).
    case taxId
    /// The number of an account or a place, unchecked.
    case number
  }

  package init(
    _ key: String, _ label: Localized, required: Bool = true, multiline: Bool = false,
    concealed: Bool = false,
    shape: Shape = .text
  ) {
    (self.key, self.label, self.required) = (key, label, required)
    (self.multiline, self.concealed, self.shape) = (multiline, concealed, shape)
  }
}

/// The fields that a type of card has, in the order in which they are shown, stored and copied.
public struct CardTemplate: Hashable, Sendable {
  public let type: CardType
  /// The name that a person sees.
  public let label: Localized
  /// The fields in order.
  public let fields: [FieldTemplate]

  package init(type: CardType, label: Localized, fields: [FieldTemplate]) {
    (self.type, self.label, self.fields) = (type, label, fields)
  }

  /// Every template.
  public static let all: [CardTemplate] = CardType.allCases.map(\.template)

  /// The field of a key, or nil when the template has none.
  public func field(_ key: String) -> FieldTemplate? {
    fields.first { $0.key == key }
  }

  /// The address card (R2).
  public static let address = CardTemplate(
    type: .address, label: Localized("Address", "地址"),
    fields: [
      FieldTemplate("name", Localized("Name", "姓名")),
      FieldTemplate("phone", Localized("Phone", "电话"), shape: .phone(isService: false)),
      FieldTemplate("province", Localized("Province", "省")),
      FieldTemplate("city", Localized("City", "市")),
      FieldTemplate("district", Localized("District", "区")),
      FieldTemplate("address", Localized("Address", "详细地址"), multiline: true),
      FieldTemplate("postalCode", Localized("Postal code", "邮编"), required: false, shape: .number),
      FieldTemplate("notes", Localized("Notes", "备注"), required: false, multiline: true),
    ])

  /// The invoice card (R3).
  public static let invoice = CardTemplate(
    type: .invoice, label: Localized("Invoice", "发票"), fields: invoiceFields(areRequired: true))

  /// The card with what an invoice is made out to, which may lack all but name and tax ID (R3b).
  public static let title = CardTemplate(
    type: .title, label: Localized("Invoice title", "发票抬头"), fields: invoiceFields(areRequired: false))

  private static func invoiceFields(areRequired required: Bool) -> [FieldTemplate] {
    [
      FieldTemplate("companyName", Localized("Company name", "公司名称")),
      FieldTemplate("taxId", Localized("Tax ID", "税号"), shape: .taxId),
      FieldTemplate("address", Localized("Address", "地址"), required: required),
      FieldTemplate("phone", Localized("Phone", "电话"), required: required, shape: .phone(isService: true)),
      FieldTemplate("bankName", Localized("Bank", "开户行"), required: required),
      FieldTemplate("bankAccount", Localized("Bank account", "银行账号"), required: required, shape: .number),
      FieldTemplate("notes", Localized("Notes", "备注"), required: false, multiline: true),
    ]
  }

  /// The text card (R4).
  public static let text = CardTemplate(
    type: .text, label: Localized("Text", "文本"),
    fields: [FieldTemplate("text", Localized("Text", "正文"), multiline: true)])

  /// The name of a card's title that a person sees; its key is `title`.
  public static let titleLabel = Localized("Title", "标题")
  /// The name of a card's group that a person sees; its key is `group`.
  public static let groupLabel = Localized("Group", "分组")
  /// The name of a card's type that a person sees; its key is `type`.
  public static let typeLabel = Localized("Type", "类型")
  /// The name of a card's tags that a person sees; their key is `tags`.
  public static let tagsLabel = Localized("Tags", "标签")
}
