import Identifiers
import VaultCrypto
import VaultModel
import VaultStore

extension OpenVault {
  /// The revision of every content: it never changes.
  static let contentRevision: UInt64 = 1

  // MARK: Cards and their attachments

  /// The card that an attachment belongs to.
  ///
  /// - Throws: ``VaultError/attachmentNotFound(_:)``.
  func owner(of attachment: Identifier) throws -> Identifier {
    guard let card = attachments.card(of: attachment) else { throw VaultError.attachmentNotFound(attachment) }
    return card
  }

  /// What is said of an attachment.
  func attachment(_ id: Identifier, in transaction: borrowing ReadTransaction) throws -> Attachment {
    let card = try summary(owner(of: id), in: transaction)
    guard let attachment = card.attachments.first(where: { $0.id == id }) else {
      throw VaultError.attachmentNotFound(id)
    }
    return attachment
  }

  /// Changes the attachments of a card, whose revision and time of modification go on with them.
  ///
  /// - Returns: the card as it is now, and what `body` gives.
  func changeAttachments<Value>(
    of id: Identifier, _ clock: any Clock,
    _ body: (inout Card, borrowing WriteTransaction, inout VaultChange) throws -> Value
  ) throws -> (card: Card, Value) {
    try change { transaction, change in
      let card = try card(id, in: transaction.read)
      guard card.revision < .max else { throw VaultError.failed }
      var changed = card
      changed.revision += 1
      changed.modifiedAt = timeOfChange(clock)
      let value = try body(&changed, transaction, &change)
      try replace(card, with: changed, transaction, &change)
      return (changed, value)
    }
  }

  /// Changes what is said of one attachment.
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

  // MARK: Contents

  /// Seals the content of an attachment.
  func sealContent(_ content: PrivateBytes, of id: Identifier) throws -> PrivateBytes {
    try seal(
      content,
      at: RecordPlace(vault: identifier, kind: .attachment, record: id, revision: Self.contentRevision))
  }

  /// Salt and tag of a sealed content.
  static func seal(of sealed: PrivateBytes) throws -> ContentSeal {
    try sealed.withSpan { (span) throws in try seal(of: span) }
  }

  static func seal(of sealed: RawSpan) throws -> ContentSeal {
    guard sealed.byteCount >= RecordSealer.overhead else { throw CryptoError.malformed }
    let half = ContentSeal.byteCount / 2
    let (salt, tag) = (sealed.extracting(first: half), sealed.extracting(last: half))
    let bytes =
      unsafe salt.withUnsafeBytes { unsafe [UInt8]($0) } + tag.withUnsafeBytes { unsafe [UInt8]($0) }
    guard let seal = ContentSeal(bytes) else { throw CryptoError.malformed }
    return seal
  }

  /// Opens the content of an attachment.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` where it is missing, does not open, or is not the one that its card names.
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

  /// Removes the content of an attachment with everything that was made of it.
  func removeContent(
    of attachment: AttachmentPlace, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try transaction.deleteContent(attachment.id)
    try change.head.remove(reader.element(of: attachment), kind: .attachment)
  }

  /// Whether the file has a content of the right length for each of these attachments, and no other. None is read.
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

  // MARK: Bytes

  /// Seals bytes for a place.
  func seal(_ bytes: PrivateBytes, at place: RecordPlace) throws -> PrivateBytes {
    let count = bytes.count + RecordSealer.overhead
    guard let sealed = PrivateBytes(capacity: count) else { throw VaultError.unavailable(.outOfMemory) }
    try bytes.withSpan { (plaintext) throws(CryptoError) in
      try sealed.append(count: count) { (output: inout MutableRawSpan) throws(CryptoError) in
        try keys.sealer.seal(plaintext, at: place, into: &output)
      }
    }
    return sealed
  }

  /// Whether every content opens. Those that do not are remembered.
  func opensEveryContent() throws -> Bool {
    for id in attachments.all {
      do {
        _ = try reading { try content(of: attachment(id, in: $0), in: $0) }
      } catch VaultError.damaged {
        return false
      }
    }
    return true
  }
}
