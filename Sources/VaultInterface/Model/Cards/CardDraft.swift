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
