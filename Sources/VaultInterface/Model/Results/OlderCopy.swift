/// A vault's file that is older than one that was open before on this machine, or diverged from it.
public struct OlderCopy: Sendable, Hashable {
  /// When the newest card of this file was modified; nil without cards.
  public var modifiedAt: Timestamp?
  /// When the newest card of the other was modified; nil without cards.
  public var lastSeenModifiedAt: Timestamp?

  public init(modifiedAt: Timestamp?, lastSeenModifiedAt: Timestamp?) {
    (self.modifiedAt, self.lastSeenModifiedAt) = (modifiedAt, lastSeenModifiedAt)
  }
}
