import VaultCrypto
import VaultInterface
import Wire

/// A content, or several that differ in nothing but their time.
struct MergeValue {
  /// When the content of each tag was modified.
  var times: [UInt64: Int64]
  /// The newest content, as the card itself has it: its title has no note, its attachments have no mask.
  var card: Card
  var source: MergePlan.Source
  /// The encoded card without what is not compared: its time, and the seals of its attachments; empty if there is only one content.
  let compared: [UInt8]

  var tags: [UInt64] { times.keys.sorted() }

  /// The times to keep in a history.
  var differentTimes: [UInt64: Int64] { Set(times.values).count > 1 ? times : [:] }

  /// Returns whether another content wins: the newer one; for equal times, the one whose bytes sort last.
  func loses(to other: MergeValue) -> Bool {
    if card.modifiedAt != other.card.modifiedAt { return card.modifiedAt < other.card.modifiedAt }
    return compared.lexicographicallyPrecedes(other.compared)
  }

  /// Returns whether another content differs in nothing but its time. A card has at most 64 tags.
  func canBeOne(with other: MergeValue) -> Bool {
    compared == other.compared && times.count < CardHistory.limit
  }

  mutating func add(_ other: MergeValue) {
    if card.modifiedAt < other.card.modifiedAt { (card, source) = (other.card, other.source) }
    times.merge(other.times) { $1 }
  }
}

extension Attachment {
  /// Returns the attachment with the id that it has in another card. Its seal is the one in the card that it comes from.
  func copy(with mask: AttachmentMask) -> Attachment { copy(id: mask.applied(to: id), seal: seal) }
}

extension Card {
  /// The content that a merge compares.
  var withoutTimeAndSeals: Card {
    var card = self
    card.modifiedAt = Timestamp(milliseconds: 0)
    card.attachments = attachments.map { $0.copy(id: $0.id, seal: .zero) }
    return card
  }

  /// Returns the same content with another identifier or revision.
  func `as`(_ id: Identifier, revision: Int64) -> Card {
    var card = Card(
      draft, id: id, revision: revision, createdAt: createdAt, modifiedAt: modifiedAt,
      attachments: attachments)
    card.isInTrash = isInTrash
    return card
  }
}
