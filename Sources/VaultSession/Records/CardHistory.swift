package import Identifiers
import VaultCrypto

/// The history of a card, as far as a merge with another copy of the vault needs it.
///
/// Every content that a card ever had is named by a *tag* of 64 random bits. The history lists the tags of contents that
/// were replaced. Another copy that still has one of them has an older state; one whose content has any other tag has
/// something that this copy never had.
package struct CardHistory: Hashable, Sendable {
  /// The origin of a conflict copy.
  package struct Origin: Hashable, Sendable {
    /// The card that changed on both sides.
    package var card: Identifier
    /// The length of the card's own title, in bytes, before the note.
    package var titleByteCount: Int

    package init(card: Identifier, titleByteCount: Int) {
      (self.card, self.titleByteCount) = (card, titleByteCount)
    }
  }

  /// The tags of the content itself; where there are none, it is the first eight bytes of the sealed record.
  package var own: [UInt64] = []
  /// The tags of replaced contents, newest first.
  package var replaced: [UInt64] = []
  /// When the card was deleted, in milliseconds since 1970 UTC; nil if it exists.
  package var deletedAt: Int64?
  /// Set while the card is an unchanged conflict copy.
  package var origin: Origin?

  package init(own: [UInt64] = [], replaced: [UInt64] = [], deletedAt: Int64? = nil, origin: Origin? = nil) {
    (self.own, self.replaced, self.deletedAt, self.origin) = (own, replaced, deletedAt, origin)
  }

  /// The most tags that are kept. A copy that is further behind counts as changed independently.
  static let limit = 64

  /// Returns the history after the content was replaced or deleted.
  ///
  /// - Parameter tag: the tag of the replaced record, used where the history has no own tags.
  func adding(replaced tag: UInt64, deletedAt: Int64?) -> CardHistory {
    let before = own.isEmpty ? [tag] : own
    return CardHistory(replaced: Self.limited(before + replaced), deletedAt: deletedAt)
  }

  /// Returns the first ``limit`` distinct tags.
  package static func limited(_ tags: [UInt64]) -> [UInt64] {
    var known: Set<UInt64> = []
    return Array(tags.filter { known.insert($0).inserted }.prefix(limit))
  }
}

// version (1) ‖ flags (1: bit 0 deleted, bit 1 conflict copy) ‖ own tags (2) ‖ seen tags (2) ‖ deleted at (8) ‖ tags (8 each)
// ‖ for a conflict copy: card (16) ‖ title's bytes (4).
extension CardHistory {
  private static let headCount = 14

  /// The content to seal.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = [1, (deletedAt == nil ? 0 : 1) | (origin == nil ? 0 : 2)]
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: own.count))
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: replaced.count))
    bytes.append(bigEndian: deletedAt ?? 0)
    for tag in own + replaced { bytes.append(bigEndian: tag) }
    if let origin {
      bytes += origin.card.bytes
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: origin.titleByteCount))
    }
    return bytes
  }

  /// Reads the content of a history that was opened.
  ///
  /// - Throws: ``CryptoError/malformed`` for an unknown version or flag, bytes missing or left over, more tags than there can
  ///   be, own tags of a card that is deleted, or a time of one that is not.
  init(decoding bytes: [UInt8]) throws(CryptoError) {
    guard bytes.count >= Self.headCount, bytes[0] == 1, bytes[1] < 4 else { throw .malformed }
    let (isDeleted, isCopy) = (bytes[1] & 1 == 1, bytes[1] & 2 == 2)
    let (owns, sees) = (Int(Self.number(bytes[2..<4])), Int(Self.number(bytes[4..<6])))
    let end = Self.headCount + (owns + sees) * 8
    guard owns <= Self.limit, sees <= Self.limit, bytes.count == end + (isCopy ? 20 : 0) else {
      throw .malformed
    }
    let time = Int64(bitPattern: Self.number(bytes[6..<14]))
    guard isDeleted ? owns == 0 && !isCopy : time == 0 else { throw .malformed }
    let tags = (0..<owns + sees).map {
      Self.number(bytes[Self.headCount + $0 * 8..<Self.headCount + $0 * 8 + 8])
    }
    own = Array(tags.prefix(owns))
    replaced = Array(tags.dropFirst(owns))
    deletedAt = isDeleted ? time : nil
    guard isCopy else { return }
    let card = try Identifier(Array(bytes[end..<end + 16]))
    origin = Origin(card: card, titleByteCount: Int(Self.number(bytes[(end + 16)...])))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
