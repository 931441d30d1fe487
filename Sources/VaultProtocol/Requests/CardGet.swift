public import Identifiers
public import JSONRPC
import VaultModel

/// `card/get`: one card, whole.
public struct CardGet: RequestType {
  /// The method's name.
  public static let method = "card/get"
  /// What it gives.
  public typealias Answer = CardAnswer

  /// The card's id.
  public var id: Identifier

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
  }
}
