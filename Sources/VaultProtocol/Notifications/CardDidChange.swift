public import JSON
public import Identifiers
public import JSONRPC
import VaultModel

/// `card/didChange`: another process changed the vault.
public struct CardDidChange: OutgoingNotification {
  /// The notification's name.
  public static let method = "card/didChange"

  /// What changed.
  public enum Extent: Sendable, Hashable {
    /// These cards.
    case cards(changed: [Identifier], deleted: [Identifier])
    /// So much that the client should read everything anew.
    case all
  }

  /// What changed.
  public var extent: Extent

  /// A notification of the given extent.
  public init(_ extent: Extent) {
    self.extent = extent
  }

  /// The notification on the wire.
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
