import Identifiers
import VaultCrypto
package import VaultModel
import VaultSession
import VaultStore

/// The contents of attachments in a merge: those of cards that are written are added first, then those that no card has any more are
/// removed.
package struct MergedContents {
  /// Calls `body` with the sealed content of an attachment of the other copy, and returns whether it is there.
  package typealias Source = (_ attachment: Attachment, _ body: (RawSpan) throws -> Void) throws -> Bool

  private let vault: any VaultAccess
  private let cards: MergeCards
  /// The attachments of the cards that were written or removed, before and after.
  private var old: [Identifier: IndexedAttachment] = [:]
  private var new: [Identifier: IndexedAttachment] = [:]

  init(_ vault: any VaultAccess, _ plan: MergePlan) {
    (self.vault, cards) = (vault, plan.cards)
  }

  /// Adds the contents of a card's attachments that are not here yet.
  ///
  /// - Returns: the card with the seals of its contents.
  /// - Throws: `VaultError.failed` if one is missing.
  @discardableResult mutating func add(
    _ card: Card, from source: MergePlan.Source, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange, _ content: Source
  ) throws -> Card {
    noteOld(of: card.id)
    let originals = (source.isTheirs ? cards.theirs : cards.mine)[source.place]?.attachments ?? []
    var card = card
    for (index, original) in originals.enumerated() where card.attachments.indices.contains(index) {
      try Task.checkCancellation()
      let id = card.attachments[index].id
      let place =
        try vault.attachments.place(of: id) ?? new[id]
        ?? insert(id, from: original, source.mask, transaction, &change, content)
      card.attachments[index] = card.attachments[index].copy(id: id, seal: place.seal)
      new[id] = place
    }
    change.attachments.append((card.id, card.attachments.map(IndexedAttachment.init)))
    return card
  }

  /// Notes that a card is removed.
  mutating func remove(_ card: Identifier, _ change: inout VaultChange) {
    noteOld(of: card)
    change.attachments.append((card, []))
  }

  /// Removes the contents that no card has any more, and all renditions of the others: two cards may have different watermarks at the
  /// same revision.
  func removeOld(_ transaction: borrowing WriteTransaction, _ change: inout VaultChange) throws {
    for place in old.values {
      try transaction.deleteRenditions(of: place.id)
      if new[place.id] == nil { try vault.removeContent(of: place, transaction, &change) }
    }
  }

  private mutating func noteOld(of card: Identifier) {
    for place in vault.attachments.places(of: card) { old[place.id] = place }
  }

  private func insert(
    _ id: Identifier, from original: Attachment, _ mask: AttachmentMask,
    _ transaction: borrowing WriteTransaction, _ change: inout VaultChange, _ content: Source
  ) throws -> IndexedAttachment {
    var place: IndexedAttachment?
    func insert(_ sealed: RawSpan) throws {
      let seal = try ContentSeal(of: sealed)
      try transaction.insertContent(id, sealed)
      place = IndexedAttachment(original.copy(id: id, seal: seal))
    }
    func insertCopy(_ sealed: RawSpan) throws {
      guard id != original.id else { return try insert(sealed) }
      try vault.reader.seal(contentOf: original, sealed, with: mask).withRawSpan { try insert($0) }
    }
    if vault.attachments.place(of: original.id)?.seal == original.seal {
      try transaction.read.content(original.id, insertCopy)
    } else {
      guard try content(original, insertCopy) else { throw VaultError.failed(.recordMissing) }
    }
    guard let place else { throw VaultError.failed(.recordMissing) }
    try change.head.add(vault.reader.element(of: place), kind: .attachment)
    return place
  }
}
