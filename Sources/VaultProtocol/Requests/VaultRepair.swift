public import JSON
public import Identifiers
public import JSONRPC
import VaultModel

/// `vault/repair`: makes an intact vault of a damaged one, of all records that open.
public struct VaultRepair: RequestType {
  /// The method's name.
  public static let method = "vault/repair"

  /// The master password; nil where the vault is unlocked.
  public var password: String?
  /// Where the copy of the damaged file goes; nil for beside it.
  public var backup: String?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    password = try parameters.optional("password")
    backup = try parameters.optional("backup")
  }

  /// What was done.
  public struct Answer: JSONConvertible {
    /// A record that did not open, and was let go.
    public enum Dropped: Sendable, Hashable {
      /// A card.
      case card(Identifier)
      /// An attachment, whose card was kept without it.
      case attachment(Identifier)
      /// A document, such as the settings.
      case document(String)

      fileprivate var json: JSON {
        switch self {
        case .card(let id): ["kind": "card", "id": .string(id.description)]
        case .attachment(let id): ["kind": "attachment", "id": .string(id.description)]
        case .document(let name): ["kind": "document", "name": .string(name)]
        }
      }
    }

    /// Where the copy of the damaged file is; nil where there was nothing to repair.
    public var backup: String?
    /// How many cards were kept.
    public var cards: Int
    /// How many attachments were kept.
    public var attachments: Int
    /// The records that were let go.
    public var dropped: [Dropped]
    /// How many cards are nowhere; nil where that is not known.
    public var missing: Int?

    /// An answer of the given parts.
    public init(backup: String?, cards: Int, attachments: Int, dropped: [Dropped], missing: Int?) {
      self.backup = backup
      self.cards = cards
      self.attachments = attachments
      self.dropped = dropped
      self.missing = missing
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "backup": backup.map { .string($0) } ?? .null,
        "kept": ["cards": .integer(cards), "attachments": .integer(attachments)],
        "dropped": .array(dropped.map(\.json)),
        "missingCards": missing.map { .integer($0) } ?? .null,
        "integrity": Integrity.intact.json,
      ]
    }
  }
}
