public import VaultModel

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

  /// Creates an entry of a card, which is validated (R21).
  init(line: Int, _ draft: CardDraft, dates: EntryDates = EntryDates(), warnings: [Issue] = []) {
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
  }

  /// Creates an entry that cannot be read.
  init(line: Int, title: String = "", unreadable message: Localized, field: String = "") {
    self.line = line
    self.title = title
    warnings = []
    issues = [Issue(field: field, code: .unreadable, message: message)]
  }

  /// Creates an entry that is skipped on purpose.
  init(line: Int, title: String, notImported message: Localized) {
    self.line = line
    self.title = title
    warnings = [Issue(field: "", code: .leftOut, message: message)]
    isSkipped = true
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
  public internal(set) var entries: [ImportEntry] = []
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
}

/// How to interpret a file; what is not set is detected.
public struct ImportOptions: Hashable, Sendable {
  /// The format; nil to detect it from the content.
  public var format: ImportFormat?
  /// The targets of columns by name; see ``ColumnTarget``.
  public var mapping: [String: String]
  /// The type of cards whose type the table does not say; nil to detect it from their values.
  public var type: CardType?
  /// The group of cards whose group the file does not say.
  public var group: CardGroup
  /// The language of the labels that cards get.
  public var language: Language

  public init(
    format: ImportFormat? = nil, mapping: [String: String] = [:], type: CardType? = nil,
    group: CardGroup = .personal, language: Language = .english
  ) {
    (self.format, self.mapping, self.type) = (format, mapping, type)
    (self.group, self.language) = (group, language)
  }
}
