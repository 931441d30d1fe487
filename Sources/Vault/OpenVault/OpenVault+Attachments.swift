import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// Returns the card that an attachment belongs to.
  func owner(of attachment: Identifier) throws -> Identifier {
    guard let card = attachments.card(of: attachment) else { throw VaultError.attachmentNotFound(attachment) }
    return card
  }

  func attachment(_ id: Identifier, in transaction: borrowing ReadTransaction) throws -> Attachment {
    let card = try summary(owner(of: id), in: transaction)
    guard let attachment = card.attachments.first(where: { $0.id == id }) else {
      throw VaultError.attachmentNotFound(id)
    }
    return attachment
  }

  /// Changes the attachments of a card as a new revision of it.
  ///
  /// - Returns: the card as it is now, and what `body` returns.
  func changeAttachments<Value>(
    of id: Identifier, _ clock: any Clock,
    _ body: (inout Card, borrowing WriteTransaction, inout VaultChange) throws -> Value
  ) throws -> (card: Card, Value) {
    try change { transaction, change in
      let card = try card(id, at: nil, in: transaction.read)
      var changed = card
      changed.revision = try card.revision.incremented()
      changed.modifiedAt = timeOfChange(clock)
      let value = try body(&changed, transaction, &change)
      try replace(card, with: changed, transaction, &change)
      return (changed, value)
    }
  }

  /// Changes the metadata of one attachment.
  func changeAttachment(
    _ id: Identifier, _ clock: any Clock,
    _ body: (inout Attachment, borrowing WriteTransaction) throws -> Void
  ) throws -> (card: Card, attachment: Attachment) {
    try changeAttachments(of: owner(of: id), clock) { card, transaction, _ in
      guard let position = card.attachments.firstIndex(where: { $0.id == id }) else {
        throw VaultError.attachmentNotFound(id)
      }
      try body(&card.attachments[position], transaction)
      return card.attachments[position]
    }
  }

  /// Opens the content of an attachment.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if it is missing, does not open, or is not the one that its card names.
  func content(
    of attachment: Attachment, in transaction: borrowing ReadTransaction
  ) throws -> PrivateBytes {
    do {
      let content = try transaction.content(attachment.id) { sealed in
        try reader.content(of: attachment, sealed)
      }
      guard let content else { throw CryptoError.malformed }
      return content
    } catch is CryptoError {
      damaged.insert(attachment.id)
      throw VaultError.damaged(attachment.id)
    }
  }

  /// Removes the content of an attachment and its renditions.
  func removeContent(
    of attachment: IndexedAttachment, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try transaction.deleteContent(attachment.id)
    try change.head.remove(reader.element(of: attachment), kind: .attachment)
  }

  /// Returns whether the file has a content of the right size for each of these attachments, and no other. Reads none.
  func hasEveryContent(
    of attachments: AttachmentIndex, _ transaction: borrowing ReadTransaction
  ) throws -> Bool {
    var (found, isRight) = (0, true)
    try transaction.forEachContent { number, id, count in
      let place = attachments.place(of: id)
      guard number == id.number, let place, Int64(place.size + RecordSealer.overhead) == count else {
        isRight = false
        return
      }
      found += 1
    }
    return isRight && found == attachments.count
  }

  /// Returns whether every content opens; remembers those that do not.
  func opensEveryContent() throws -> Bool {
    for id in attachments.all {
      try Task.checkCancellation()
      do {
        _ = try reading { try content(of: attachment(id, in: $0), in: $0) }
      } catch VaultError.damaged {
        return false
      }
    }
    return true
  }
}
