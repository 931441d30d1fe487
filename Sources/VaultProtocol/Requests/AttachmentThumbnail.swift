package import Identifiers
package import JSON
package import VaultModel

/// `attachment/thumbnail`: a small picture of an attachment (R5).
package struct AttachmentThumbnail: VaultRequest {
  package static let method = "attachment/thumbnail"

  package var id: Identifier
  /// The maximum length of the longer side, in pixels.
  package var size: Int

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .integer("size", \.size, in: 16...4_096, default: 256))

  package struct Response: ResultObject, Hashable {
    /// The picture in Base64.
    package var data: String
    package var mediaType: MediaType
    /// The size in pixels.
    package var width, height: Int

    package init(data: String, mediaType: MediaType, width: Int, height: Int) {
      (self.data, self.mediaType, self.width, self.height) = (data, mediaType, width, height)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("data", \.data), .required("mediaType", \.mediaType), .required("width", \.width),
      .required("height", \.height))
  }
}
