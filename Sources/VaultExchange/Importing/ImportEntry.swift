public import VaultInterface

/// An entry of a file: a card to import, or the reasons why it cannot be imported.
public struct ImportEntry: Hashable, Sendable {
  /// The line in which it begins, from 1.
  public var line: Int
  /// The title; empty if there is none.
  public var title: String
  /// The card, normalised and valid; nil if there are ``issues`` or ``isSkipped`` is true.
  public var draft: CardDraft?
  /// The time of creation; nil if unknown.
  public var createdAt: Timestamp?
  /// The time of the last change; nil if unknown.
  public var modifiedAt: Timestamp?
  public var attachments: [JSONAttachment] = []
  /// The reasons why it cannot be stored.
  public var issues: [Issue] = []
  /// Warnings about what was left out or changed.
  public var warnings: [Issue]
  /// Whether it is skipped on purpose, as entries in a recycle bin are.
  public var isSkipped = false

  /// The values that the file has for it.
  public internal(set) var account = ImportAccount()
  /// Where the values went, until the file has taken note of it.
  fileprivate var places: [ColumnMapping] = []

  /// Creates an entry of a card, which is validated (R21).
  /// - Parameter source: the values that the file has for it, which are sought in the card.
  init(
    line: Int, _ draft: CardDraft, dates: EntryDates = EntryDates(), warnings: [Issue] = [],
    source: [SourceValue]
  ) {
    self.line = line
    title = draft.title
    self.warnings = warnings
    createdAt = dates.created
    modifiedAt = dates.modified
    let draft = draft.normalized()
    let report = draft.validate()
    issues = report.errors
    self.warnings += report.warnings
    if report.isValid { self.draft = draft }
    settle(source)
  }

  /// Creates an entry that cannot be read.
  init(
    line: Int, title: String = "", unreadable message: Localized, field: String = "", source: [SourceValue]
  ) {
    self.line = line
    self.title = title
    warnings = []
    issues = [Issue(field: field, code: .unreadable, message: message)]
    settle(source)
  }

  /// Creates an entry that is skipped on purpose.
  init(line: Int, title: String, notImported message: Localized, source: [SourceValue]) {
    self.line = line
    self.title = title
    warnings = [Issue(field: "", code: .leftOut, message: message)]
    isSkipped = true
    settle(source)
  }

  /// Seeks the values of the file in the card and in the messages.
  private mutating func settle(_ source: [SourceValue]) {
    var kept = draft.map { KeptValues($0, EntryDates(created: createdAt, modified: modifiedAt)) }
    for value in source where !value.value.isBlank {
      account.values += 1
      if let place = kept?.place(of: value.value) {
        account.kept += 1
        places.append(ColumnMapping(column: value.name, target: place))
      } else if kept == nil || value.isNamed(by: warnings) {
        account.named += 1
        places.append(ColumnMapping(column: value.name, target: .ignored))
      }
    }
  }

  /// Leaves out an entry that a card cannot hold, so that the rest of the file is imported.
  mutating func skipIfInvalid() {
    guard !issues.isEmpty else { return }
    warnings = issues.map { issue in
      let (message, intro) = (issue.message, ImportMessages.invalidContact)
      return Issue(
        field: issue.field, code: .leftOut,
        message: Localized(
          "\(intro.english) \(message.english)", "\(intro.simplifiedChinese)\(message.simplifiedChinese)"))
    }
    (issues, isSkipped) = ([], true)
  }
}

/// The times of creation and of the last change; nil if unknown.
struct EntryDates: Hashable {
  var created: Timestamp?
  var modified: Timestamp?
}

/// The entries of a file, and how it was interpreted.
public struct ImportedFile: Hashable, Sendable {
  /// The maximum number of entries.
  public static let entryLimit = 100_000

  public var format: ImportFormat
  public var encoding: TextEncoding
  /// The program that wrote the file; nil if unknown.
  public var source: String?
  /// The target of each column, in order; empty for formats without columns.
  public var mapping: [ColumnMapping] = []
  /// For a file without columns: where the value of each name goes, in the first entry that has one.
  public private(set) var members: [ColumnMapping] = []
  public internal(set) var entries: [ImportEntry] = []
  /// What a person should know about the file as a whole before the import.
  public internal(set) var warnings: [Issue] = []
  /// The values outside of the entries.
  var rest = ImportAccount()
  /// All values of the file.
  public var account: ImportAccount {
    entries.reduce(into: rest) { $0.add($1.account) }
  }
  /// The number of attachments whose card is not in the file.
  var orphanedAttachments = 0
  /// The text of the file, if it holds contents of attachments.
  var text: [UInt8] = []

  /// Whether QuickVault wrote it. Each of its cards was a card of its own then, even if another one has the same values and
  /// differs in its labels, tags, group or attachments only.
  public var isExport: Bool { source == "QuickVault" }

  init(_ format: ImportFormat, _ encoding: TextEncoding, source: String? = nil) {
    (self.format, self.encoding, self.source) = (format, encoding, source)
  }

  mutating func add(_ entry: ImportEntry) throws(ImportError) {
    guard entries.count < Self.entryLimit else { throw .tooManyEntries(limit: Self.entryLimit) }
    entries.append(entry)
    entries[entries.count - 1].places = []
    guard mapping.isEmpty, !isExport else { return }
    for place in entry.places where members.count < Self.memberLimit && names.insert(place.column).inserted {
      members.append(place)
    }
  }

  /// How many names of members are listed.
  private static let memberLimit = 500
  /// The names in ``members``.
  private var names: Set<String> = []

  /// Leaves out the lines between entries.
  mutating func leaveOut(_ count: Int, _ warning: Issue?) {
    rest.values += count
    rest.named += count
    if let warning { warnings.append(warning) }
  }

  /// Adds a warning that a part of an entry was not imported.
  mutating func warnNotImported(_ what: Localized, field: String, at index: Int) {
    guard entries.indices.contains(index) else { return }
    let message = ImportMessages.notImported(what)
    entries[index].warnings.append(Issue(field: field, code: .leftOut, message: message))
  }
}

/// A column and its target.
public struct ColumnMapping: Hashable, Sendable {
  /// The name in the first row.
  public var column: String
  public var target: ColumnTarget
  /// Whether the name says what the column is.
  var isKnown = true

  init(column: String, target: ColumnTarget, isKnown: Bool = true) {
    (self.column, self.target, self.isKnown) = (column, target, isKnown)
  }
}
