public import Identifiers
public import JSONRPC
import VaultModel

/// `card/setPinned`: pins a card to the top of every list, or lets it go again.
public struct CardSetPinned: RequestType {
  /// The method's name.
  public static let method = "card/setPinned"
  /// What it gives.
  public typealias Answer = CardAnswer

  /// The card's id.
  public var id: Identifier
  /// Whether it is to be pinned.
  public var isPinned: Bool

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    isPinned = try parameters.required("pinned")
  }
}
