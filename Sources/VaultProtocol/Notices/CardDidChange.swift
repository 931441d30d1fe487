public import JSONRPC
public import VaultModel

/// `card/didChange`: another process changed the vault.
public struct CardDidChange: OutgoingNotice {
  /// The notice's name.
  public static let method = "card/didChange"

  /// What changed.
  public enum Extent: Sendable, Hashable {
    /// These cards.
    case cards(changed: [RecordIdentifier], deleted: [RecordIdentifier])
    /// So much that the client should read everything anew.
    case all
  }

  /// What changed.
  public var extent: Extent

  /// A notice of the given extent.
  public init(_ extent: Extent) {
    self.extent = extent
  }

  /// The notice on the wire.
  public var json: JSON {
    switch extent {
    case .cards(let changed, let deleted):
      [
        "changed": .array(changed.map { .string($0.description) }),
        "deleted": .array(deleted.map { .string($0.description) }),
      ]
    case .all: ["all": true]
    }
  }
}
