import JSON
import VaultModel
import VaultProtocol

/// A card that exists in two versions, because it was changed in two copies of the vault.
struct CardConflict {
  /// The note that a merge appends to the title of a conflict copy, in the language of the title.
  private static let notes = [" (conflict copy)", "（冲突副本）"]

  /// Nil if the card is gone, or has another title.
  var card: Card?
  var copy: Card

  /// The title that both have, without the note.
  var title: String { Self.titleWithoutNote(copy) ?? copy.title }

  /// Whether a text names the conflict: the title, or the beginning of an id of at least four digits.
  func matches(_ text: String) -> Bool {
    title.folded == text.folded || copy.title.folded == text.folded
      || CardReference.isPrefix(text)
        && [copy.id, card?.id ?? ""].contains { $0.hasPrefix(text.lowercased()) }
  }

  /// Reads all conflicts of the vault, in the order of its list.
  static func all(_ vault: Vault) throws(Failure) -> [CardConflict] {
    var (cards, copies) = ([String: Card](), [Card]())
    try Pages(CardList.method, [], limit: nil).read(vault) { items in
      for card in items.map({ Card($0) }) {
        if titleWithoutNote(card) == nil { cards[card.title] = card } else { copies.append(card) }
      }
    }
    return copies.map { copy in CardConflict(card: titleWithoutNote(copy).flatMap { cards[$0] }, copy: copy) }
  }

  /// Returns the same conflict with the whole cards, of which a list has only the titles.
  func read(_ vault: Vault) throws(Failure) -> CardConflict {
    let whole = { (card: Card) throws(Failure) in
      Card(try vault.request(CardGet.method, ["id": .string(card.id)])["card"] ?? [:])
    }
    var conflict = self
    if let card { conflict.card = try whole(card) }
    conflict.copy = try whole(copy)
    return conflict
  }

  private static func titleWithoutNote(_ card: Card) -> String? {
    let title = card.title
    return notes.first { title.hasSuffix($0) }.map { String(title.dropLast($0.count)) }
  }
}
