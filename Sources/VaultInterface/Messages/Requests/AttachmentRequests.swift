package import Wire

/// `attachment/add`: attaches a picture or document to a card (R5).
package struct AttachmentAdd: VaultRequest {
  package static let method = "attachment/add"
  package typealias Response = AttachmentResponse

  package var card: Identifier
  package var source: ContentSource
  /// Nil for the name of the file.
  package var name: String?
  package var watermark: Watermark?
  package var progressToken: ProgressToken?

  package init(
    card: Identifier, source: ContentSource, name: String?, watermark: Watermark?,
    progressToken: ProgressToken?
  ) {
    (self.card, self.source, self.name) = (card, source, name)
    (self.watermark, self.progressToken) = (watermark, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("cardId", \.card), .members(\.source), .optional("name", \.name),
    .optional("watermark", \.watermark), .optional("progressToken", \.progressToken))
}

/// `attachment/list`: the attachments of a card, oldest first.
package struct AttachmentList: VaultRequest {
  package static let method = "attachment/list"
  package typealias Response = ItemsResponse<AttachmentJSON>

  package var card: Identifier

  package static let coder = ObjectCoder(Self.init, .required("cardId", \.card))
}

/// `attachment/get`: the content of an attachment, as it is shown or as it was added.
package struct AttachmentGet: VaultRequest {
  package static let method = "attachment/get"

  package var id: Identifier
  package var original: OriginalRequest
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

/// `attachment/thumbnail`: a small picture of an attachment (R5).
package struct AttachmentThumbnail: VaultRequest {
  package static let method = "attachment/thumbnail"

  package var id: Identifier
  /// The maximum length of the longer side, in pixels.
  package var size: Int

  package init(id: Identifier, size: Int) { (self.id, self.size) = (id, size) }

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

/// `attachment/export`: writes an attachment to a file (R23).
package struct AttachmentExport: VaultRequest {
  package static let method = "attachment/export"

  package var id: Identifier
  package var path: String
  package var original: OriginalRequest
  /// Whether GPS, XMP, IPTC and the like are removed.
  package var stripMetadata: Bool
  /// Whether an existing file is replaced.
  package var overwrites: Bool
  package var progressToken: ProgressToken?

  package init(
    id: Identifier, path: String, original: OriginalRequest, stripMetadata: Bool, overwrites: Bool,
    progressToken: ProgressToken?
  ) {
    (self.id, self.path, self.original, self.stripMetadata) = (id, path, original, stripMetadata)
    (self.overwrites, self.progressToken) = (overwrites, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("path", \.path), .members(\.original),
    .member("stripMetadata", \.stripMetadata, default: false),
    .member("overwrite", \.overwrites, default: false), .optional("progressToken", \.progressToken))

  package struct Response: ResultObject, Hashable {
    /// The path of the file, with `~` expanded.
    package var path: String
    /// In bytes.
    package var size: Int

    package init(path: String, size: Int) { (self.path, self.size) = (path, size) }

    package static let coder = ObjectCoder(Self.init, .required("path", \.path), .required("size", \.size))
  }
}

/// `attachment/setWatermark`: changes or removes the watermark of a picture (R6).
package struct AttachmentSetWatermark: VaultRequest {
  package static let method = "attachment/setWatermark"
  package typealias Response = AttachmentResponse

  package var id: Identifier
  /// Nil removes the watermark.
  package var watermark: Watermark?
  package var progressToken: ProgressToken?

  package init(id: Identifier, watermark: Watermark?, progressToken: ProgressToken?) {
    (self.id, self.watermark, self.progressToken) = (id, watermark, progressToken)
  }

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

/// `attachment/delete`: deletes an attachment (R5).
package struct AttachmentDelete: VaultRequest {
  package static let method = "attachment/delete"
  package typealias Response = NullResult

  package var id: Identifier

  package init(id: Identifier) { self.id = id }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
