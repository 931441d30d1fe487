public import Wire

/// An extra field: one that the user added to the template's.
public struct ExtraField: Hashable, Sendable {
  /// The name that the user gave it; unique within its card.
  public var label: String
  /// The value, which may be empty or have several lines.
  public var value: String
  /// Whether the value is shown on request only, and never matched by a search.
  public var concealed: Bool

  public init(label: String, value: String, concealed: Bool = false) {
    (self.label, self.value, self.concealed) = (label, value, concealed)
  }
}

/// A card of the vault (R1).
public struct Card: Hashable, Sendable {
  /// The identifier, which never changes.
  public let id: Identifier
  /// The number of writes, from 1; a client that names an older one gets a conflict.
  public var revision: Int64
  /// The title, one line.
  public var title: String
  public var group: CardGroup
  /// The template that the card follows; it changes only into one of its ``CardType/kin``.
  public let type: CardType
  /// The tags in the user's order, without duplicates.
  public var tags: [String]
  /// Whether the card is listed before those that are not pinned.
  public var pinned: Bool
  /// When the card was created.
  public var createdAt: Timestamp
  /// When the card was last changed or pinned.
  public var modifiedAt: Timestamp
  /// The values by the keys of the template; a field without a value is absent.
  public var fields: [String: String]
  /// The extra fields, in order.
  public var extraFields: [ExtraField]
  /// Whether the card was deleted, and can be restored for some days: then ``modifiedAt`` is when it was deleted.
  public var isInTrash = false
  /// The pictures and documents that belong to the card, oldest first.
  public var attachments: [Attachment]

  /// Creates a card with revision 1 from a draft.
  /// - Parameters:
  ///   - draft: the contents, already normalised and valid (see ``CardDraft/checked(lacksGroup:)``).
  ///   - id: an identifier that no other card has.
  ///   - time: when the card is created.
  public init(_ draft: CardDraft, id: Identifier, at time: Timestamp) {
    self.init(draft, id: id, revision: 1, createdAt: time, modifiedAt: time)
  }

  /// A card with every part given.
  public init(
    _ draft: CardDraft, id: Identifier, revision: Int64, createdAt: Timestamp, modifiedAt: Timestamp,
    attachments: [Attachment] = []
  ) {
    (self.id, self.revision, self.createdAt, self.modifiedAt) = (id, revision, createdAt, modifiedAt)
    title = draft.title
    group = draft.group
    type = draft.type
    tags = draft.tags
    pinned = draft.pinned
    fields = draft.fields
    extraFields = draft.extraFields
    self.attachments = attachments
  }

  /// The contents without identifier, revision, times and attachments.
  public var draft: CardDraft {
    CardDraft(
      title: title, group: group, type: type, fields: fields, extraFields: extraFields, tags: tags,
      pinned: pinned)
  }

  /// The fields that have a value, in the template's order.
  public var orderedFields: [(field: FieldTemplate, value: String)] {
    type.template.fields.compactMap { field in fields[field.key].map { (field, $0) } }
  }

  /// The bare value of one field (R18), or nil when the card has none of this name.
  /// - Parameter name: a key or a label, as ``Swift/Sequence/named(_:)`` finds it.
  public func value(of name: String) -> String? {
    let values =
      [(FieldName.title, title)] + orderedFields.map { (FieldName($0.field), $0.value) }
      + extraFields.map { (FieldName(extraField: $0.label, isConcealed: $0.concealed), $0.value) }
    let field = values.map(\.0).named(name)
    return values.first { $0.0 == field }?.1
  }

  /// The position of the card in a list (R16).
  public var order: CardOrder {
    CardOrder(pinned: pinned, modifiedAt: modifiedAt, id: id, isInTrash: isInTrash)
  }
}

/// The group of a card (R15). The raw value is used in the protocol.
public enum CardGroup: String, CaseIterable, Hashable, Sendable {
  /// The user's own.
  case personal
  /// A company's.
  case company

  /// The name that a person sees.
  public var label: Localized {
    switch self {
    case .personal: Localized("Personal", "个人")
    case .company: Localized("Company", "公司")
    }
  }
}

/// The template that a card follows (R2, R3, R3b, R4). The raw value is its name on the wire.
public enum CardType: String, CaseIterable, Hashable, Sendable {
  /// A postal address with contact data (R2).
  case address
  /// A company's invoice details (R3).
  case invoice
  /// What an invoice is made out to: a company with its tax ID (R3b).
  case title
  /// A free text (R4).
  case text

  /// The name that a person sees.
  public var label: Localized {
    template.label
  }

  /// The template of this type.
  public var template: CardTemplate {
    switch self {
    case .address: .address
    case .invoice: .invoice
    case .title: .title
    case .text: .text
    }
  }

  /// The types that a card can change into: those with the same fields.
  public var kin: [CardType] {
    switch self {
    case .invoice, .title: [.invoice, .title]
    case .address, .text: [self]
    }
  }
}
