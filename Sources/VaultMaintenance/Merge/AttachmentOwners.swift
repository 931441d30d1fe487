import Identifiers
import VaultModel

/// Which cards have which attachments after a merge.
///
/// An attachment's content belongs to one card. Two may have it: whoever edits a card and whoever changes a conflict copy of it
/// on another machine both keep its attachments.
struct AttachmentOwners {
  private var cards: [Identifier: (places: [IndexedAttachment], isCopy: Bool)] = [:]
  private var owners: [Identifier: [Identifier]] = [:]

  mutating func add(_ places: [IndexedAttachment], of card: Identifier, isCopy: Bool) {
    cards[card] = (places, isCopy)
    for place in places { owners[place.id, default: []].append(card) }
  }

  /// Assigns each attachment to one card: preferably to one that is not a conflict copy, of those to the one with the
  /// highest id. The result does not depend on the order of merges.
  ///
  /// - Returns: what is taken from which card.
  mutating func assignOwners() -> [Identifier: Set<Identifier>] {
    var taken: [Identifier: Set<Identifier>] = [:]
    for (attachment, sharing) in owners where sharing.count > 1 {
      let keeper = sharing.max { rank($0) < rank($1) }
      for card in sharing where card != keeper {
        taken[card, default: []].insert(attachment)
        cards[card]?.places.removeAll { $0.id == attachment }
      }
    }
    return taken
  }

  private func rank(_ card: Identifier) -> (Int, UInt64, UInt64) {
    (cards[card]?.isCopy == true ? 0 : 1, card.high, card.low)
  }

  func places(of card: Identifier) -> [IndexedAttachment] { cards[card]?.places ?? [] }

  /// All attachments, by their ids.
  var places: [Identifier: IndexedAttachment] {
    cards.values.flatMap(\.places).reduce(into: [:]) { $0[$1.id] = $1 }
  }
}
