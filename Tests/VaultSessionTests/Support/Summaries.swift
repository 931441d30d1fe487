import SessionSupport
import VaultInterface

extension Card {
  /// The card as lists and searches show it.
  var withoutValues: Card {
    let draft = CardDraft(title: title, group: group, type: type, tags: tags, pinned: pinned)
    return Card(
      draft, id: id, revision: revision, createdAt: createdAt, modifiedAt: modifiedAt,
      attachments: attachments)
  }
}
