public import VaultInterface
public import Wire

/// The status of a synchronised vault.
public struct SyncStatus: Hashable, Sendable {
  /// Another replica, as this one sees it.
  public struct Replica: Hashable, Sendable {
    public var id: Identifier
    /// The name of the machine.
    public var machine: String
    /// When its newest segment that is here was published; nil before the first.
    public var lastSeen: Timestamp?
    /// The number of segments that others have seen, and this one has not.
    public var behind: Int
    public var problem: SyncProblem?
    /// Whether a part of its newest snapshot is not here, so that cards are missing.
    public var isPartial = false
  }

  /// The folder as the user named it.
  public var folder: String
  public var replica: Identifier
  /// The name of this machine.
  public var machine: String
  /// The number of segments that this replica has published.
  public var published: Int
  public var others: [Replica]
  /// Whether another machine made another vault key: nothing is published and read before this one follows it with the new
  /// password.
  public var hasNewKey = false
}
