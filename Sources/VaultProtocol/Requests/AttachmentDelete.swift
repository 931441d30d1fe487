public import Identifiers
public import JSONRPC
import VaultModel

/// `attachment/delete`: removes an attachment for good (R5).
public struct AttachmentDelete: RequestType {
  /// The method's name.
  public static let method = "attachment/delete"
  /// Nothing to say.
  public typealias Answer = Nothing

  /// The attachment.
  public var id: Identifier

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
  }

}
