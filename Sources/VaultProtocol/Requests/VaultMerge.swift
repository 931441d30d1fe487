package import JSON
package import VaultModel

/// `vault/merge`: merges another copy of the vault into it.
package struct VaultMerge: VaultRequest {
  package static let method = "vault/merge"
  package typealias Response = Merge

  /// The path of the other copy.
  package var path: String
  /// The password of the other copy; nil to open it with this vault's key.
  package var password: String?
  /// Whether nothing is changed and only the answer is wanted.
  package var isDryRun: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .optional("password", \.password),
    .member("dryRun", \.isDryRun, default: false), .optional("progressToken", \.progressToken))
}

extension Merge: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("added", \.added), .required("updated", \.updated),
    .required("deleted", \.deleted), .required("unchanged", \.unchanged),
    .required("settings", \.takesSettings), .required("conflicts", \.conflicts),
    .optional("conflictsLeftOut", \.conflictsLeftOut))
}

extension Merge.Conflict: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("id", \.card), .required("copyId", \.copy), .required("title", \.title))
}
