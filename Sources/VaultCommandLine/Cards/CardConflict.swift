import JSON
import VaultModel
import VaultProtocol

/// A card that exists in two versions, because it was changed in two copies of the vault.
struct CardConflict {
  /// Nil if the card is gone, or nothing tells which it is.
  let card: Card?
  let copy: Card
  /// The title of the copy without the note.
  let title: String

  /// Whether a text names the conflict: the title of either, or an id.
  ///
  /// - Parameter guesses: whether the beginning of an id will do.
  func matches(_ text: String, guesses: Bool) -> Bool {
    [title, copy.title, card?.title ?? title].contains { $0.trimmed.tagKey == text.trimmed.tagKey }
      || [copy.id, card?.id ?? ""].contains { $0.isNamed(by: text, guesses: guesses) }
  }

  /// Reads all conflicts of the vault, in the order of its list.
  static func all(_ vault: Vault) throws(Failure) -> [CardConflict] {
    let found = try vault.request(CardConflicts.method)["conflicts"]?.elements ?? []
    return try found.map { (conflict) throws(Failure) in
      CardConflict(
        card: try conflict["id"].map { (id) throws(Failure) in try read(id, vault) },
        copy: try read(conflict["copyId"] ?? .null, vault), title: conflict["title"]?.string ?? "")
    }
  }

  private static func read(_ id: JSON, _ vault: Vault) throws(Failure) -> Card {
    Card(try vault.request(CardGet.method, ["id": id])["card"] ?? [:])
  }
}
