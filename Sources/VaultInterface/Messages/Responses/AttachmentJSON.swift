package import Wire

/// An attachment without its content.
package struct AttachmentJSON: ResultObject, Hashable {
  package var id: Identifier
  package var name: String
  package var mediaType: MediaType
  /// The size of the original in bytes.
  package var size: Int
  /// The size in pixels; that of the first page for a document.
  package var width, height: Int
  package var addedAt: Timestamp
  package var watermark: Watermark?

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("name", \.name), .required("mediaType", \.mediaType),
    .required("size", \.size), .required("width", \.width), .required("height", \.height),
    .required("addedAt", \.addedAt), .nullable("watermark", \.watermark))
}

extension AttachmentJSON {
  package init(_ attachment: Attachment) {
    self.init(
      id: attachment.id, name: attachment.name, mediaType: attachment.mediaType, size: attachment.size,
      width: attachment.width, height: attachment.height, addedAt: attachment.addedAt,
      watermark: attachment.watermark)
  }
}

/// An attachment that was added or changed, and its card.
package struct AttachmentResponse: ResultObject, Hashable {
  package var attachment: AttachmentJSON
  package var card: CardJSON

  package static let coder = ObjectCoder(
    Self.init, .required("attachment", \.attachment), .required("card", \.card))
}

extension AttachmentResponse {
  package init(_ attachment: Attachment, of card: Card, language: Language) {
    self.init(attachment: AttachmentJSON(attachment), card: CardJSON(card, in: language))
  }
}
