import VaultInterface
import Wire

/// A card that exists in two versions, because it was changed in two copies of the vault.
struct ConflictingCards {
  /// Nil if the card is gone, or nothing tells which it is.
  let card: CardJSON?
  let copy: CardJSON
  /// The title of the copy without the note.
  let title: String

  /// Whether a text names the conflict: the title of either, or an id.
  ///
  /// - Parameter guesses: whether the beginning of an id will do.
  func matches(_ text: String, guesses: Bool) -> Bool {
    [title, copy.title, card?.title ?? title].contains { $0.trimmed.tagKey == text.trimmed.tagKey }
      || [copy.id, card?.id].contains { $0?.isNamed(by: text, guesses: guesses) == true }
  }

  /// Reads all conflicts of the vault, in the order of its list.
  static func all(_ vault: Vault) throws(Failure) -> [ConflictingCards] {
    try vault.ask(CardConflicts()).conflicts.map { (conflict) throws(Failure) in
      ConflictingCards(
        card: try conflict.card.map { (id) throws(Failure) in try vault.card(id).value },
        copy: try vault.card(conflict.copy).value, title: conflict.title)
    }
  }
}
