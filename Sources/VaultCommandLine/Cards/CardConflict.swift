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

  /// Whether a text names the conflict: the title of either, or the beginning of an id of at least four digits.
  func matches(_ text: String) -> Bool {
    [title, copy.title, card?.title ?? title].contains { $0.folded == text.folded }
      || CardReference.isPrefix(text)
        && [copy.id, card?.id ?? ""].contains { $0.hasPrefix(text.lowercased()) }
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
