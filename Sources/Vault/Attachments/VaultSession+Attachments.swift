import VaultCrypto
public import VaultInterface
import VaultStore
public import Wire

/// A new attachment whose content a decoder has checked.
public struct AttachmentDraft: Sendable {
  /// The name, as ``Attachment/check(name:)`` wants it.
  public var name: String
  /// The media type of the content.
  public var mediaType: MediaType
  /// The size of the picture as it is stored, in pixels; of a PDF's first page, in points.
  public var width, height: Int
  /// The watermark drawn over the picture when it is shown.
  public var watermark: Watermark?
  public var content: PrivateBytes

  public init(
    name: String, mediaType: MediaType, width: Int, height: Int, watermark: Watermark?, content: PrivateBytes
  ) {
    (self.name, self.mediaType, self.width, self.height) = (name, mediaType, width, height)
    (self.watermark, self.content) = (watermark, content)
  }
}

extension VaultSession {
  /// Checks whether an attachment can be added to a card; call this before the slow check of its content.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/tooManyAttachments(limit:)``, ``VaultError/damaged(_:)``,
  ///   ``VaultError/locked``.
  public func checkRoomForAttachment(in card: Identifier) throws {
    let vault = try unlocked()
    try vault.requireWritable()
    try vault.reading { try Self.checkRoom(in: vault.card(card, at: nil, in: $0)) }
  }

  private static func checkRoom(in card: Card) throws(VaultError) {
    guard card.attachments.count < Limits.attachments else {
      throw .tooManyAttachments(limit: Limits.attachments)
    }
  }

  /// Attaches a picture or document to a card (R5), sealed before anything of it is written.
  ///
  /// - Returns: the card as it is now, and the attachment.
  /// - Throws: ``VaultError/attachmentTooLarge(limit:)``, ``VaultError/tooManyAttachments(limit:)``,
  ///   ``VaultError/cardNotFound(_:)``, `Attachment.NameError`, `Watermark.ValidationError`; nothing was changed then.
  public func addAttachment(
    _ draft: AttachmentDraft, to card: Identifier
  ) throws -> (card: Card, attachment: Attachment) {
    let vault = try unlocked()
    guard draft.content.count <= Limits.attachmentBytes else {
      throw VaultError.attachmentTooLarge(limit: Limits.attachmentBytes)
    }
    try Attachment.check(name: draft.name)
    try draft.watermark?.validate()
    while true {
      let id = try Identifier.random()
      let sealed = try vault.reader.seal(draft.content, of: id)
      do {
        return try vault.changeAttachments(of: card, clock) { card, transaction, change in
          try Self.checkRoom(in: card)
          let seal = try ContentSeal(of: sealed)
          let attachment = Attachment(
            id: id, name: draft.name, mediaType: draft.mediaType, size: draft.content.count,
            width: draft.width, height: draft.height, addedAt: card.modifiedAt, watermark: draft.watermark,
            seal: seal)
          try sealed.withSpan { (span) throws in try transaction.insertContent(id, span) }
          try change.head.add(vault.reader.element(of: IndexedAttachment(attachment)), kind: .attachment)
          card.attachments.append(attachment)
          return attachment
        }
      } catch StoreError.rowIDCollision {
        continue
      }
    }
  }

  /// Returns the metadata of an attachment.
  ///
  /// - Throws: ``VaultError/attachmentNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func attachment(_ id: Identifier) throws -> Attachment {
    let vault = try unlocked()
    return try vault.reading { try vault.attachment(id, in: $0) }
  }

  /// Returns the content of an attachment, byte for byte as it was added.
  ///
  /// - Throws: ``VaultError/attachmentNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func content(of id: Identifier) throws -> PrivateBytes {
    let vault = try unlocked()
    return try vault.reading { try vault.content(of: vault.attachment(id, in: $0), in: $0) }
  }

  /// Replaces the watermark of an attachment (R6) and deletes the renditions that show the old one.
  ///
  /// - Parameter watermark: nil for none.
  /// - Returns: the card as it is now, and the attachment.
  /// - Throws: ``VaultError/attachmentNotFound(_:)``, `Watermark.ValidationError`, ``VaultError/damaged(_:)``.
  public func setWatermark(
    _ watermark: Watermark?, of id: Identifier
  ) throws -> (card: Card, attachment: Attachment) {
    let vault = try unlocked()
    try watermark?.validate()
    return try vault.changeAttachment(id, clock) { attachment, transaction in
      attachment.watermark = watermark
      attachment.revision += 1
      try transaction.deleteRenditions(of: id)
    }
  }

  /// Deletes an attachment.
  ///
  /// - Throws: ``VaultError/attachmentNotFound(_:)``, ``VaultError/damaged(_:)``.
  public func deleteAttachment(_ id: Identifier) throws {
    let vault = try unlocked()
    _ = try vault.changeAttachments(of: vault.owner(of: id), clock) { card, transaction, change in
      guard let position = card.attachments.firstIndex(where: { $0.id == id }) else {
        throw VaultError.attachmentNotFound(id)
      }
      let removed = IndexedAttachment(card.attachments.remove(at: position))
      try vault.removeContent(of: removed, transaction, &change)
    }
  }
}
