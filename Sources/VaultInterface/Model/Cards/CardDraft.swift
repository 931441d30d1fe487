/// The contents of a card: everything but identifier, revision and times.
public struct CardDraft: Hashable, Sendable {
  /// The title, one line.
  public var title: String
  public var group: CardGroup
  /// The template that the card follows.
  public var type: CardType
  /// The values by the keys of the template; before ``normalized()``, also by its labels.
  public var fields: [String: String]
  /// The extra fields.
  public var extraFields: [ExtraField]
  public var tags: [String]
  /// Whether the card is listed before those that are not pinned.
  public var pinned: Bool

  /// Makes a draft, unchecked.
  public init(
    title: String, group: CardGroup, type: CardType, fields: [String: String] = [:],
    extraFields: [ExtraField] = [], tags: [String] = [], pinned: Bool = false
  ) {
    (self.title, self.group, self.type, self.fields) = (title, group, type, fields)
    (self.extraFields, self.tags, self.pinned) = (extraFields, tags, pinned)
  }

  /// The draft as it would be stored.
  ///
  /// A tax number is in capitals (R3). Title, tags, labels and one-line values have no white space at their ends (R21). Of
  /// tags that differ only in case or width the first is kept (R15). A field of the template whose value is blank is
  /// absent. All else stays as it was typed.
  public func normalized() -> CardDraft {
    var draft = self
    draft.title = title.trimmed
    var known: Set<[UInt8]> = []
    draft.tags = tags.map(\.trimmed).filter { known.insert($0.tagKey).inserted }
    draft.extraFields = extraFields.map { field in
      ExtraField(label: field.label.trimmed, value: field.value, concealed: field.concealed)
    }
    draft.fields = type.template.keyed(fields)
    for field in type.template.fields {
      guard let value = draft.fields[field.key] else { continue }
      let stored = field.multiline ? value : value.trimmed
      draft.fields[field.key] =
        value.isBlank ? nil : field.shape == .taxId ? CreditCode.capitals(stored) : stored
    }
    return draft
  }

  /// Returns the draft as it would be stored, and warnings.
  /// - Parameter lacksGroup: whether no group was given, which is an issue.
  /// - Throws: ``InvalidValues`` with all issues at once (R21).
  public func checked(lacksGroup: Bool = false) throws(InvalidValues) -> (draft: CardDraft, warnings: [Issue])
  {
    let (draft, report) = self.report(lacksGroup: lacksGroup)
    guard report.isValid else { throw InvalidValues(report: report) }
    return (draft, report.warnings)
  }

  /// Returns the draft as it would be stored, and everything that is wrong or odd about it.
  func report(lacksGroup: Bool) -> (draft: CardDraft, report: ValidationReport) {
    let draft = normalized()
    var report = draft.validate()
    if lacksGroup {
      let place = report.errors.prefix { $0.field == "title" }.count
      report.errors.insert(.required("group", CardTemplate.groupLabel), at: place)
    }
    return (draft, report)
  }
}

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
