public import JSON
public import Identifiers
public import JSONRPC
public import VaultExchange
public import VaultModel

/// What an import did, or would do, with each entry of a file.
public struct ImportReport: Sendable, Hashable {
  /// How many entries are listed at the most, each issue and warning counting as one more: an answer has to stay shorter
  /// than a message may be.
  public static let listLimit = 20_000
  /// How many code points of a title are shown.
  public static let titleLimit = 100
  /// How many issues and warnings of one entry are shown.
  public static let issueLimit = 20

  /// What became of an entry.
  public enum Outcome: Sendable, Hashable {
    /// It is a card of this id now.
    case imported(Identifier)
    /// It can be stored, and was not: nothing was.
    case ready
    /// The vault, or an entry before it, has the same content.
    case duplicate
    /// It cannot be stored, or was passed over on purpose: its issues and warnings say why.
    case skipped
  }

  /// The file as it was understood.
  public var file: ImportedFile
  /// What became of its entries, in their order.
  public var outcomes: [Outcome]

  /// How many attachments were stored with their cards, or would be.
  public var attachments: Int

  /// A report of the given parts.
  public init(_ file: ImportedFile, outcomes: [Outcome], attachments: Int) {
    self.file = file
    self.outcomes = outcomes
    self.attachments = attachments
  }

  /// A report in a language.
  public struct Localized: JSONConvertible {
    private let report: ImportReport
    private let language: Language

    /// The report in this language.
    public init(_ report: ImportReport, language: Language) {
      self.report = report
      self.language = language
    }

    /// The report on the wire.
    public var json: JSON { report.json(in: language) }
  }

  /// The report on the wire.
  /// - Parameter language: the language of messages.
  public func json(in language: Language) -> JSON {
    let items = listed(in: language)
    var members: [JSON.Member] = [
      .init("format", .string(file.format.rawValue)), .init("encoding", .string(file.encoding.rawValue)),
    ]
    if let source = file.source { members.append(.init("source", .string(source))) }
    let mapping = file.mapping.map { column -> JSON in
      ["column": .string(column.column), "target": .string(column.target.description)]
    }
    members += [
      .init("mapping", .array(mapping)), .init("total", .integer(outcomes.count)),
      .init("imported", .integer(count { if case .imported = $0 { true } else { false } })),
      .init("duplicates", .integer(count { $0 == .duplicate })),
      .init("skipped", .integer(count { $0 == .skipped })), .init("items", .array(items)),
      .init("itemsLeftOut", .integer(outcomes.count - items.count)),
    ]
    if file.attachmentCount > 0 {
      members += [
        .init("attachments", .integer(attachments)),
        .init("attachmentsLeftOut", .integer(file.attachmentCount - attachments)),
      ]
    }
    return .object(members)
  }

  private func count(_ isCounted: (Outcome) -> Bool) -> Int {
    outcomes.reduce(0) { $0 + (isCounted($1) ? 1 : 0) }
  }

  /// The entries as far as there is room, those that nothing is to be said about giving way to the others.
  private func listed(in language: Language) -> [JSON] {
    let isRemarkable = zip(file.entries, outcomes).map { entry, outcome in
      switch outcome {
      case .imported, .ready: !entry.warnings.isEmpty
      case .duplicate, .skipped: true
      }
    }
    let weights = file.entries.map {
      1 + min($0.issues.count, Self.issueLimit) + min($0.warnings.count, Self.issueLimit)
    }
    var room = Self.listLimit
    var isListed = [Bool](repeating: false, count: outcomes.count)
    for wanted in [true, false] {
      for index in outcomes.indices where isRemarkable[index] == wanted && weights[index] <= room {
        isListed[index] = true
        room -= weights[index]
      }
    }
    return outcomes.indices.filter { isListed[$0] }.map { item(file.entries[$0], outcomes[$0], language) }
  }

  private func item(_ entry: ImportEntry, _ outcome: Outcome, _ language: Language) -> JSON {
    var members: [JSON.Member] = [
      .init("line", .integer(entry.line)), .init("title", .string(shown(entry.title))),
    ]
    switch outcome {
    case .imported(let id):
      members += [.init("outcome", "imported"), .init("id", .string(id.description))]
    case .ready: members.append(.init("outcome", "ready"))
    case .duplicate: members.append(.init("outcome", "duplicate"))
    case .skipped: members.append(.init("outcome", "skipped"))
    }
    let list = { (issues: [Issue]) -> JSON in
      .array(issues.prefix(Self.issueLimit).map { $0.json(in: language) })
    }
    return .object(members + [.init("issues", list(entry.issues)), .init("warnings", list(entry.warnings))])
  }

  private func shown(_ title: String) -> String {
    guard title.isLonger(than: Self.titleLimit) else { return title }
    return String(title.unicodeScalars.prefix(Self.titleLimit)) + "…"
  }
}
