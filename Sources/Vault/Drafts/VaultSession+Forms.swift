public import VaultInterface
import VaultStore
import Wire

/// A card as a form has saved it.
public struct SavedForm: Sendable {
  public enum Effect: Sendable {
    case created, updated
    /// The form says what is stored. Nothing was written.
    case none
  }

  public let card: Card
  public let effect: Effect
  public let warnings: [Issue]
}

extension VaultSession {
  /// Stores what a form's text says, and deletes the form's draft with it (R1, R12).
  ///
  /// - Parameters:
  ///   - edited: the text, with its tags as the vault writes them.
  ///   - revision: the revision that the caller has seen; nil for any.
  ///   - makesNewCard: whether the text becomes a new card, although the form is of another. Masks then stand for the values of
  ///     the other, if it is still there.
  /// - Throws: ``VaultError/conflict(_:)`` with the card as it is; `InvalidValues` with all issues and their lines (R21);
  ///   ``VaultError/cardNotFound(_:)``.
  public func saveForm(
    _ form: FormDraft.Form, _ edited: EditedForm, revision: Int?, makesNewCard: Bool = false
  ) throws -> SavedForm {
    let vault = try unlocked()
    if let id = form.card, !makesNewCard {
      let seen = try vault.reading { try vault.card(id, at: revision, in: $0) }
      let contents = edited.contents(over: seen.draft)
      guard contents.says(seen.draft) else {
        let (card, warnings) = try vault.change { transaction, change in
          let saved = try vault.replaceCard(id, at: revision, transaction, &change) { card in
            let isSeen = card.draft == seen.draft
            let (draft, warnings) = try (isSeen ? contents : edited.contents(over: card.draft)).checked()
            return (card.replaced(by: draft, at: vault.timeOfChange(clock)), warnings)
          }
          try vault.discardDraft(form, transaction, &change)
          return saved
        }
        return SavedForm(card: card, effect: .updated, warnings: warnings)
      }
      try discardDraft(form)
      return SavedForm(card: seen, effect: .none, warnings: [])
    }
    let (card, warnings) = try insertCard(into: vault) { transaction, change in
      try vault.discardDraft(form, transaction, &change)
      return try edited.contents(over: vault.draft(of: form, in: transaction.read)).checked()
    }
    return SavedForm(card: card, effect: .created, warnings: warnings)
  }
}

extension OpenVault {
  /// Returns the contents of the card that a form is of; nil for a new card, or if the card is gone.
  fileprivate func draft(of form: FormDraft.Form, in transaction: borrowing ReadTransaction) throws
    -> CardDraft?
  {
    guard let id = form.card else { return nil }
    do {
      let card = try card(id, at: nil, in: transaction)
      return card.type.kin.contains(form.type) ? card.draft : nil
    } catch VaultError.cardNotFound {
      return nil
    }
  }
}
