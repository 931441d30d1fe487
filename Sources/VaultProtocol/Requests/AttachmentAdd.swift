public import JSONRPC
public import VaultModel

/// `attachment/add`: attaches a picture or document to a card (R5).
public struct AttachmentAdd: RequestType {
  /// The method's name.
  public static let method = "attachment/add"
  /// The attachment and its card.
  public typealias Answer = AttachmentAnswer

  /// Where the content comes from.
  public enum Source: Sendable {
    /// A file.
    case path(String)
    /// The content itself in Base64.
    case data(String)
  }

  /// The card.
  public var card: RecordIdentifier
  /// Where the content comes from.
  public var source: Source
  /// The name; nil for the file's.
  public var name: String?
  /// What is drawn over it; nil for nothing.
  public var watermark: Watermark?
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters: `path` or `data`, and not both.
  public init(_ parameters: inout Parameters) throws(ParameterFault) {
    card = try parameters.required("cardId")
    let path: String? = try parameters.optional("path")
    let data: String? = try parameters.optional("data")
    switch (path, data) {
    case (let path?, nil): source = .path(path)
    case (nil, let data?): source = .data(data)
    case (nil, nil): throw ParameterFault("path", .presence)
    case (_?, _?): throw ParameterFault("data", .absenceBeside("path"))
    }
    name = try parameters.optional("name")
    watermark = try parameters.optional("watermark")
    progressToken = try parameters.optional("progressToken")
  }

}
