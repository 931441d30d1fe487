package import VaultInterface
package import Wire

/// The attachments and their cards: ids, sizes and seals only.
package struct AttachmentIndex {
  private var places: [Identifier: (card: Identifier, place: IndexedAttachment)] = [:]
  private var identifiers: [Identifier: [Identifier]] = [:]

  package var count: Int { places.count }

  init() {}

  package init(_ attachments: [(card: Identifier, places: [IndexedAttachment])]) {
    for (card, places) in attachments { set(places, of: card) }
  }

  package var all: [Identifier] { Array(places.keys) }

  /// The salts and tags of all contents.
  package var seals: Set<ContentSeal> { Set(places.values.map(\.place.seal)) }

  /// The card that an attachment belongs to; nil if there is no such attachment.
  package func card(of attachment: Identifier) -> Identifier? { places[attachment]?.card }

  /// The entry of an attachment; nil if there is none.
  package func place(of attachment: Identifier) -> IndexedAttachment? { places[attachment]?.place }

  /// The entries of a card's attachments.
  package func places(of card: Identifier) -> [IndexedAttachment] {
    (identifiers[card] ?? []).compactMap { places[$0]?.place }
  }

  /// Replaces the attachments of a card.
  mutating func set(_ new: [IndexedAttachment], of card: Identifier) {
    // An attachment that moved to another card belongs to that card already.
    for id in identifiers.removeValue(forKey: card) ?? [] where places[id]?.card == card { places[id] = nil }
    for place in new { places[place.id] = (card, place) }
    if !new.isEmpty { identifiers[card] = new.map(\.id) }
  }
}
