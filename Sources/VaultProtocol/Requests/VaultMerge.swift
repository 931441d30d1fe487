public import JSON
public import Identifiers
public import JSONRPC
import VaultModel

/// `vault/merge`: takes in what another copy of the vault has.
public struct VaultMerge: RequestType {
  /// The method's name.
  public static let method = "vault/merge"

  /// The other copy.
  public var path: String
  /// The password that opens it.
  public var password: String
  /// Whether it is only told what would be done.
  public var isDryRun: Bool
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    path = try parameters.required("path")
    password = try parameters.required("password")
    isDryRun = try parameters.optional("dryRun") ?? false
    progressToken = try parameters.optional("progressToken")
  }

  /// What was done.
  public struct Answer: JSONConvertible {
    /// A card that both copies changed.
    public struct Conflict: Sendable, Hashable {
      /// The card.
      public var id: Identifier
      /// The card that keeps the other content.
      public var copyID: Identifier
      /// The card's title, without the note.
      public var title: String

      /// A conflict of the given parts.
      public init(id: Identifier, copyID: Identifier, title: String) {
        self.id = id
        self.copyID = copyID
        self.title = title
      }
    }

    /// How many cards came from the other copy.
    public var added: Int
    /// How many cards are as the other copy has them.
    public var updated: Int
    /// How many cards went.
    public var deleted: Int
    /// How many cards stayed as they were.
    public var unchanged: Int
    /// Whether the settings are the other copy's.
    public var takesSettings: Bool
    /// The cards that both copies changed.
    public var conflicts: [Conflict]

    /// An answer of the given parts.
    public init(
      added: Int, updated: Int, deleted: Int, unchanged: Int, takesSettings: Bool, conflicts: [Conflict]
    ) {
      self.added = added
      self.updated = updated
      self.deleted = deleted
      self.unchanged = unchanged
      self.takesSettings = takesSettings
      self.conflicts = conflicts
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "added": .integer(added),
        "updated": .integer(updated),
        "deleted": .integer(deleted),
        "unchanged": .integer(unchanged),
        "settings": .bool(takesSettings),
        "conflicts": .array(
          conflicts.map {
            [
              "id": .string($0.id.description), "copyId": .string($0.copyID.description),
              "title": .string($0.title),
            ]
          }),
      ]
    }
  }
}
