package import Identifiers
package import JSON
package import VaultModel

/// `attachment/add`: attaches a picture or document to a card (R5).
package struct AttachmentAdd: VaultRequest {
  package static let method = "attachment/add"
  package typealias Response = AttachmentResponse

  package var card: Identifier
  package var source: ContentSource
  /// Nil for the name of the file.
  package var name: String?
  package var watermark: Watermark?
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("cardId", \.card), .members(\.source), .optional("name", \.name),
    .optional("watermark", \.watermark), .optional("progressToken", \.progressToken))
}
