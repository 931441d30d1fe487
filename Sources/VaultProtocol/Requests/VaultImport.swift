package import JSON
package import VaultExchange
package import VaultModel

/// `vault/import`: stores the cards of a file from another program, or from QuickVault.
package struct VaultImport: VaultRequest {
  package static let method = "vault/import"
  package typealias Response = ImportReport.Localized

  /// What to do if an entry cannot be stored.
  package enum ErrorPolicy: String, CaseIterable, JSONCodable {
    /// Store nothing.
    case refuse
    /// Store the others.
    case skip
  }

  /// What to do with an entry whose content the vault has already.
  package enum DuplicatePolicy: String, CaseIterable, JSONCodable {
    case skip
    /// Store it anyway.
    case keep
  }

  package var source: ContentSource
  /// Nil to detect it.
  package var format: ImportFormat?
  /// The targets of columns, by name of the column.
  package var mapping: [String: String]
  /// The type of the cards of a table that has no column for it; nil to detect it.
  package var type: CardType?
  /// The group of the cards for which the file has none.
  package var group: CardGroup
  /// Whether nothing is stored and only the report is wanted.
  package var isDryRun: Bool
  package var onError: ErrorPolicy
  package var duplicates: DuplicatePolicy
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .members(\.source), .optional("format", \.format),
    .member("mapping", \.mapping, default: [:]), .optional("type", \.type),
    .member("group", \.group, default: .personal), .member("dryRun", \.isDryRun, default: false),
    .member("onError", \.onError, default: .refuse),
    .member("duplicates", \.duplicates, default: .skip), .optional("progressToken", \.progressToken))

  /// - Parameter language: the language of the labels that cards get.
  package func options(in language: Language) -> ImportOptions {
    ImportOptions(format: format, mapping: mapping, type: type, group: group, language: language)
  }
}
