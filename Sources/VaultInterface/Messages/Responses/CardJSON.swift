package import Wire

/// A card with labels in the session's language, or without its values in a list.
package struct CardJSON: ResultObject, Hashable {
  package struct Field: ResultObject, Hashable {
    package var key: String
    package var label: String
    package var value: String
    package var isRequired: Bool
    package var isConcealed: Bool

    package static let coder = ObjectCoder(
      Self.init, .required("key", \.key), .required("label", \.label), .required("value", \.value),
      .required("required", \.isRequired), .required("concealed", \.isConcealed))
  }

  package var id: Identifier
  package var revision: Int
  package var title: String
  package var group: CardGroup
  package var type: CardType
  package var tags: [String]
  package var isPinned: Bool
  package var createdAt: Timestamp
  package var modifiedAt: Timestamp
  /// Nil in a list, as is ``extraFields``.
  package var fields: [Field]?
  package var extraFields: [ExtraField]?
  /// The labels of the extra fields that are keys of one-time codes; nil for none.
  package var oneTimeCodes: [String]?
  package var attachments: [AttachmentJSON]

  /// A list has thousands of cards, and reading them member by member takes a fifth of the time of the general way.
  package static let coder = ObjectCoder(
    read: { members throws(ParameterError) in
      Self(
        id: try members.required("id"), revision: try members.required("revision"),
        title: try members.required("title"), group: try members.required("group"),
        type: try members.required("type"), tags: try members.required("tags"),
        isPinned: try members.required("pinned"), createdAt: try members.required("createdAt"),
        modifiedAt: try members.required("modifiedAt"), fields: try members.optional("fields"),
        extraFields: try members.optional("extraFields"), oneTimeCodes: try members.optional("oneTimeCodes"),
        attachments: try members.required("attachments"))
    },
    write: described.write)

  private static let described = ObjectCoder(
    Self.init, .required("id", \.id), .required("revision", \.revision), .required("title", \.title),
    .required("group", \.group), .required("type", \.type), .required("tags", \.tags),
    .required("pinned", \.isPinned), .required("createdAt", \.createdAt),
    .required("modifiedAt", \.modifiedAt), .optional("fields", \.fields),
    .optional("extraFields", \.extraFields), .optional("oneTimeCodes", \.oneTimeCodes),
    .required("attachments", \.attachments))
}

extension CardJSON {
  /// Creates the form that lists have.
  package init(summaryOf card: Card) {
    self.init(
      id: card.id, revision: Int(card.revision), title: card.title, group: card.group, type: card.type,
      tags: card.tags, isPinned: card.pinned, createdAt: card.createdAt, modifiedAt: card.modifiedAt,
      fields: nil, extraFields: nil, oneTimeCodes: nil, attachments: card.attachments.map(AttachmentJSON.init)
    )
  }

  package init(_ card: Card, in language: Language) {
    self.init(summaryOf: card)
    fields = card.orderedFields.map { template, value in
      Field(
        key: template.key, label: template.label[language], value: value, isRequired: template.required,
        isConcealed: template.concealed)
    }
    extraFields = card.extraFields
    let keys = card.extraFields.filter(\.isOneTimePassword).map(\.label)
    oneTimeCodes = keys.isEmpty ? nil : keys
  }
}

extension Card {
  /// - Parameter language: the language of the labels.
  package func json(in language: Language) -> JSON { CardJSON(self, in: language).json }
}

/// The answer with one card.
package struct CardResponse: ResultObject, Hashable {
  package var card: CardJSON

  package static let coder = ObjectCoder(Self.init, .required("card", \.card))
}

extension CardResponse {
  package init(_ card: Card, language: Language) {
    self.init(card: CardJSON(card, in: language))
  }
}

/// A card that was stored, and what may be wrong with it (R3).
package struct SavedCardResponse: ResultObject, Hashable {
  package var card: CardJSON
  package var warnings: [IssueJSON]

  package static let coder = ObjectCoder(
    Self.init, .required("card", \.card), .required("warnings", \.warnings))
}

extension SavedCardResponse {
  package init(_ card: Card, warnings: [Issue], language: Language) {
    self.init(
      card: CardJSON(card, in: language), warnings: warnings.map { IssueJSON($0, in: language) })
  }
}

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
