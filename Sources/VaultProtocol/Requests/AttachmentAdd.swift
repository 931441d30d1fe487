public import Identifiers
public import JSONRPC
public import VaultModel

/// `attachment/add`: attaches a picture or document to a card (R5).
public struct AttachmentAdd: RequestType {
  /// The method's name.
  public static let method = "attachment/add"
  /// The attachment and its card.
  public typealias Answer = AttachmentAnswer

  /// The card.
  public var card: Identifier
  /// Where the content comes from.
  public var source: ContentSource
  /// The name; nil for the file's.
  public var name: String?
  /// What is drawn over it; nil for nothing.
  public var watermark: Watermark?
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters: `path` or `data`, and not both.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    card = try parameters.required("cardId")
    source = try ContentSource(&parameters)
    name = try parameters.optional("name")
    watermark = try parameters.optional("watermark")
    progressToken = try parameters.optional("progressToken")
  }
}
