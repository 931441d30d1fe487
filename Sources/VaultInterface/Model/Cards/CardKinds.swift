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
