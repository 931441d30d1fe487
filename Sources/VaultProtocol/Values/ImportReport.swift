package import Identifiers
package import JSON
package import VaultExchange
package import VaultModel

/// The result of an import, entry by entry.
package struct ImportReport: Sendable, Hashable {
  /// The maximum number of listed entries, where each issue and warning counts as one more: an answer must stay
  /// shorter than the longest message.
  package static let listLimit = 20_000
  /// The maximum length of a listed title or column name, in code points.
  package static let titleLimit = 100
  /// The maximum number of listed issues and warnings of one entry, each.
  package static let issueLimit = 20

  package var file: ImportedFile
  /// In the order of the entries.
  package var outcomes: [ImportOutcome]
  /// The number of attachments that were, or would be, stored.
  package var attachments: Int

  package init(_ file: ImportedFile, outcomes: [ImportOutcome], attachments: Int) {
    (self.file, self.outcomes, self.attachments) = (file, outcomes, attachments)
  }

  /// - Parameter language: the language of messages.
  package func json(in language: Language) -> JSON { Localized(self, language: language).json }

  fileprivate func count(_ isCounted: (ImportOutcome) -> Bool) -> Int {
    outcomes.reduce(0) { $0 + (isCounted($1) ? 1 : 0) }
  }

  /// The entries that are listed: those with something to say come first if there are too many.
  fileprivate func listed(in language: Language) -> [Localized.Item] {
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
      Localized.Item(file.entries[$0], outcomes[$0], language)
    }
  }
}

extension ImportReport {
  /// The report in a language, as it is sent.
  package struct Localized: ResultObject, Hashable {
    package enum Outcome: String, CaseIterable, JSONCodable {
      case imported, ready, duplicate, skipped
    }

    package struct Column: ResultObject, Hashable {
      package var column: String
      package var target: String

      package static let coder = ObjectCoder(
        Self.init, .required("column", \.column), .required("target", \.target))
    }

    package struct Item: ResultObject, Hashable {
      package var line: Int
      package var title: String
      package var outcome: Outcome
      /// The id of the card that was stored.
      package var id: Identifier?
      package var issues: [IssueJSON]
      package var warnings: [IssueJSON]

      package static let coder = ObjectCoder(
        Self.init, .required("line", \.line), .required("title", \.title), .required("outcome", \.outcome),
        .optional("id", \.id), .required("issues", \.issues), .required("warnings", \.warnings))
    }

    package var format: ImportFormat
    package var encoding: TextEncoding
    /// The program that wrote the file, if it is known.
    package var source: String?
    package var mapping: [Column]
    package var total, imported, duplicates, skipped: Int
    package var items: [Item]
    package var itemsLeftOut: Int
    /// Nil if the file has no attachments.
    package var attachments, attachmentsLeftOut: Int?

    package static let coder = ObjectCoder(
      Self.init, .required("format", \.format), .required("encoding", \.encoding),
      .optional("source", \.source), .required("mapping", \.mapping), .required("total", \.total),
      .required("imported", \.imported), .required("duplicates", \.duplicates),
      .required("skipped", \.skipped), .required("items", \.items),
      .required("itemsLeftOut", \.itemsLeftOut), .optional("attachments", \.attachments),
      .optional("attachmentsLeftOut", \.attachmentsLeftOut))
  }
}

extension ImportReport.Localized {
  package init(_ report: ImportReport, language: Language) {
    let (file, items) = (report.file, report.listed(in: language))
    let hasAttachments = file.attachmentCount > 0
    self.init(
      format: file.format, encoding: file.encoding, source: file.source,
      mapping: file.mapping.map { Column(column: $0.column.shown, target: $0.target.description.shown) },
      total: report.outcomes.count,
      imported: report.count { if case .imported = $0 { true } else { false } },
      duplicates: report.count { $0 == .duplicate }, skipped: report.count { $0 == .skipped }, items: items,
      itemsLeftOut: report.outcomes.count - items.count,
      attachments: hasAttachments ? report.attachments : nil,
      attachmentsLeftOut: hasAttachments ? file.attachmentCount - report.attachments : nil)
  }
}

extension ImportReport.Localized.Item {
  fileprivate init(_ entry: ImportEntry, _ outcome: ImportOutcome, _ language: Language) {
    let list = { (issues: [Issue]) in
      issues.prefix(ImportReport.issueLimit).map { IssueJSON($0, in: language) }
    }
    let (outcome, id): (ImportReport.Localized.Outcome, Identifier?) =
      switch outcome {
      case .imported(let id): (.imported, id)
      case .ready: (.ready, nil)
      case .duplicate: (.duplicate, nil)
      case .skipped: (.skipped, nil)
      }
    self.init(
      line: entry.line, title: entry.title.shown, outcome: outcome, id: id, issues: list(entry.issues),
      warnings: list(entry.warnings))
  }
}

extension String {
  /// The text, cut off after ``ImportReport/titleLimit`` code points.
  fileprivate var shown: String {
    isLonger(than: ImportReport.titleLimit)
      ? String(unicodeScalars.prefix(ImportReport.titleLimit)) + "…" : self
  }
}
