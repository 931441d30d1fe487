public import VaultModel

/// One entry of a file: a card to be, or what keeps it from being one.
public struct ImportEntry: Hashable, Sendable {
  /// The line in which it begins, from 1.
  public var line: Int
  /// Its title as far as it has one.
  public var title: String
  /// The card, normalised and valid; nil where ``issues`` or ``isLeftOut`` say why not.
  public var draft: CardDraft?
  /// When it was created, where the file says so.
  public var createdAt: Timestamp?
  /// When it was changed last, where the file says so.
  public var modifiedAt: Timestamp?
  /// What is attached to it.
  public var attachments: [AttachmentInJSON] = []
  /// Everything that keeps it from being stored.
  public var issues: [Issue] = []
  /// What is odd about it, or was left out of it, and is no reason not to store it.
  public var warnings: [Issue]
  /// Whether it is passed over on purpose, as what lies in a recycle bin is.
  public var isLeftOut = false

  /// An entry that is to be a card: it is checked (R21).
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

  /// An entry that cannot be read.
  init(line: Int, title: String = "", unreadable message: Localized, field: String = "") {
    self.line = line
    self.title = title
    warnings = []
    issues = [Issue(field: field, code: .unreadable, message: message)]
  }

  /// An entry that is passed over on purpose.
  init(line: Int, title: String, leftOut message: Localized) {
    self.line = line
    self.title = title
    warnings = [Issue(field: "", code: .leftOut, message: message)]
    isLeftOut = true
  }
}

/// When an entry was created and changed last, as far as a file says so.
struct EntryDates: Hashable {
  var created: Timestamp?
  var modified: Timestamp?
}

/// A file that was read: its entries, and how they were understood.
public struct ImportedFile: Hashable, Sendable {
  /// How many entries a file may have.
  public static let entryLimit = 100_000

  /// The format.
  public var format: ImportFormat
  /// How its text is encoded.
  public var encoding: TextEncoding
  /// The program that the file is from, as far as it can be told.
  public var source: String?
  /// What becomes of each column, in their order; empty for formats without columns.
  public var mapping: [ColumnMapping] = []
  /// The entries in their order.
  public internal(set) var entries: [ImportEntry] = []
  /// How many attachments belong to no card of the file.
  var strayAttachments = 0
  /// The text, where contents of attachments stand in it.
  var text: [UInt8] = []

  init(_ format: ImportFormat, _ encoding: TextEncoding, source: String? = nil) {
    self.format = format
    self.encoding = encoding
    self.source = source
  }

  /// Takes an entry in.
  mutating func add(_ entry: ImportEntry) throws(ImportError) {
    guard entries.count < Self.entryLimit else { throw .tooManyEntries(limit: Self.entryLimit) }
    entries.append(entry)
  }

  /// Notes that something of an entry has no place on a card.
  mutating func noteLeftOut(_ what: Localized, field: String, at index: Int) {
    guard entries.indices.contains(index) else { return }
    let message = Words.leftOut(what)
    entries[index].warnings.append(Issue(field: field, code: .leftOut, message: message))
  }
}

/// What becomes of a column.
public struct ColumnMapping: Hashable, Sendable {
  /// The column's name in the first row.
  public var column: String
  /// What it becomes, as ``ColumnTarget/description`` names it.
  public var target: ColumnTarget
}

/// How a file is to be understood, as far as somebody says so.
public struct ImportOptions: Hashable, Sendable {
  /// The format; nil to go by the content.
  public var format: ImportFormat?
  /// What becomes of columns, by their names: see ``ColumnTarget``.
  public var mapping: [String: String]
  /// The type of the cards that a table does not give one; nil to go by their values.
  public var type: CardType?
  /// The group of cards that the file does not give one.
  public var group: CardGroup
  /// The language of the labels that cards are given.
  public var language: Language

  /// Options; what is not given is left to the file.
  public init(
    format: ImportFormat? = nil, mapping: [String: String] = [:], type: CardType? = nil,
    group: CardGroup = .personal, language: Language = .english
  ) {
    self.format = format
    self.mapping = mapping
    self.type = type
    self.group = group
    self.language = language
  }
}
