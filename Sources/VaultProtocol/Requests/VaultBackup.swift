package import JSON
package import VaultModel

/// `vault/backup`: copies the vault to a file, and verifies the copy.
package struct VaultBackup: VaultRequest {
  package static let method = "vault/backup"
  package typealias Response = Backup

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
}

extension Backup: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("size", \.size), .required("cards", \.cards),
    .required("attachments", \.attachments), .required("integrity", \.integrity),
    .required("removed", \.removed))
}
