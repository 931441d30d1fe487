public import Wire

/// A card that exists in two versions, because it was changed in two copies of the vault.
public struct CardConflict: Sendable, Hashable {
  /// The card; nil if it is gone, or nothing tells which it is.
  public var card: Identifier?
  /// The conflict copy.
  public var copy: Identifier
  /// The title of the conflict copy without the note.
  public var title: String

  public init(card: Identifier?, copy: Identifier, title: String) {
    (self.card, self.copy, self.title) = (card, copy, title)
  }
}
