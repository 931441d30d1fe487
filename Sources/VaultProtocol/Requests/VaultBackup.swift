package import JSON
package import VaultModel

/// `vault/backup`: copies the vault to a file, and verifies the copy.
package struct VaultBackup: VaultRequest {
  package static let method = "vault/backup"

  /// A directory, or the path of the backup.
  package var path: String
  /// The number of backups of this vault to keep in the directory; nil for all.
  package var keep: Int?
  /// Whether an existing file at the path of the backup is replaced.
  package var overwrites: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .integer("keep", \.keep, in: 1...1_000),
    .member("overwrite", \.overwrites, default: false), .optional("progressToken", \.progressToken))

  package struct Answer: ResultObject, Hashable {
    /// The absolute path of the backup.
    package var path: String
    /// The size in bytes.
    package var size: Int
    package var cards: Int
    package var attachments: Int
    /// The state of the copy.
    package var integrity: Integrity
    /// The absolute paths of the backups that were deleted, oldest first.
    package var removed: [String]

    package init(
      path: String, size: Int, cards: Int, attachments: Int, integrity: Integrity, removed: [String]
    ) {
      self.path = path
      self.size = size
      self.cards = cards
      self.attachments = attachments
      self.integrity = integrity
      self.removed = removed
    }

    package static let coder = ObjectCoder(
      Self.init, .required("path", \.path), .required("size", \.size), .required("cards", \.cards),
      .required("attachments", \.attachments), .required("integrity", \.integrity),
      .required("removed", \.removed))
  }
}
