public import JSON
public import JSONRPC
public import VaultModel

extension Attachment {
  /// What is said of the attachment.
  public var json: JSON {
    [
      "id": .string(id.description),
      "name": .string(name),
      "mediaType": .string(mediaType.rawValue),
      "size": .integer(size),
      "width": .integer(width),
      "height": .integer(height),
      "addedAt": .string(addedAt.description),
      "watermark": watermark?.json ?? .null,
    ]
  }
}

/// An attachment that was added or changed, and its card as it is now.
public struct AttachmentAnswer: JSONConvertible {
  /// The attachment.
  public var attachment: Attachment
  /// Its card.
  public var card: Card
  /// The language of the labels.
  public var language: Language

  /// An answer of the given parts.
  public init(_ attachment: Attachment, of card: Card, language: Language) {
    self.attachment = attachment
    self.card = card
    self.language = language
  }

  /// The answer on the wire.
  public var json: JSON {
    ["attachment": attachment.json, "card": card.json(in: language)]
  }
}
