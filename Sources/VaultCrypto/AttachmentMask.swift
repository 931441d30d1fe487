public import Wire

/// The difference between the attachments of a conflict copy and those of its card (VAULT-FORMAT.md, "Attachments of conflict
/// copies").
///
/// An attachment belongs to one card, so a conflict copy has copies of its content's attachments. Their ids, and the salts of their
/// sealed contents, are those in the card exclusive-ored with the mask. So they are the same wherever the copy is made, and a mask
/// that is applied twice changes nothing.
public struct AttachmentMask: Hashable, Sendable {
  private let identifier: Identifier
  private let salt: Salt

  /// The mask of a card that is not a conflict copy.
  public static let none = AttachmentMask(.zero, Salt(high: 0, low: 0))

  private init(_ identifier: Identifier, _ salt: Salt) {
    (self.identifier, self.salt) = (identifier, salt)
  }

  /// Derives the mask of a conflict copy.
  ///
  /// SHA-256 over `quickvault/v1/copied-attachments` in ASCII, the vault's id, the copy's id and the least of its content's tags (8
  /// bytes): 16 bytes for ids, of which the six bits that every version 4 UUID has do not count, and 16 for salts.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public init(ofCopy copy: Identifier, tag: UInt64, in vault: Identifier) throws(CryptoError) {
    var message = Array("quickvault/v1/copied-attachments".utf8) + vault.bytes + copy.bytes
    message.append(bigEndian: tag)
    let hash = try SHA256.hash(of: message)
    let bits = try Identifier(Array(hash.prefix(Identifier.byteCount)))
    let salt = try Salt(Array(hash.suffix(Salt.count)))
    self.init(Identifier(high: bits.high & ~0xF000, low: bits.low & ~(0b11 << 62)), salt)
  }

  /// Returns the mask that does what both do.
  public func combined(with other: AttachmentMask) -> AttachmentMask {
    AttachmentMask(applied(to: other.identifier), applied(to: other.salt))
  }

  /// Returns the id of an attachment with the mask.
  public func applied(to id: Identifier) -> Identifier {
    Identifier(high: id.high ^ identifier.high, low: id.low ^ identifier.low)
  }

  /// Returns the salt of a content with the mask.
  public func applied(to salt: Salt) -> Salt {
    Salt(high: salt.high ^ self.salt.high, low: salt.low ^ self.salt.low)
  }
}
