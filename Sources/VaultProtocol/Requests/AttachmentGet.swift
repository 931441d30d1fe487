package import Identifiers
package import JSON
package import VaultModel

/// `attachment/get`: the content of an attachment, as it is shown or as it was added.
package struct AttachmentGet: VaultRequest {
  package static let method = "attachment/get"

  package var id: Identifier
  package var original: OriginalRequest
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .members(\.original), .optional("progressToken", \.progressToken))

  package struct Response: ResultObject, Hashable {
    /// The content in Base64.
    package var data: String
    package var mediaType: MediaType
    package var name: String
    /// The size in bytes.
    package var size: Int

    package static let coder = ObjectCoder(
      Self.init, .required("data", \.data), .required("mediaType", \.mediaType), .required("name", \.name),
      .required("size", \.size))
  }
}

extension AttachmentGet.Response {
  package init(_ attachment: Attachment, data: String, size: Int) {
    self.init(data: data, mediaType: attachment.mediaType, name: attachment.name, size: size)
  }
}
