/// The result of a merge or of its dry run.
public struct Merge: Sendable, Hashable {
  /// The numbers of cards that the other copy added, changed and deleted, and of all others.
  public var added, updated, deleted, unchanged: Int
  /// Whether the settings of the other copy were adopted.
  public var takesSettings: Bool
  /// The cards that both sides changed, sorted by copy: ``conflictLimit`` at the most.
  public var conflicts: [CardConflict]
  /// The number of further such cards; nil for none.
  public var conflictsLeftOut: Int?

  /// The most conflicts that are listed: with titles of the greatest length they are shorter than the longest message.
  public static let conflictLimit = 5_000

  public init(
    added: Int = 0, updated: Int = 0, deleted: Int = 0, unchanged: Int = 0, takesSettings: Bool = false,
    conflicts: [CardConflict] = [], conflictsLeftOut: Int? = nil
  ) {
    (self.added, self.updated, self.deleted) = (added, updated, deleted)
    (self.unchanged, self.takesSettings, self.conflicts) = (unchanged, takesSettings, conflicts)
    self.conflictsLeftOut = conflictsLeftOut
  }

  /// Lists conflicts as far as the limit goes, and counts the others.
  public mutating func list(_ all: [CardConflict]) {
    (conflicts, conflictsLeftOut) = Self.limited(all)
  }

  /// Returns the first ``conflictLimit`` conflicts, and the number of the others; nil for none.
  public static func limited<Element>(_ all: [Element]) -> (listed: [Element], leftOut: Int?) {
    (Array(all.prefix(conflictLimit)), all.count > conflictLimit ? all.count - conflictLimit : nil)
  }
}
