import VaultInterface

/// A value that a file has for an entry.
struct SourceValue: Hashable {
  /// The name that the file has for it.
  var name: String
  var value: String
  /// Whether the mapping says that it is left out.
  var isIgnored = false
  private let knownSecrecy: Bool?

  /// - Parameter isSecret: nil if its name and value tell.
  init(_ name: String, _ value: String, isSecret: Bool? = nil) {
    (self.name, self.value, knownSecrecy) = (name, value, isSecret)
  }

  /// Whether it becomes a concealed field if no reader knows it.
  var isSecret: Bool {
    knownSecrecy ?? SecretName.isSecret(name, value)
  }

  /// Whether the mapping or a warning says that it was left out: one about it, or about a part of the file that holds it.
  func isNamed(by warnings: [Issue]) -> Bool {
    isIgnored
      || warnings.contains { $0.code == .leftOut && ($0.field == name || name.hasPrefix($0.field + ".")) }
  }
}

/// How many of a file's values are in its cards, and how many a message names: together all of them.
public struct ImportAccount: Hashable, Sendable {
  /// The values of the file, without those that are empty or that only organise the file, such as identifiers.
  public internal(set) var values = 0
  /// The values that are in a card.
  public internal(set) var kept = 0
  /// The values that a warning or an issue names, or that the mapping ignores.
  public internal(set) var named = 0
  /// The values of which neither is true: none.
  public var lost: Int { values - kept - named }

  mutating func add(_ other: ImportAccount) {
    values += other.values
    kept += other.kept
    named += other.named
  }
}

/// Finds values in a card, however they were divided among its parts.
struct KeptValues {
  private let exact: [String: ColumnTarget]
  private let tags: Set<[UInt8]>
  private let dates: EntryDates
  /// The texts as they are compared, the longest first; only few values need them.
  private lazy var folded = exact.map { (text: Self.folded($0.key), target: $0.value) }
    .filter { !$0.text.isEmpty }
    .sorted { ($0.text.count, $1.target.description) > ($1.text.count, $0.target.description) }

  init(_ draft: CardDraft, _ dates: EntryDates) {
    var texts: [(String, ColumnTarget)] = [(draft.title, .title)]
    texts += draft.type.template.fields.compactMap { field in
      draft.fields[field.key].map { ($0, .field(field.key)) }
    }
    for field in draft.extraFields {
      let target = ColumnTarget.extra(field.label, concealed: field.concealed)
      texts += [(field.value, target), (field.label, target)]
      // Fields that were joined for lack of room.
      if field.value.contains("\n") {
        texts += field.value.lines.flatMap { line in
          [(line, target)]
            + line.split(separator: ": ", maxSplits: 1).dropFirst().map { (String($0), target) }
        }
      }
    }
    texts += draft.tags.map { ($0, .tags) } + [(draft.type.rawValue, .type), (draft.group.rawValue, .group)]
    exact = Dictionary(texts) { first, _ in first }
    tags = Set(draft.tags.map(\.tagKey))
    self.dates = dates
  }

  /// Whether a value is in the card: in one of its texts, or divided among several of them.
  mutating func contains(_ value: String) -> Bool { place(of: value) != nil }

  /// The part of the card that has a value, or most of it; nil if the value is not in the card.
  mutating func place(of value: String) -> ColumnTarget? {
    if let target = exact[value] { return target }
    if !tags.isEmpty, value.utf8.count <= 4 * Limits.tag, tags.contains(value.trimmed.tagKey) { return .tags }
    if let time = CSVRow.time(value) {
      if time == dates.created { return .createdAt }
      if time == dates.modified { return .modifiedAt }
    }
    var rest = Self.folded(value)
    if rest.isEmpty { return .ignored }
    var place: ColumnTarget?
    for (text, target) in folded {
      if text.firstRange(of: rest) != nil { return place ?? target }
      let isSure = text.count > 1 || text.allSatisfy(\.properties.isIdeographic)
      guard isSure, text.count <= rest.count, rest.firstRange(of: text) != nil else { continue }
      place = place ?? target
      rest.replace(text, with: [Self.cut])
    }
    for word in Self.implied { rest.replace(word, with: [Self.cut]) }
    let isGone = rest.allSatisfy {
      $0 == Self.cut || !$0.properties.isAlphabetic && $0.properties.numericType == nil
    }
    return isGone ? place : nil
  }

  private static let cut: Unicode.Scalar = "\u{FFFF}"
  /// What an address says without it.
  private static let implied = ["中华人民共和国", "中国", "市辖区", "自治区直辖县级行政区划", "省直辖县级行政区划"].map(folded)

  /// A text without white space, case, escapes and forms of characters.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    RegionalAddress.folded(text.lowercased()).filter {
      !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint && $0 != "\\"
        && $0.properties.generalCategory != .control
    }
  }
}

/// A login, as password managers store it.
struct Login {
  var title = ""
  var userName = ""
  var password = ""
  var websites: [String] = []
  var oneTimePassword = ""
  var notes = ""
  /// Whether the user name is concealed too.
  var concealsUserName = false
  var others: [ExtraField] = []
  var tags: [String] = []
  var isFavourite = false

  /// The text card of the login: its notes are the text, else what tells most; each part besides is a field, and what is
  /// secret is concealed.
  func cardBuilder(group: CardGroup, language: Language) -> CardBuilder {
    var card = CardBuilder(.text, group: group, language: language)
    let website = websites.first { !$0.isBlank }
    let visibleName = concealsUserName ? nil : userName
    card.setTitle(title, website, visibleName)
    let text = [notes, website ?? "", visibleName ?? "", card.draft.title].first { !$0.isBlank }
    card.set("text", text)
    card.addExtra(ImportMessages.userName[language], userName, concealed: concealsUserName)
    card.addExtra(ImportMessages.password[language], password, concealed: true)
    for website in websites where !website.isBlank {
      card.addExtra(ImportMessages.website[language], website)
    }
    card.addExtra(ImportMessages.oneTimePassword[language], oneTimePassword, concealed: true)
    for field in others { card.addExtra(field.label, field.value, concealed: field.concealed) }
    for tag in tags { card.addTag(tag) }
    if isFavourite { card.pin() }
    return card
  }
}

/// The text of a secure note of LastPass, which has a field on each line: `NoteType:Credit Card`, `Number:…`.
struct LastPassNote {
  private(set) var fields: [ExtraField] = []
  private(set) var notes = ""

  /// Reads a text; nil if it is not such a note.
  init?(_ text: String) {
    guard text.hasPrefix("NoteType:") else { return nil }
    var lines = text.lines[...]
    while let line = lines.popFirst() {
      guard let colon = line.firstIndex(of: ":") else {
        if fields.isEmpty { notes += line } else { fields[fields.count - 1].value += "\n" + line }
        continue
      }
      let (label, value) = (String(line[..<colon]), String(line[line.index(after: colon)...]))
      if label == "Notes" {
        notes = ([value] + lines).joined(separator: "\n")
        return
      }
      let isSecret = SecretName.isSecret(label, value)
      if !value.isBlank { fields.append(ExtraField(label: label, value: value, concealed: isSecret)) }
    }
  }
}
