public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

/// `vault/verify`: opens every record and checks the record hash.
public struct VaultVerify: RequestType {
  /// The method's name.
  public static let method = "vault/verify"

  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    progressToken = try parameters.optional("progressToken")
  }

  /// What was found.
  public struct Answer: JSONConvertible {
    /// How many cards there are.
    public var cards: Int
    /// How many attachments there are.
    public var attachments: Int
    /// The ids of the records that cannot be opened.
    public var damaged: [Identifier]
    /// The state of the vault.
    public var integrity: Integrity

    /// An answer of the given parts.
    public init(cards: Int, attachments: Int, damaged: [Identifier], integrity: Integrity) {
      self.cards = cards
      self.attachments = attachments
      self.damaged = damaged
      self.integrity = integrity
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "cards": .integer(cards),
        "attachments": .integer(attachments),
        "damaged": .array(damaged.map { .string($0.description) }),
        "integrity": integrity.json,
      ]
    }
  }
}
