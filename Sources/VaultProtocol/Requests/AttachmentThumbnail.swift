public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

/// `attachment/thumbnail`: a small picture of an attachment (R5).
public struct AttachmentThumbnail: RequestType {
  /// The method's name.
  public static let method = "attachment/thumbnail"
  /// How long its longer side may be, in pixels.
  public static let sizes = 16...4_096
  /// How long it is where nobody says.
  public static let usualSize = 256

  /// The attachment.
  public var id: Identifier
  /// The longest side, in pixels.
  public var size: Int

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    size = try parameters.integer("size", in: Self.sizes) ?? Self.usualSize
  }

  /// A small picture.
  public struct Answer: JSONConvertible {
    /// The picture in Base64.
    public var data: String
    /// What it is.
    public var mediaType: MediaType
    /// Its size in pixels.
    public var width, height: Int

    /// An answer of the given parts.
    public init(data: String, mediaType: MediaType, width: Int, height: Int) {
      self.data = data
      self.mediaType = mediaType
      self.width = width
      self.height = height
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "data": .string(data), "mediaType": .string(mediaType.rawValue), "width": .integer(width),
        "height": .integer(height),
      ]
    }
  }
}
