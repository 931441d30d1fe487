import Vault
import VaultExchange
import VaultInterface
import Wire

/// The result of an import, entry by entry.
struct ImportResult: Sendable, Hashable {
  /// The maximum number of listed entries, where each issue and warning counts as one more: an answer must stay
  /// shorter than the longest message.
  static let listLimit = 20_000
  /// The maximum length of a listed title or column name, in code points.
  static let titleLimit = 100
  /// The maximum number of listed issues and warnings of one entry, each.
  static let issueLimit = 20

  var file: ImportedFile
  /// In the order of the entries.
  var outcomes: [ImportOutcome]
  /// The number of attachments that were, or would be, stored.
  var attachments: Int

  init(_ file: ImportedFile, outcomes: [ImportOutcome], attachments: Int) {
    (self.file, self.outcomes, self.attachments) = (file, outcomes, attachments)
  }

  /// - Parameter language: the language of messages.
  func json(in language: Language) -> JSON { ImportReport(self, language: language).json }

  fileprivate func count(_ isCounted: (ImportOutcome) -> Bool) -> Int {
    outcomes.reduce(0) { $0 + (isCounted($1) ? 1 : 0) }
  }

  /// The entries that are listed: those with something to say come first if there are too many.
  fileprivate func listed(in language: Language) -> [ImportReport.Item] {
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
    return outcomes.indices.filter { isListed[$0] }.map {
      ImportReport.Item($0 + 1, file.entries[$0], outcomes[$0], language)
    }
  }
}

extension ImportReport {
  init(_ report: ImportResult, language: Language) {
    let (file, items) = (report.file, report.listed(in: language))
    let hasAttachments = file.attachmentCount > 0
    self.init(
      format: file.format, encoding: file.encoding, source: file.source,
      warnings: file.warnings.prefix(ImportResult.issueLimit).map { IssueJSON($0, in: language) },
      mapping: file.mapping.map(Column.init),
      members: file.members.isEmpty ? nil : file.members.map(Column.init),
      values: Values(file.account),
      total: report.outcomes.count,
      imported: report.count { if case .imported = $0 { true } else { false } },
      duplicates: report.count { $0 == .duplicate }, skipped: report.count { $0 == .skipped }, items: items,
      itemsLeftOut: report.outcomes.count - items.count,
      attachments: hasAttachments ? report.attachments : nil,
      attachmentsLeftOut: hasAttachments ? file.attachmentCount - report.attachments : nil)
  }
}

extension ImportReport.Column {
  fileprivate init(_ mapping: ColumnMapping) {
    self.init(column: mapping.column.shown, target: mapping.target.description.shown)
  }
}

extension ImportReport.Values {
  fileprivate init(_ account: ImportAccount) {
    self.init(total: account.values, kept: account.kept, named: account.named, lost: account.lost)
  }
}

extension ImportReport.Item {
  fileprivate init(_ number: Int, _ entry: ImportEntry, _ outcome: ImportOutcome, _ language: Language) {
    let list = { (issues: [Issue]) in
      issues.prefix(ImportResult.issueLimit).map { IssueJSON($0, in: language) }
    }
    let (outcome, id): (ImportReport.Outcome, Identifier?) =
      switch outcome {
      case .imported(let id): (.imported, id)
      case .ready: (.ready, nil)
      case .duplicate: (.duplicate, nil)
      case .skipped: (.skipped, nil)
      }
    self.init(
      number: number, line: entry.line, title: entry.title.shown, type: entry.draft?.type, outcome: outcome,
      id: id, issues: list(entry.issues),
      warnings: list(entry.warnings))
  }
}

extension String {
  /// The text, cut off after ``ImportResult/titleLimit`` code points.
  fileprivate var shown: String {
    isLonger(than: ImportResult.titleLimit)
      ? String(unicodeScalars.prefix(ImportResult.titleLimit)) + "…" : self
  }
}
