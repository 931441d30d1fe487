import VaultInterface

/// Builds a card from another program's data; what has no field becomes an extra field or a warning.
struct CardBuilder {
  /// The card so far.
  private(set) var draft: CardDraft
  private(set) var warnings: [Issue] = []
  let language: Language
  private var labels: Set<String>
  private var tagKeys: Set<[UInt8]> = []
  /// The number to append to a repeated label.
  private var nextNumbers: [String: Int] = [:]

  /// A card of a type without any value.
  init(_ type: CardType, group: CardGroup, language: Language) {
    draft = CardDraft(title: "", group: group, type: type)
    self.language = language
    labels = Self.taken(by: type)
  }

  private static func taken(by type: CardType) -> Set<String> {
    Set(type.template.fields.map(\.key) + ["title", "tags"])
  }

  /// Gives the card its title, on one line: the first of these that is not blank, or a word for none.
  mutating func setTitle(_ choices: String?...) {
    let lines = choices.map { Self.oneLine($0 ?? "") }
    if let title = lines.first(where: { !$0.isBlank }) { draft.title = title }
    guard lines.first?.isBlank ?? true else { return }
    if draft.title.isBlank { draft.title = ImportMessages.untitled[language] }
    warnings.append(Issue(field: "title", code: .titleGiven, message: ImportMessages.titleGiven))
  }

  /// A text without line breaks; one that has none stays as it is.
  private static func oneLine(_ text: String) -> String {
    let lines = text.lines
    return lines.count == 1 ? text : lines.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Sets a field of the template, unless the value is blank.
  mutating func set(_ key: String, _ value: String?) {
    if let value, !value.isBlank { draft.fields[key] = value }
  }

  /// Adds an extra field, unless the value is empty. A repeated label gets a number.
  mutating func addExtra(_ label: String, _ value: String?, concealed: Bool = false) {
    guard let value, !value.isEmpty else { return }
    let base = Self.oneLine(label).trimmed
    let wanted = base.isBlank ? ImportMessages.field[language] : base
    guard wanted.isLonger(than: Limits.label - 10) else {
      draft.extraFields.append(ExtraField(label: free(wanted), value: value, concealed: concealed))
      return
    }
    let short = String(String.UnicodeScalarView(wanted.unicodeScalars.prefix(Limits.label - 20))) + "…"
    draft.extraFields.append(
      ExtraField(label: free(short), value: "\(wanted): \(value)", concealed: concealed))
  }

  /// How many fields are joined where a card has no room for each.
  private static let joinedLimit = 1_000

  /// Joins the extra fields that are too many into the last one.
  private mutating func joinSurplus() {
    let all = draft.extraFields
    guard all.count > Limits.extraFields, all.count <= Self.joinedLimit else { return }
    let surplus = all.dropFirst(Limits.extraFields - 1)
    draft.extraFields = Array(all.prefix(Limits.extraFields - 1))
    addExtra(
      ImportMessages.moreFields[language], surplus.map { "\($0.label): \($0.value)" }.joined(separator: "\n"),
      concealed: surplus.contains(where: \.concealed))
  }

  /// Returns the label, with a number after it if the label is taken.
  private mutating func free(_ wanted: String) -> String {
    if labels.insert(wanted).inserted { return wanted }
    var number = nextNumbers[wanted] ?? 2
    while !labels.insert("\(wanted) \(number)").inserted { number += 1 }
    nextNumbers[wanted] = number + 1
    return "\(wanted) \(number)"
  }

  /// Adds a tag, unless it is blank. One that is too long becomes an extra field.
  mutating func addTag(_ tag: String) {
    let tag = Self.oneLine(tag).trimmed
    guard !tag.isBlank, tagKeys.insert(tag.tagKey).inserted else { return }
    if tag.isLonger(than: Limits.tag) || draft.tags.count == Limits.tags {
      addExtra(ImportMessages.tag[language], tag)
    } else {
      draft.tags.append(tag)
    }
  }

  mutating func pin() {
    draft.pinned = true
  }

  /// Adds a warning that a part of the entry was not imported.
  mutating func warnNotImported(_ field: String, _ what: Localized) {
    warnings.append(Issue(field: field, code: .leftOut, message: ImportMessages.notImported(what)))
  }

  mutating func warn(_ issue: Issue) {
    warnings.append(issue)
  }

  /// The entry of the card.
  /// - Parameter source: the values that the file has for it. Those that no reader took become extra fields.
  func entry(line: Int, dates: EntryDates = EntryDates(), source: [SourceValue]) -> ImportEntry {
    var card = self
    var kept = KeptValues(draft, dates)
    let secrets = draft.extraFields.filter { $0.concealed && $0.value.utf8.count > 2 }.map(\.value)
    for value in source
    where !value.value.isBlank && !value.isNamed(by: warnings) && !kept.contains(value.value) {
      let isSecret = value.isSecret || secrets.contains(where: value.value.contains)
      card.addExtra(value.name, value.value, concealed: isSecret)
    }
    card.joinSurplus()
    return ImportEntry(line: line, card.draft, dates: dates, warnings: warnings, source: source)
  }
}
