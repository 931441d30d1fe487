public import Identifiers

/// The result of a merge or of its dry run.
public struct Merge: Sendable, Hashable {
  /// A card that both sides changed, and its conflict copy.
  public struct Conflict: Sendable, Hashable {
    /// The card, with the content that was modified last.
    public var card: Identifier
    /// The conflict copy, with the other content.
    public var copy: Identifier
    /// The title without the note about the conflict.
    public var title: String

    public init(card: Identifier, copy: Identifier, title: String) {
      (self.card, self.copy, self.title) = (card, copy, title)
    }
  }

  /// The numbers of cards that the other copy added, changed and deleted, and of all others.
  public var added, updated, deleted, unchanged: Int
  /// Whether the settings of the other copy were adopted.
  public var takesSettings: Bool
  /// The cards that both sides changed, sorted by copy.
  public var conflicts: [Conflict]

  public init(
    added: Int = 0, updated: Int = 0, deleted: Int = 0, unchanged: Int = 0, takesSettings: Bool = false,
    conflicts: [Conflict] = []
  ) {
    (self.added, self.updated, self.deleted) = (added, updated, deleted)
    (self.unchanged, self.takesSettings, self.conflicts) = (unchanged, takesSettings, conflicts)
  }
}
