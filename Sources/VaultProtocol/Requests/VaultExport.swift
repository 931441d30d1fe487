package import Identifiers
package import JSON
package import VaultExchange

/// `vault/export`: writes cards to a file that is not encrypted. It needs the password.
package struct VaultExport: VaultRequest {
  package static let method = "vault/export"

  package var path: String
  package var format: ExportFormat
  package var password: String
  /// Whether an existing file is replaced.
  package var overwrites: Bool
  /// The cards, as `card/search` finds them; nil for all.
  package var query: String?
  /// The cards to write; nil for all.
  package var ids: [Identifier]?
  /// Whether attachments are written, if the format can hold them.
  package var includesAttachments: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("format", \.format), .required("password", \.password),
    .member("overwrite", \.overwrites, default: false), .optional("query", \.query),
    .optional("ids", \.ids),
    .member("attachments", \.includesAttachments, default: true),
    .optional("progressToken", \.progressToken))

  package struct Response: ResultObject, Hashable {
    /// The path of the file, with `~` expanded.
    package var path: String
    /// The size in bytes.
    package var size: Int
    package var cards = 0
    package var attachments = 0
    /// The number of cards that the format cannot hold.
    package var cardsLeftOut = 0
    package var attachmentsLeftOut = 0
    /// The number of cards and attachments that cannot be decrypted, and of cards that are missing from the vault.
    package var damaged = 0

    package static let coder = ObjectCoder(
      Self.init, .required("path", \.path), .required("size", \.size), .required("cards", \.cards),
      .required("attachments", \.attachments), .required("cardsLeftOut", \.cardsLeftOut),
      .required("attachmentsLeftOut", \.attachmentsLeftOut), .required("damaged", \.damaged))
  }
}

extension VaultExport.Response {
  /// Creates the answer for a file that is still empty.
  package init(path: String) {
    self.init(path: path, size: 0)
  }
}
