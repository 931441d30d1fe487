package import Wire

/// The report of `vault/import`, entry by entry, in a language.
package struct ImportReport: ResultObject, Hashable {
  package enum Outcome: String, CaseIterable, JSONCodable {
    case imported, ready, duplicate, skipped
  }

  package struct Column: ResultObject, Hashable {
    package var column: String
    package var target: String

    package init(column: String, target: String) { (self.column, self.target) = (column, target) }

    package static let coder = ObjectCoder(
      Self.init, .required("column", \.column), .required("target", \.target))
  }

  /// How many values the file has, how many of them cards have, and how many messages name.
  package struct Values: ResultObject, Hashable {
    package var total, kept, named, lost: Int

    package init(total: Int, kept: Int, named: Int, lost: Int) {
      (self.total, self.kept, self.named, self.lost) = (total, kept, named, lost)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("total", \.total), .required("kept", \.kept), .required("named", \.named),
      .required("lost", \.lost))
  }

  package struct Item: ResultObject, Hashable {
    /// The place of the entry in the file, from 1.
    package var number: Int
    package var line: Int
    package var title: String
    /// The type of the card; nil if the entry is no card.
    package var type: CardType?
    package var outcome: Outcome
    /// The id of the card that was stored.
    package var id: Identifier?
    package var issues: [IssueJSON]
    package var warnings: [IssueJSON]

    package init(
      number: Int, line: Int, title: String, type: CardType?, outcome: Outcome, id: Identifier?,
      issues: [IssueJSON], warnings: [IssueJSON]
    ) {
      (self.number, self.line, self.title, self.type) = (number, line, title, type)
      (self.outcome, self.id, self.issues, self.warnings) = (outcome, id, issues, warnings)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("number", \.number), .required("line", \.line), .required("title", \.title),
      .optional("type", \.type), .required("outcome", \.outcome), .optional("id", \.id),
      .required("issues", \.issues), .required("warnings", \.warnings))
  }

  package var format: ImportFormat
  package var encoding: TextEncoding
  /// The program that wrote the file, if it is known.
  package var source: String?
  /// What a person should know about the file as a whole.
  package var warnings: [IssueJSON]
  package var mapping: [Column]
  /// Where the values go that a file without columns has.
  package var members: [Column]?
  package var values: Values
  package var total, imported, duplicates, skipped: Int
  package var items: [Item]
  package var itemsLeftOut: Int
  /// Nil if the file has no attachments.
  package var attachments, attachmentsLeftOut: Int?

  package init(
    format: ImportFormat, encoding: TextEncoding, source: String?, warnings: [IssueJSON], mapping: [Column],
    members: [Column]?, values: Values, total: Int, imported: Int, duplicates: Int, skipped: Int,
    items: [Item],
    itemsLeftOut: Int, attachments: Int?, attachmentsLeftOut: Int?
  ) {
    (self.format, self.encoding, self.source, self.warnings) = (format, encoding, source, warnings)
    (self.mapping, self.members, self.values) = (mapping, members, values)
    (self.total, self.imported, self.duplicates, self.skipped) = (total, imported, duplicates, skipped)
    (self.items, self.itemsLeftOut) = (items, itemsLeftOut)
    (self.attachments, self.attachmentsLeftOut) = (attachments, attachmentsLeftOut)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("format", \.format), .required("encoding", \.encoding),
    .optional("source", \.source), .required("warnings", \.warnings), .required("mapping", \.mapping),
    .optional("members", \.members), .required("values", \.values), .required("total", \.total),
    .required("imported", \.imported), .required("duplicates", \.duplicates),
    .required("skipped", \.skipped), .required("items", \.items),
    .required("itemsLeftOut", \.itemsLeftOut), .optional("attachments", \.attachments),
    .optional("attachmentsLeftOut", \.attachmentsLeftOut))
}
