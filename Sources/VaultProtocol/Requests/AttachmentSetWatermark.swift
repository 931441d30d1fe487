package import Identifiers
package import JSON
package import VaultModel

/// `attachment/setWatermark`: changes or removes the watermark of a picture (R6).
package struct AttachmentSetWatermark: VaultRequest {
  package static let method = "attachment/setWatermark"
  package typealias Response = AttachmentResponse

  package var id: Identifier
  /// Nil removes the watermark.
  package var watermark: Watermark?
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  /// The watermark's members are those of the request; `text` is null to remove it.
  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let id: Identifier = try parameters.required("id")
      let text: String?? = try parameters.present("text")
      guard let text else { throw ParameterError("text", .presence) }
      var watermark = Watermark(text: text ?? "")
      try watermark.readStyle(&parameters)
      return Self(
        id: id, watermark: text == nil ? nil : watermark,
        progressToken: try parameters.optional("progressToken"))
    },
    write: { request, members in
      members.append(.init("id", request.id.json))
      if let watermark = request.watermark {
        Watermark.coder.write(watermark, &members)
      } else {
        members.append(.init("text", .null))
      }
      if let token = request.progressToken { members.append(.init("progressToken", token.json)) }
    })
}
