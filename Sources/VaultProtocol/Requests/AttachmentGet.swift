public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

/// `attachment/get`: an attachment as it is shown, or its original.
public struct AttachmentGet: RequestType {
  /// The method's name.
  public static let method = "attachment/get"

  /// The attachment.
  public var id: Identifier
  /// Whether it is given without its watermark, and what that asks for.
  public var original: OriginalRequest
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    original = try OriginalRequest(&parameters)
    progressToken = try parameters.optional("progressToken")
  }

  /// The content.
  public struct Answer: JSONConvertible {
    /// What is said of the attachment.
    public var attachment: Attachment
    /// The content in Base64.
    public var data: String
    /// How many bytes that is.
    public var size: Int

    /// An answer of the given parts.
    public init(_ attachment: Attachment, data: String, size: Int) {
      self.attachment = attachment
      self.data = data
      self.size = size
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "data": .string(data), "mediaType": .string(attachment.mediaType.rawValue),
        "name": .string(attachment.name), "size": .integer(size),
      ]
    }
  }
}
