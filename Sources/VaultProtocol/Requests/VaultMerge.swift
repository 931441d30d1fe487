package import Identifiers
package import JSON

/// `vault/merge`: merges another copy of the vault into it.
package struct VaultMerge: VaultRequest {
  package static let method = "vault/merge"

  /// The path of the other copy.
  package var path: String
  /// The password of the other copy.
  package var password: String
  /// Whether nothing is changed and only the answer is wanted.
  package var isDryRun: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("password", \.password),
    .member("dryRun", \.isDryRun, default: false), .optional("progressToken", \.progressToken))

  package struct Answer: ResultObject, Hashable {
    /// A card that both copies changed.
    package struct Conflict: ResultObject, Hashable {
      package var id: Identifier
      /// The card with the other content.
      package var copyID: Identifier
      /// The title, without the note about the conflict.
      package var title: String

      package init(id: Identifier, copyID: Identifier, title: String) {
        self.id = id
        self.copyID = copyID
        self.title = title
      }

      package static let coder = ObjectCoder(
        Self.init, .required("id", \.id), .required("copyId", \.copyID), .required("title", \.title))
    }

    /// The numbers of cards.
    package var added, updated, deleted, unchanged: Int
    /// Whether the settings of the other copy were taken.
    package var takesSettings: Bool
    package var conflicts: [Conflict]

    package init(
      added: Int, updated: Int, deleted: Int, unchanged: Int, takesSettings: Bool, conflicts: [Conflict]
    ) {
      self.added = added
      self.updated = updated
      self.deleted = deleted
      self.unchanged = unchanged
      self.takesSettings = takesSettings
      self.conflicts = conflicts
    }

    package static let coder = ObjectCoder(
      Self.init, .required("added", \.added), .required("updated", \.updated),
      .required("deleted", \.deleted), .required("unchanged", \.unchanged),
      .required("settings", \.takesSettings), .required("conflicts", \.conflicts))
  }
}
