/// A change of a card. A part that is nil stays as it is.
public struct CardChange: Hashable, Sendable {
  /// One of the ``CardType/kin`` of the card's type.
  public var type: CardType?
  public var title: String?
  public var group: CardGroup?
  /// The new tags, in place of all old ones.
  public var tags: [String]?
  /// The new values by key or label, merged into the old ones; nil removes a value.
  public var fields: [String: String?]
  /// The new extra fields, which replace all old ones.
  public var extraFields: [ExtraField]?
  public var pinned: Bool?

  public init(
    type: CardType? = nil, title: String? = nil, group: CardGroup? = nil, tags: [String]? = nil,
    fields: [String: String?] = [:],
    extraFields: [ExtraField]? = nil, pinned: Bool? = nil
  ) {
    self.type = type
    (self.title, self.group, self.tags, self.fields) = (title, group, tags, fields)
    (self.extraFields, self.pinned) = (extraFields, pinned)
  }

  /// The contents of a card with the change made, neither normalised nor validated.
  ///
  /// Removing a field that the template does not have leaves an empty value under its key, so that validation names
  /// the unknown key rather than passing over it (R21).
  public func applied(to draft: CardDraft) -> CardDraft {
    var result = draft
    if let type { result.type = type }
    if let title { result.title = title }
    if let group { result.group = group }
    if let tags { result.tags = tags }
    if let extraFields { result.extraFields = extraFields }
    if let pinned { result.pinned = pinned }
    for (key, value) in result.type.template.keyed(fields) {
      let isKnown = result.type.template.field(key) != nil
      result.fields[key] = value ?? (isKnown ? nil : "")
    }
    return result
  }

  /// Whether title, tags and values stay as they are; an earlier version may have stored what is an issue now.
  private var keepsContents: Bool {
    type == nil && title == nil && tags == nil && fields.isEmpty && extraFields == nil
  }

  /// The card with the change made: normalised, validated, its revision one higher and its modification time set (R1).
  /// - Parameters:
  ///   - card: the card as it is stored.
  ///   - time: when the change is made.
  /// - Returns: the changed card, and warnings.
  /// - Throws: ``InvalidValues`` with all issues at once (R21).
  public func applied(
    to card: Card, at time: Timestamp
  ) throws(InvalidValues) -> (card: Card, warnings: [Issue]) {
    if let type, !card.type.kin.contains(type) {
      throw InvalidValues(report: ValidationReport(errors: [.unknownType(card.type)]))
    }
    let applied = applied(to: card.draft)
    let (draft, warnings) = keepsContents ? (applied, []) : try applied.checked()
    return (card.replaced(by: draft, at: time), warnings)
  }
}

extension Card {
  /// Returns the card with other contents: its revision one higher and its modification time set (R1).
  public func replaced(by draft: CardDraft, at time: Timestamp) -> Card {
    Card(
      draft, id: id, revision: revision &+ 1, createdAt: createdAt, modifiedAt: time, attachments: attachments
    )
  }
}
