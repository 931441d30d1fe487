/// A backup that was made.
public struct Backup: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// The size in bytes.
  public var size: Int
  /// The number of cards, damaged ones included.
  public var cards: Int
  public var attachments: Int
  /// The state of the copy. A backup of a damaged vault has the same damage.
  public var integrity: Integrity
  /// The absolute paths of the older backups that were deleted, oldest first.
  public var removed: [String]

  public init(
    path: String, size: Int, cards: Int, attachments: Int, integrity: Integrity, removed: [String]
  ) {
    (self.path, self.size, self.cards) = (path, size, cards)
    (self.attachments, self.integrity, self.removed) = (attachments, integrity, removed)
  }
}
