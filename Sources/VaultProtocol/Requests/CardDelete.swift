public import Identifiers
public import JSONRPC
import VaultModel

/// `card/delete`: removes a card with its fields and attachments for good (R1).
public struct CardDelete: RequestType {
  /// The method's name.
  public static let method = "card/delete"
  /// Nothing to say.
  public typealias Answer = Nothing

  /// The card's id.
  public var id: Identifier
  /// The revision that the client has seen; nil to delete whatever is there.
  public var revision: Int?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    revision = try parameters.integer("revision", in: 1...Int.max)
  }
}
