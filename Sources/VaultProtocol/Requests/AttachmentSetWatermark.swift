public import Identifiers
public import JSONRPC
public import VaultModel

/// `attachment/setWatermark`: what is drawn over a picture when it is shown (R6).
public struct AttachmentSetWatermark: RequestType {
  /// The method's name.
  public static let method = "attachment/setWatermark"
  /// The attachment and its card.
  public typealias Answer = AttachmentAnswer

  /// The attachment.
  public var id: Identifier
  /// What is drawn; nil for nothing.
  public var watermark: Watermark?
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters: `text`, which may be null, and how it is drawn.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    let text: String?? = try parameters.nullable("text")
    guard let text else { throw ParameterError("text", .presence) }
    let measures = try Watermark.Measures(&parameters)
    watermark = text.map { Watermark(text: $0, measures) }
    progressToken = try parameters.optional("progressToken")
  }

}
